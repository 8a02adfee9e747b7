import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  makeInitialized,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

interface Report {
  files: {
    file: string;
    outcome: string;
    batch_id: string | null;
    entries: number;
    approved: number;
    error: { code: string } | null;
  }[];
  summary: Record<string, number>;
}

describe('assistant ingest, with its options', () => {
  let installation: TestInstallation;
  let host: Host;
  beforeEach(async () => {
    installation = await makeInitialized();
    host = startHost(installation);
  });
  afterEach(async () => {
    await host.stop();
    await installation.remove();
  });

  const write = (name: string, bytes: Uint8Array | string) =>
    writeFile(join(installation.folder, name), bytes);

  it('only stores the files with --no-wait, and a worker does the rest', async () => {
    await write('good.pdf', await sampleManual(2));
    const stored = ['ingest', 'good.pdf', '--no-wait'];
    const { files } = await host.json<Report>(stored);
    assert.equal(files[0]?.outcome, 'accepted');
    assert.match(
      (await host.run([...stored, '--approve'])).stderr,
      /only accepted are not approved/,
    );
    const id = files[0].batch_id ?? '';
    assert.equal((await host.run(['worker', '--once'])).code, 0);
    const batch = await host.json<{ status: string; entries: { id: number }[] }>([
      'batches',
      'show',
      id,
    ]);
    assert.equal(batch.status, 'completed');
    const one = String(batch.entries[0]?.id);
    assert.deepEqual(await host.json(['batches', 'approve', id, one]), {
      success: true,
      approved: 1,
    });
    assert.equal((await host.run(['batches', 'approve', id, '999999'])).code, 4);
    assert.equal((await host.run(['batches', 'approve', id])).code, 2);
    assert.equal((await host.run(['batches', 'retry', id])).code, 4);
    assert.deepEqual(await host.json(['batches', 'delete', id, '--yes']), {
      success: true,
      deleted: 1,
    });
  });

  it('refuses a file over the configured limit, and ingests the others', async () => {
    await write('large.pdf', Buffer.alloc(1024 * 1024 + 1, '%PDF-'));
    await write('small.pdf', await sampleManual(1));
    const { code, stdout, stderr } = await host.run(['ingest', '.'], {
      ASSISTANT_INGESTION_MAX_FILE_MB: '1',
    });
    assert.equal(code, 5, stderr);
    assert.match(stdout, /^failed {5}large\.pdf: file_too_large: .*1 MB/m);
    assert.match(stdout, /^ingested {3}small\.pdf/m);
    assert.match(stderr, /2 files, 1 ingested \(1 new\), 1 failed \(1 file_too_large\)/);
  });

  it('refuses an invalid target before reading a file, and warns of an unclaimed domain', async () => {
    await write('good.pdf', await sampleManual(1));
    const targets: [string[], number, RegExp][] = [
      [['--app', '99'], 3, /no app 99/],
      [['--domain', 'other.example'], 4, /No app claims the domain other\.example/],
      [['--domain', 'https://other.example'], 2, /must be a host name/],
    ];
    for (const [target, expected, message] of targets) {
      const { code, stdout, stderr } = await host.run(['ingest', 'good.pdf', ...target]);
      assert.deepEqual([code, stdout], [expected, ''], target.join(' '));
      assert.match(stderr, message);
    }
    const waiting = ['ingest', 'good.pdf', '--app', '1', '--domain', 'other.example', '--approve'];
    const { code, stderr } = await host.run(waiting);
    assert.equal(code, 0);
    assert.match(stderr, /No app claims other\.example yet: its entries stay hidden/);
    const { found } = await host.json<{ found: boolean }>(['ask', 'setting S1x3']);
    assert.equal(found, false);
  });

  it('reports in a rehearsal which files it would ingest, with patterns applied', async () => {
    await mkdir(join(installation.folder, 'docs', 'old'), { recursive: true });
    await write('docs/a.pdf', await sampleManual(1));
    await write('docs/draft-b.pdf', await sampleManual(1, 'fan'));
    await write('docs/old/c.pdf', await sampleManual(1, 'lamp'));
    const args = ['ingest', 'docs', '--exclude', 'draft-*', '--exclude', 'old'];
    const planned = await host.run([...args, '--dry-run']);
    assert.deepEqual([planned.code, planned.stdout], [0, 'new        docs/a.pdf\n']);
    assert.match(
      planned.stderr,
      /leave out 2 documents[^]*1 to ingest \(1 new\)[^]*Nothing was changed/,
    );
    const { summary } = await host.json<Report>([...args, '--dry-run']);
    assert.deepEqual([summary['new'], summary['unchanged']], [1, 0]);
    await host.run(args);
    assert.match(
      (await host.run([...args, '--dry-run'])).stdout,
      /^unchanged {2}docs\/a\.pdf, batch/,
    );
    assert.match(
      (await host.run(['ingest', 'docs', '--include', 'x'])).stderr,
      /leave out all of the 3/,
    );
  });
});
