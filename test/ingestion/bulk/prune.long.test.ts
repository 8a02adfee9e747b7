import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openLocalTarget } from '../../../src/ingestion/bulk/local-target.js';
import { runIngest, type RunOptions } from '../../../src/ingestion/bulk/run-ingest.js';
import { listEntries } from '../../../src/knowledge/read-entries.js';
import { createOutput } from '../../../src/platform/cli/terminal.js';
import { auditLogOf } from '../../support/audit-log.js';
import { sampleManual } from '../../support/sample-manual.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';

interface Answer {
  files: {
    name: string;
    outcome: string;
    standing: string;
    error: { code: string; message: string } | null;
  }[];
  gone?: { name: string; published: number; drafts: number }[];
  pruned?: { name: string; taken_back: number; deleted: number }[];
  summary: Record<string, unknown>;
  error?: { code: string; message: string };
}

describe('Pruning documents of missing files', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;

  beforeEach(async () => {
    folder = await makeTemporaryFolder();
    test = await openTestApp({ ingestion: { poll_ms: 50 } });
    acme = await addOrganization(test);
    await mkdir(join(folder.path, 'docs', 'old'), { recursive: true });
    await mkdir(join(folder.path, 'docs2'));
    await write('docs/a.pdf', 'belt');
    await write('docs/old/b.pdf', 'cart');
    await write('docs2/c.pdf', 'lamp');
  });
  afterEach(async () => {
    await test.close();
    await folder.remove();
  });

  const at = (path: string) => join(folder.path, path);
  const write = async (path: string, subject: string, chapters = 2) =>
    writeFile(at(path), await sampleManual(chapters, subject));
  const run = async (
    names: string[],
    { source, ...given }: Partial<RunOptions> & { source?: string | undefined } = {},
    domain?: string,
  ) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const terminal = { stdin: new PassThrough().end(), stdout, stderr };
    const out = createOutput(terminal, { json: true, quiet: false });
    const { signal: interrupted } = new AbortController();
    const options: RunOptions = {
      ...{ choice: { include: [], exclude: [] }, stdinName: undefined, quiet: false },
      ...{ approve: true, wait: true, dryRun: false, concurrency: 1, prune: true, yes: true },
      ...given,
    };
    const code = await runIngest({ out, terminal, interrupted }, names.map(at), options, (giveUp) =>
      openLocalTarget(
        test.app,
        acme.operator,
        { domain, source, force: false },
        { work: true, giveUp },
      ),
    );
    const answer = JSON.parse(String(stdout.read())) as Answer;
    const pruned = answer.pruned?.map(({ name }) => name);
    return { code, ...answer, names: pruned, notes: String(stderr.read() ?? '') };
  };
  const entries = async () =>
    (await listEntries(test.app, acme.operator, { page: 1, limit: 100 })).items;
  const published = async () =>
    (await entries()).filter(({ status }) => status === 'published').length;

  it('unpublishes entries, deletes drafts, keeps the history, and records it', async () => {
    await run(['docs', 'docs2']);
    await write('docs/old/b.pdf', 'cart', 3);
    await run(['docs'], { approve: false });
    await rm(at('docs/old/b.pdf'));
    const planned = await run(['docs'], { dryRun: true, yes: false });
    const gone = [{ name: 'old - b.pdf', taken_back: 2, deleted: 1 }];
    const plain = planned.pruned?.map(({ name, taken_back, deleted }) => ({
      ...{ name, taken_back, deleted },
    }));
    assert.deepEqual([plain, planned.summary['pruned']], [gone, 1]);
    assert.equal(await published(), 6, 'a rehearsal changes nothing');
    const done = await run(['docs']);
    assert.deepEqual([done.code, done.pruned], [0, planned.pruned]);
    assert.equal(await published(), 4);
    const left = (await entries()).filter(({ status }) => status === 'draft');
    assert.deepEqual(
      left.map(({ wasPublished, document, batchId }) => [wasPublished, document, batchId]),
      [
        [true, null, null],
        [true, null, null],
      ],
    );
    assert.ok(
      left.every(({ version }) => version > 1),
      'the history is kept',
    );
    const log = await auditLogOf(test, acme);
    assert.equal(log.filter(({ action }) => action === 'document.prune').length, 1);
    assert.deepEqual((await run(['docs'])).names, [], 'nothing is pruned twice');
  });

  for (const source of [undefined, 'handbook']) {
    const title = source === undefined ? 'without a source' : 'of a source';
    it(`names the documents ${title} that are gone where nothing is pruned`, async () => {
      const named = async (given: Partial<RunOptions> = {}) => {
        const done = await run(['docs'], { prune: false, source, ...given });
        const gone = done.gone?.map(({ name, published }) => `${name} ${published}`);
        return [done.code, gone, done.summary['gone'], done.pruned, done.notes];
      };
      const sentence =
        /^1 document is no longer in the folder\. Take its entries back with --prune\.$/m;
      assert.deepEqual((await named()).slice(0, 4), [0, [], 0, undefined]);
      await rename(at('docs/a.pdf'), at('docs/renamed.pdf'));
      await rm(at('docs/old/b.pdf'));
      for (const given of [{ dryRun: true }, {}, {}]) {
        const [code, gone, count, pruned, notes] = await named(given);
        assert.deepEqual([code, gone, count, pruned], [0, ['old - b.pdf 2'], 1, undefined]);
        assert.match(String(notes), sentence);
      }
      assert.equal(await published(), 4, 'what is named stays');
      await run(['docs'], { source });
      assert.deepEqual((await named()).slice(0, 4), [0, [], 0, undefined]);
    });
  }

  it('names no document as gone if a file can’t be read', async () => {
    await run(['docs']);
    await rm(at('docs/a.pdf'));
    await symlink(at('docs/none.pdf'), at('docs/broken.pdf'));
    const { gone, summary } = await run(['docs'], { prune: false });
    assert.deepEqual([gone, summary['gone']], [undefined, undefined]);
  });

  it('keeps the documents of files that patterns exclude', async () => {
    await run(['docs']);
    const choice = { include: [], exclude: ['a.pdf'] };
    assert.deepEqual((await run(['docs'], { choice })).names, []);
  });

  it('prunes nothing if a named folder is missing', async () => {
    await run(['docs', 'docs2']);
    await rm(at('docs/a.pdf'));
    const wrong = await run(['docs', 'dosc2']);
    assert.deepEqual([wrong.code, wrong.names], [5, []]);
    assert.match(
      wrong.notes,
      /Nothing was pruned, because some of the named files or folders could not be read/,
    );
    const missing = { code: 'not_found', message: /^There is no document at .*dosc2\./ };
    await assert.rejects(run(['dosc2']), missing);
  });

  it('refuses to prune a folder without any PDF unless --prune-all is given', async () => {
    await run(['docs', 'docs2']);
    await rm(at('docs2/c.pdf'));
    await assert.rejects(run(['docs2'], { prune: false }), { code: 'not_found' });
    const sentence =
      /^--prune would remove documents although .*docs2 contains no document: 1 would go \(published entries: 2, drafts: 0\), [02] would stay\. Nothing was removed\. .* --prune-all\.$/;
    for (const names of [['docs2'], ['docs', 'docs2']]) {
      for (const given of [{}, { dryRun: true }]) {
        const refused = await run(names, given);
        assert.deepEqual([refused.code, refused.names, refused.error?.code], [4, [], 'conflict']);
        assert.match(refused.error?.message ?? '', sentence);
        assert.ok(refused.notes.includes(`assistant: ${refused.error?.message ?? ''}`));
      }
    }
    assert.equal(await published(), 6);
    const confirmed = await run(['docs2'], { pruneAll: true });
    assert.deepEqual([confirmed.code, confirmed.names], [0, ['c.pdf']]);
    assert.equal((await run(['docs', 'docs2'])).code, 0, 'an empty folder without documents');
  });

  it('refuses to prune more documents than remain unless --prune-all is given', async () => {
    await write('docs/d.pdf', 'drum');
    await run(['docs']);
    await rm(at('docs/old/b.pdf'));
    await rm(at('docs/d.pdf'));
    const refused = await run(['docs']);
    assert.deepEqual([refused.code, refused.names], [4, []]);
    assert.match(
      refused.error?.message ?? '',
      /more documents than it keeps: 2 would go .*, 1 would stay\./,
    );
    await write('docs/e.pdf', 'lamp');
    const replaced = await run(['docs']);
    assert.deepEqual([replaced.code, replaced.names], [0, ['d.pdf', 'old - b.pdf']]);
  });

  it('requires --yes without a terminal, before it does anything', async () => {
    await assert.rejects(run(['docs'], { yes: false }), { code: 'usage', message: /--yes/ });
    assert.deepEqual(await entries(), []);
  });

  it('treats a file that returns as new, and publishes it', async () => {
    await run(['docs']);
    await rename(at('docs/a.pdf'), at('kept.pdf'));
    assert.deepEqual((await run(['docs'])).names, ['a.pdf']);
    assert.equal(await published(), 2);
    await rename(at('kept.pdf'), at('docs/a.pdf'));
    const { files } = await run(['docs']);
    assert.equal(files.find(({ name }) => name === 'a.pdf')?.standing, 'new');
    assert.equal(await published(), 4);
  });

  it('keeps the entries of a renamed file, and recognizes its later changes', async () => {
    await run(['docs']);
    await rename(at('docs/a.pdf'), at('docs/old/z.pdf'));
    assert.deepEqual((await run(['docs'], { dryRun: true })).names, []);
    const moved = await run(['docs']);
    assert.deepEqual([moved.names, moved.summary['unchanged']], [[], 2]);
    await write('docs/old/z.pdf', 'belt', 3);
    const changed = await run(['docs']);
    assert.deepEqual([changed.names, changed.summary['changed']], [[], 1]);
    assert.equal(await published(), 5);
  });

  it('prunes only documents of the named folders, app and domain', async () => {
    await run(['docs', 'docs2']);
    await rm(at('docs/a.pdf'));
    await rm(at('docs2/c.pdf'));
    assert.deepEqual((await run(['docs'], {}, acme.domain)).names, []);
    assert.deepEqual((await run(['docs/old'])).names, []);
    await assert.rejects(run(['docs/old/b.pdf']), { code: 'usage' });
    assert.equal(await published(), 8);
    assert.deepEqual((await run(['docs'])).names, ['a.pdf']);
  });

  it('prunes nothing if a file can’t be read, because it can be one that moved', async () => {
    await run(['docs']);
    // A name that is not UTF-8: the folder lists it, but Node can't open it.
    const other = Buffer.concat([
      Buffer.from(at('docs/b-')),
      Buffer.from([0xe9]),
      Buffer.from('.pdf'),
    ]);
    await rename(at('docs/a.pdf'), other);
    const { code, names, notes, files } = await run(['docs']);
    assert.deepEqual([code, names], [5, []]);
    assert.match(notes, /Nothing was pruned/);
    const failed = files.find(({ outcome }) => outcome === 'failed');
    assert.equal(failed?.error?.code, 'not_found');
    assert.match(failed.error.message, /not encoded as UTF-8: rename it/);
    assert.equal(await published(), 4);
  });
});
