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

describe('assistant ingest, interrupted and repeated', () => {
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

  it('names a file the same in every run, so that a changed one is a new version', async () => {
    for (const folder of ['a', 'b', 'docs', 'docs/old'])
      await mkdir(join(installation.folder, folder));
    await write('a/m.pdf', await sampleManual(2));
    await write('b/m.pdf', await sampleManual(2, 'fan'));
    await write('docs/m.pdf', await sampleManual(2, 'lamp'));
    const names = async (...args: string[]) => {
      await host.run(['ingest', ...args]);
      const { data } = await host.json<{ data: { file_name: string }[] }>([...['batches', 'list']]);
      return data.map((batch) => batch.file_name);
    };
    assert.deepEqual((await names('a', 'b')).sort(), ['a - m.pdf', 'b - m.pdf']);
    await write('a/m.pdf', await sampleManual(3));
    assert.equal((await names('a'))[0], 'a - m.pdf');
    await write('a/m.pdf', await sampleManual(4));
    assert.equal((await names('a/m.pdf'))[0], 'a - m.pdf');
    assert.equal((await names('docs'))[0], 'm.pdf');
    await write('docs/m.pdf', await sampleManual(3, 'lamp'));
    await write('docs/old/m.pdf', await sampleManual(2, 'mill'));
    assert.deepEqual((await names('docs')).slice(0, 2).sort(), ['m.pdf', 'old - m.pdf']);
    await write('docs/m.pdf', await sampleManual(4, 'lamp'));
    await write('docs/old/m.pdf', await sampleManual(3, 'mill'));
    assert.deepEqual((await names('**/*.pdf')).slice(0, 2).sort(), ['m.pdf', 'old - m.pdf']);
  });

  it('can be interrupted and run again without losses or duplicates', async () => {
    const names = ['belt', 'fan', 'lamp', 'pump'];
    for (const name of names) await write(`${name}.pdf`, await sampleManual(20, name));
    const args = ['ingest', '.', '--concurrency', '1'];
    const running = installation.start(args);
    await running.until(/^ingested/m);
    running.child.kill('SIGINT');
    const first = await running.ended;
    assert.equal(first.code, 5, first.stderr);
    assert.match(first.stderr, /4 files, \d ingested \(\d new\), 0 failed, \d interrupted/);
    assert.match(first.stderr, /run the same command again/);
    const { summary, files } = await installation.json<Report>(args);
    assert.equal(summary['failed'], 0);
    assert.equal((summary['ingested'] ?? 0) + (summary['unchanged'] ?? 0), 4);
    assert.deepEqual(
      files.map(({ file, entries }) => [file, entries]).sort(),
      names.map((name) => [`${name}.pdf`, 20]),
    );
    const { pagination } = await installation.json<{ pagination: { total: number } }>([
      ...['knowledge', 'list'],
    ]);
    assert.equal(pagination.total, 80);
  });

  it('ends at once at the second Ctrl-C or a kill, and the next run does only the rest', async () => {
    for (const name of ['belt', 'fan', 'lamp'])
      await write(`${name}.pdf`, await sampleManual(20, name));
    const args = ['ingest', '.', '--concurrency', '1'];
    // The second signal comes before the program has finished after the first.
    const twice = installation.start(args);
    await twice.until(/^ingested/m);
    twice.child.kill('SIGINT');
    await twice.until(/./, 'stderr').catch(() => undefined);
    twice.child.kill('SIGINT');
    const { code, signal } = await twice.ended;
    assert.ok(signal === 'SIGINT' || code === 5, `${String(code)} ${String(signal)}`);
    const killed = installation.start(args);
    await killed.until(/^(ingested|unchanged)/m);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const { summary, files } = await host.json<Report>(args);
    assert.deepEqual([summary['failed'], summary['interrupted']], [0, 0]);
    assert.ok((summary['unchanged'] ?? 0) >= 1, 'finished files are not ingested again');
    assert.ok(files.every(({ entries }) => entries === 20));
    const { pagination } = await host.json<{ pagination: { total: number } }>([
      'knowledge',
      'list',
    ]);
    assert.equal(pagination.total, 60);
  });
});
