import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openLocalTarget } from '../../../src/ingestion/bulk/local-target.js';
import { openRemoteTarget } from '../../../src/ingestion/bulk/remote-target.js';
import { runIngest, type RunOptions } from '../../../src/ingestion/bulk/run-ingest.js';
import { listBatches } from '../../../src/ingestion/review/list-batches.js';
import { listEntries } from '../../../src/knowledge/read-entries.js';
import { createOutput } from '../../../src/platform/cli/terminal.js';
import { auditLogOf } from '../../support/audit-log.js';
import { chapterOf, manualOf, sampleManual } from '../../support/sample-manual.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';

interface Answer {
  files: {
    name: string;
    outcome: string;
    standing: string | null;
    also_at: string | null;
    version_note: string | null;
    error: { code: string; message: string } | null;
  }[];
  pruned?: { name: string; taken_back: number; deleted: number }[];
  summary: Record<string, unknown>;
}

type Given = Partial<RunOptions> & { source?: string };

for (const kind of ['the local database', 'a remote server'] as const) {
  describe(`The source of documents in ${kind}`, () => {
    let test: TestApp & { url: string };
    let acme: TestOrganization;
    let token: string;
    let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;

    beforeEach(async () => {
      const worker = kind === 'a remote server';
      test = await serveTestApp({ ingestion: { worker, poll_ms: 50 } });
      acme = await addOrganization(test);
      ({ token } = await addUser(test, acme, 'backoffice'));
      folder = await makeTemporaryFolder();
    });
    afterEach(async () => {
      await test.close();
      await folder.remove();
    });

    const at = (path: string) => join(folder.path, path);
    const write = async (path: string, bytes: Uint8Array) => {
      await mkdir(join(at(path), '..'), { recursive: true });
      await writeFile(at(path), bytes);
    };
    const run = async (name: string, { source, ...given }: Given = {}) => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const terminal = { stdin: new PassThrough().end(), stdout, stderr };
      const out = createOutput(terminal, { json: true, quiet: false });
      const { signal } = new AbortController();
      const options: RunOptions = {
        ...{ choice: { include: [], exclude: [] }, stdinName: undefined, quiet: false },
        ...{ approve: true, wait: true, dryRun: false, concurrency: 2, prune: false, yes: true },
        ...given,
      };
      const target = { force: false, source };
      const settings = {
        ...{ url: new URL(test.url), token: () => Promise.resolve(token) },
        ...{ signal, note: () => undefined },
      };
      const context = { out, terminal, interrupted: signal };
      const code = await runIngest(context, [at(name)], options, (giveUp) =>
        kind === 'the local database'
          ? openLocalTarget(test.app, acme.operator, target, { work: true, giveUp })
          : openRemoteTarget(settings, target),
      );
      const answer = JSON.parse(String(stdout.read())) as Answer;
      const standings = Object.fromEntries(answer.files.map((one) => [one.name, one.standing]));
      return { code, ...answer, standings, notes: String(stderr.read() ?? '') };
    };
    const documents = async () => {
      const { items } = await listBatches(test.app, acme.operator, { page: 1, limit: 100 });
      const names = items.map(({ source, fileName }) => `${source ?? '-'} ${fileName}`);
      return [...new Set(names)].sort();
    };
    const published = async () => {
      const { items } = await listEntries(test.app, acme.operator, { page: 1, limit: 100 });
      return items.filter(({ status }) => status === 'published').length;
    };

    it('keeps documents of two folders apart, and must be stated for a known file name from another folder', async () => {
      await write('a/index.pdf', await sampleManual(1, 'belt'));
      await write('b/index.pdf', await sampleManual(1, 'cart'));
      assert.equal((await run('a')).code, 0);
      for (const dryRun of [true, false]) {
        const { code, files } = await run('b', { dryRun });
        assert.equal(code, 1);
        assert.equal(files[0]?.error?.code, 'conflict');
        assert.match(files[0].error.message, /folder a, .* from b\..*--source b/);
      }
      assert.deepEqual(await documents(), ['- index.pdf']);
      assert.deepEqual((await run('b', { source: 'b' })).standings, { 'index.pdf': 'new' });
      assert.deepEqual(await documents(), ['- index.pdf', 'b index.pdf']);
      assert.equal(await published(), 2);
      assert.deepEqual((await run('b', { source: 'b' })).standings, { 'index.pdf': 'unchanged' });
    });

    it('is suggested if two folders of one name seem to hold different documents', async () => {
      await write('1/docs/index.pdf', await manualOf([chapterOf(0)]));
      await write('2/docs/index.pdf', await manualOf([chapterOf(1)]));
      assert.equal((await run('1/docs')).files[0]?.version_note, null);
      const planned = await run('2/docs', { dryRun: true });
      const doubt =
        kind === 'the local database'
          ? /its last version was .*1\/docs\/index\.pdf, which is still there\. .*--source <name>/
          : /1 file would become a new version .* only when the server has read it\. .*--source <name>/;
      assert.match(planned.notes, doubt);
      const { code, files, notes } = await run('2/docs');
      assert.deepEqual([code, files[0]?.standing], [0, 'changed']);
      const remark =
        'most of the text of its last version is not in it. If these are two documents, give each folder a source: --source <name>';
      assert.equal(files[0]?.version_note, remark);
      assert.ok(notes.includes(`index.pdf: ${remark}`), notes);
      const stated = await run('1/docs', { source: 'one' });
      assert.equal(stated.files[0]?.version_note, null);
    });

    it('is the same in every checkout of a folder', async () => {
      await write('1/docs/old/a.pdf', await manualOf([chapterOf(0)]));
      await run('1/docs');
      await rename(at('1'), at('2'));
      await write('2/docs/old/a.pdf', await manualOf([chapterOf(0, 'The lid is blue.')]));
      const changed = await run('2/docs');
      assert.deepEqual(changed.standings, { 'old - a.pdf': 'changed' });
      assert.equal(changed.files[0]?.version_note, null, 'it is the same document');
      assert.deepEqual(await documents(), ['- old - a.pdf']);
    });

    it('can be added to a document later, which keeps its history', async () => {
      await write('docs/a.pdf', await manualOf([chapterOf(0)]));
      await run('docs');
      const again = await run('docs', { source: 'handbook' });
      assert.deepEqual([again.code, again.standings], [0, { 'a.pdf': 'unchanged' }]);
      assert.deepEqual(await documents(), ['handbook a.pdf']);
      const log = await auditLogOf(test, acme);
      assert.equal(log.filter(({ action }) => action === 'document.adopt').length, 1);
      await write('docs/a.pdf', await manualOf([chapterOf(0, 'The lid is blue.')]));
      const changed = await run('docs', { source: 'handbook' });
      assert.deepEqual(changed.standings, { 'a.pdf': 'changed' });
      assert.equal(await published(), 1, 'the entry has a new version');
    });

    it('limits pruning to its own documents', async () => {
      await write('docs/a.pdf', await sampleManual(1, 'belt'));
      await write('docs/b.pdf', await sampleManual(2, 'cart'));
      await write('docs/c.pdf', await sampleManual(1, 'lamp'));
      await run('docs', { source: 'one' });
      await write('other/b.pdf', await sampleManual(1, 'drum'));
      await run('other', { source: 'two' });
      await rm(at('docs/b.pdf'));
      await rename(at('docs'), at('checkout'));
      const prune = { source: 'one', prune: true };
      const choice = { include: [], exclude: ['c.pdf'] };
      const planned = await run('checkout', { ...prune, choice, dryRun: true, yes: false });
      const gone = [{ name: 'b.pdf', taken_back: 2, deleted: 0 }];
      const plain = planned.pruned?.map(({ name, taken_back, deleted }) => ({
        ...{ name, taken_back, deleted },
      }));
      assert.deepEqual([planned.code, plain], [0, gone]);
      assert.equal(await published(), 5, 'a rehearsal changes nothing');
      const done = await run('checkout', prune);
      assert.deepEqual([done.code, done.pruned], [0, planned.pruned]);
      assert.deepEqual(await documents(), ['one a.pdf', 'one c.pdf', 'two b.pdf']);
      assert.equal(await published(), 3);
      assert.deepEqual((await run('checkout', prune)).pruned, [], 'nothing is pruned twice');
      await rm(at('checkout'), { recursive: true });
      await mkdir(at('checkout'));
      await write('readme/a.pdf', await sampleManual(1, 'belt'));
      assert.equal((await run('checkout', prune)).code, 4, 'the folder is empty');
      assert.equal(await published(), 3);
      const confirmed = await run('checkout', { ...prune, pruneAll: true });
      assert.deepEqual([confirmed.code, confirmed.pruned?.length], [0, 2]);
    });
  });
}
