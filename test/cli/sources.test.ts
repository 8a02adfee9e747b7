import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSite, type StandInSite } from '../sources/site/stand-in-site.js';
import { sampleManual } from '../support/sample-manual.js';
import { makeInitialized, type TestInstallation } from '../support/run-cli.js';

interface Source {
  id: number;
  name: string;
  place: string;
  policy: string;
  every_minutes: number | null;
  last_run: Run | null;
}
interface Run {
  status: string;
  counts: { new: number; unchanged: number; failed: number };
  left_out: { address: string; reason: string }[];
}

describe('assistant sources', () => {
  let installation: TestInstallation;
  let site: StandInSite;
  const env = { ASSISTANT_SOURCES_ALLOW_PRIVATE: 'true' };

  before(async () => {
    installation = await makeInitialized();
    const headers = { 'content-type': 'application/pdf' };
    site = await startSite({
      '/': '<meta name="robots" content="noindex"><a href="/a.pdf">a</a><a href="/secret">b</a>',
      '/a.pdf': { body: await sampleManual(1, 'pump'), headers },
      '/secret': { status: 403 },
    });
  });
  after(async () => {
    await installation.remove();
    await site.close();
  });

  const run = (line: string, ...more: string[]) =>
    installation.run([...line.split(' '), ...more], { env });
  const json = <T>(line: string, ...more: string[]) =>
    installation.json<T>([...line.split(' '), ...more], { env });

  it('creates, shows, reads, changes and deletes a website', async () => {
    const made = await json<Source>(
      'sources create manuals --rate 100 --every 24h --site',
      site.url,
    );
    assert.deepEqual([made.policy, made.every_minutes], ['review', 1440]);
    const preview = await run('sources run manuals --dry-run');
    assert.match(preview.stdout, /^new +http:\/\/127\.0\.0\.1:\d+\/a\.pdf$/m);
    assert.match(preview.stdout, /sign_in +http.*\/secret +\(403\)/);
    const first = await run('sources run manuals');
    // A page that needs a sign-in is no failure.
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /1 new, 0 changed, 0 moved, 0 unchanged, 0 gone/);
    assert.match(
      first.stderr,
      /Drafts of 1 document wait: assistant batches review, or .* --source "manuals"/,
    );
    const again = await run('sources run manuals');
    assert.match(again.stdout, /0 new, .* 1 unchanged/);
    assert.match(again.stderr, /It was read .* s ago: 1 new, 0 changed/);
    assert.doesNotMatch((await run('sources run manuals --json')).stderr, /ago|wait/);
    const shown = await json<Source>('sources show manu');
    assert.deepEqual(
      shown.last_run?.left_out.map(({ reason }) => reason),
      ['noindex', 'sign_in'],
    );
    const batches = await json<{ data: { source: string; status: string }[] }>('batches list');
    assert.deepEqual(
      batches.data.map(({ source, status }) => `${source} ${status}`),
      ['manuals completed'],
    );
    const approve = 'batches approve --all --source manuals';
    assert.match((await run(`${approve} --dry-run`)).stdout, /^\(dry run\) Approved [1-9]/);
    const { approved } = await json<{ approved: number }>(`${approve} --yes`);
    assert.ok(approved > 0);
    assert.match((await run(approve)).stdout, /^Approved 0 entries/);
    assert.equal((await run('batches approve a --all --source manuals')).code, 2);
    const unknown = await run('batches approve --all --source manual');
    assert.equal(unknown.code, 3);
    assert.match(unknown.stderr, /No document has the source manual/);
    const listed = await run('sources list');
    assert.match(listed.stdout, /manuals +review .* completed/);
    const edited = await json<Source>('sources edit manuals --every never --policy publish');
    assert.deepEqual([edited.policy, edited.every_minutes], ['publish', null]);
    assert.equal((await run('sources edit manuals --name other')).code, 4);
    const headers = { 'content-type': 'application/pdf' };
    site.pages['/secret'] = { body: '%PDF-1.4 broken', headers };
    assert.equal((await run('sources run manuals')).code, 5);
    site.pages['/secret'] = { status: 403 };
    assert.equal((await run('sources delete manuals --yes')).code, 0);
    assert.equal((await run('sources show manuals')).code, 3);
  });

  it('reads a folder, whose time has come, in a worker', async () => {
    const folder = join(installation.folder, 'shelf');
    await mkdir(folder);
    await writeFile(join(folder, 'b.pdf'), await sampleManual(1, 'heater'));
    await json('sources create shelf --every 30m --folder', folder);
    const worked = await json<{ attempts: number }>('worker --once');
    assert.ok(worked.attempts >= 1);
    const { last_run: last } = await json<Source>('sources show shelf');
    assert.deepEqual([last?.status, last?.counts.new], ['completed', 1]);
    // The server was faster.
    const late = await run('sources run shelf');
    assert.match(late.stderr, /It was read .* s ago by the server: 1 new/);
  });

  it('makes a source of a website that assistant ingest names', async () => {
    const ingest = (...more: string[]) => run(`ingest ${site.url} --rate 100`, ...more);
    const preview = await ingest('--dry-run');
    assert.match(preview.stdout, /^new .*\/a\.pdf/m);
    assert.equal((await run('sources show 127.0.0.1')).code, 3);
    const wrong = await run('ingest http://127.0.0.1:9/');
    assert.equal(wrong.code, 1);
    assert.equal((await run('sources show 127.0.0.1')).code, 3);
    const first = await ingest('--exclude', '/secret');
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /1 new/);
    assert.match(first.stderr, /assistant sources run 127\.0\.0\.1/);
    const again = await ingest('--approve', '--json');
    const { counts } = JSON.parse(again.stdout) as Run;
    assert.deepEqual([counts.new, counts.unchanged, counts.failed], [0, 1, 0]);
    const { policy } = await json<Source>('sources show 127.0.0.1');
    assert.equal(policy, 'publish');
    // The policy publish takes no page back where none would stay.
    const sentence = /1 document is no longer at the source\. Take its entries back with --prune\./;
    await run('sources edit 127.0.0.1 --policy review');
    delete site.pages['/a.pdf'];
    for (const more of [[], ['--dry-run']]) {
      const gone = await ingest(...more);
      assert.deepEqual([gone.code, sentence.test(gone.stderr)], [0, true], gone.stderr);
      assert.match(gone.stdout, /^gone .*\/a\.pdf/m);
    }
    const later = await ingest('--no-wait');
    assert.match(later.stdout, /A running server reads/);
    for (const wrong of ['./x.pdf', '--force', '--server=https://assistant.example']) {
      assert.equal((await ingest(wrong)).code, 2, wrong);
    }
  });

  it('says what is wrong with a source', async () => {
    const none = await run('sources create x');
    assert.equal(none.code, 2);
    assert.match(none.stderr, /either a website or a folder/);
    const both = await run('sources create x --site https://a.example --folder .');
    assert.equal(both.code, 2);
    const gone = await run('sources create x --folder ./nowhere');
    assert.match(gone.stderr, /there is no folder .*nowhere/);
    assert.equal((await run('sources create x --every 10s --folder .')).code, 2);
    assert.equal((await run('sources edit nobody --every 1h')).code, 3);
  });
});
