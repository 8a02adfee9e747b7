import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { IngestTarget } from '../../../src/ingestion/bulk/ingest-target.js';
import { openLocalTarget, type TargetOptions } from '../../../src/ingestion/bulk/local-target.js';
import { openRemoteTarget } from '../../../src/ingestion/bulk/remote-target.js';
import { runIngest, type RunOptions } from '../../../src/ingestion/bulk/run-ingest.js';
import { listEntries } from '../../../src/knowledge/read-entries.js';
import { updateEntry } from '../../../src/knowledge/update-entry.js';
import { createOutput } from '../../../src/platform/cli/terminal.js';
import { sampleManual } from '../../support/sample-manual.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';

interface Answer {
  dry_run?: boolean;
  files: { name: string; outcome: string; entries: number; approved: number; taken_back: number }[];
  summary: Record<string, unknown>;
}

const quiet = { choice: { include: [], exclude: [] }, stdinName: undefined, quiet: true };
const usual = {
  ...quiet,
  prune: false,
  yes: false,
  approve: false,
  wait: true,
  dryRun: false,
  concurrency: 1,
};

for (const kind of ['the local database', 'a remote server'] as const) {
  describe(`Ingesting many files into ${kind}`, () => {
    let test: TestApp & { url: string };
    let acme: TestOrganization;
    let staff: TestUser;
    let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;

    before(async () => {
      const isFar = kind === 'a remote server';
      test = await serveTestApp({ ingestion: { worker: isFar, poll_ms: 50, max_file_mb: 1 } });
      acme = await addOrganization(test);
      staff = await addUser(test, acme, 'backoffice');
    });
    beforeEach(async () => {
      folder = await makeTemporaryFolder();
      await mkdir(join(folder.path, 'old'));
    });
    afterEach(() => folder.remove());
    after(() => test.close());

    const open = (given: Partial<TargetOptions>, token: string): Promise<IngestTarget> => {
      const options = { domain: acme.domain, force: false, ...given };
      const giveUp = (trouble: Error) => assert.fail(trouble);
      if (kind === 'the local database') {
        return openLocalTarget(test.app, acme.operator, options, { work: true, giveUp });
      }
      const { signal } = new AbortController();
      const settings = {
        url: new URL(test.url),
        token: () => Promise.resolve(token),
        signal,
        note: () => undefined,
      };
      return openRemoteTarget(settings, options);
    };
    const run = async (
      given: Partial<RunOptions> = {},
      target: Partial<TargetOptions> = {},
      stdin = Buffer.of(),
    ) => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const terminal = { stdin: new PassThrough().end(stdin), stdout, stderr };
      const out = createOutput(terminal, { json: true, quiet: true });
      const { signal: interrupted } = new AbortController();
      const names = given.stdinName === undefined ? [folder.path] : ['-'];
      const code = await runIngest(
        { out, terminal, interrupted },
        names,
        { ...usual, ...given },
        () => open(target, staff.token),
      );
      return { code, ...(JSON.parse(String(stdout.read())) as Answer) };
    };
    const write = (name: string, bytes: Uint8Array | string) =>
      writeFile(join(folder.path, name), bytes);

    it('reports the same new, changed, unchanged and failed files in a rehearsal and in the run', async () => {
      await write('a.pdf', await sampleManual(2, 'belt'));
      await write('old/b.pdf', await sampleManual(1, 'cart'));
      await write('bad.pdf', 'no PDF');
      await write('large.pdf', Buffer.alloc(1024 * 1024 + 1, '%PDF-'));
      const planned = await run({ dryRun: true });
      assert.equal(planned.dry_run, true);
      const failures = { file_too_large: 1, not_a_pdf: 1 };
      const counts = { files: 4, ingested: 2, accepted: 0, new: 2, changed: 0, unchanged: 0 };
      // A server knows what is gone of a stated source alone.
      const known = kind === 'the local database' ? { gone: 0 } : {};
      const first = { ...counts, ...known, skipped: 0, failed: 2, interrupted: 0, failures };
      assert.deepEqual([planned.code, planned.summary], [5, first]);
      const again = await run({ dryRun: true });
      assert.deepEqual(again.summary, first, 'a rehearsal changes nothing');
      const done = await run({ approve: true });
      assert.deepEqual([done.code, done.summary], [5, first]);
      const files = Object.fromEntries(done.files.map((file) => [file.name, file]));
      assert.deepEqual([files['a.pdf']?.entries, files['a.pdf']?.approved], [2, 2]);
      assert.equal(files['old - b.pdf']?.approved, 1);

      await write('a.pdf', await sampleManual(3, 'belt'));
      const second = { ...first, ingested: 1, new: 0, changed: 1, unchanged: 1 };
      assert.deepEqual((await run({ dryRun: true })).summary, second);
      assert.deepEqual((await run()).summary, second);
      const third = { ...first, ingested: 0, new: 0, unchanged: 2 };
      assert.deepEqual((await run()).summary, third);
      assert.deepEqual((await run({}, { force: true })).summary, {
        ...second,
        changed: 2,
        ingested: 2,
        unchanged: 0,
      });
    });

    it('refuses an invalid target before reading a file', async () => {
      await write('a.pdf', 'never read');
      await assert.rejects(run({}, { appId: 99 }), { code: 'not_found' });
      await assert.rejects(run({}, { domain: 'nobody.example' }), { code: 'unprocessable' });
    });

    it('stores the files without waiting for their entries', async () => {
      await write('forge.pdf', await sampleManual(1, 'forge'));
      const { files } = await run({ wait: false });
      // A server can finish a small file before it answers.
      const possible = kind === 'a remote server' ? ['accepted', 'ingested'] : ['accepted'];
      assert.ok(possible.includes(files[0]?.outcome ?? ''), files[0]?.outcome);
    });

    it('does not approve an entry that a person has unpublished', async () => {
      await write('lathe.pdf', await sampleManual(2, 'lathe'));
      await run({ approve: true });
      const page = { document: 'lathe', sort: '-created_at', page: 1, limit: 1 } as const;
      const { items } = await listEntries(test.app, acme.operator, page);
      await updateEntry(test.app, acme.operator, items[0]?.uuid ?? '', { status: 'draft' });
      const { files } = await run({ approve: true });
      assert.deepEqual([files[0]?.approved, files[0]?.taken_back], [0, 1]);
    });

    it('accepts a PDF from standard input under a name, and recognizes it again', async () => {
      const bytes = Buffer.from(await sampleManual(1, 'winch'));
      const options = { stdinName: 'report.pdf' };
      const first = await run(options, {}, bytes);
      assert.deepEqual(
        first.files.map(({ name, outcome }) => [name, outcome]),
        [['report.pdf', 'ingested']],
      );
      assert.equal((await run(options, {}, bytes)).files[0]?.outcome, 'unchanged');
      const large = await run(options, {}, Buffer.alloc(1024 * 1024 + 1, '%PDF-'));
      assert.deepEqual([large.code, large.summary['failures']], [1, { file_too_large: 1 }]);
    });
  });
}
