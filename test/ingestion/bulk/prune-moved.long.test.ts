import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openLocalTarget } from '../../../src/ingestion/bulk/local-target.js';
import { runIngest, type RunOptions } from '../../../src/ingestion/bulk/run-ingest.js';
import { listEntries } from '../../../src/knowledge/read-entries.js';
import { createOutput } from '../../../src/platform/cli/terminal.js';
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
  pruned?: { name: string; taken_back: number; deleted: number }[];
  summary: Record<string, unknown>;
}

describe('Pruning after files have moved', () => {
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
  const run = async (names: string[], given: Partial<RunOptions> = {}, domain?: string) => {
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
      openLocalTarget(test.app, acme.operator, { domain, force: false }, { work: true, giveUp }),
    );
    const answer = JSON.parse(String(stdout.read())) as Answer;
    const pruned = answer.pruned?.map(({ name }) => name);
    return { code, ...answer, names: pruned, notes: String(stderr.read() ?? '') };
  };
  const entries = async () =>
    (await listEntries(test.app, acme.operator, { page: 1, limit: 100 })).items;
  const published = async () =>
    (await entries()).filter(({ status }) => status === 'published').length;

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
