import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeInitialized, type TestInstallation } from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

interface Report {
  files: { name: string; outcome: string; standing: string; entries: number; approved: number }[];
  summary: Record<string, number>;
}

const files = 12;

describe('Two simultaneous runs of assistant ingest over one folder', () => {
  let installation: TestInstallation;
  beforeEach(async () => {
    installation = await makeInitialized();
    await mkdir(join(installation.folder, 'docs'));
  });
  afterEach(() => installation.remove());

  const write = async (chapters: number) => {
    for (let index = 0; index < files; index++) {
      const bytes = await sampleManual(chapters, `subject${index}`);
      await writeFile(join(installation.folder, 'docs', `${index}.pdf`), bytes);
    }
  };
  /** Starts both runs, and counts how often they report each file as `standing`. */
  const runBoth = async (standing: string, args: string[] = []) => {
    const started = [0, 1].map(() => {
      return installation.start(['ingest', 'docs', '--approve', '--json', ...args]);
    });
    const ended = await Promise.all(started.map(({ ended }) => ended));
    const reports = ended.map(({ stdout }) => JSON.parse(stdout) as Report);
    const named = reports.flatMap((report) => report.files);
    const times = Array.from({ length: files }, (_, index) => {
      const own = named.filter(({ name }) => name === `${index}.pdf`);
      return own.filter((file) => file.standing === standing && file.outcome === 'ingested').length;
    });
    const codes = ended.map(({ code }) => code);
    return { codes, times, named, reports, stderr: ended.map(({ stderr }) => stderr).join('') };
  };

  it('report each file as new or changed exactly once, and ingest nothing twice', async () => {
    const once = Array.from({ length: files }, () => 1);
    for (const [standing, chapters] of [['new', 2] as const, ['changed', 3] as const]) {
      await write(chapters);
      const { codes, times, named, reports, stderr } = await runBoth(standing);
      assert.deepEqual(codes, [0, 0], stderr);
      assert.deepEqual(times, once);
      assert.equal(named.filter(({ outcome }) => outcome === 'unchanged').length, files);
      const counted = reports.map(({ summary }) => summary[standing] ?? 0);
      assert.equal(
        counted.reduce((sum, count) => sum + count, 0),
        files,
      );
      assert.ok(
        named.every(({ entries }) => entries === (standing === 'new' ? 2 : entries)),
        'both runs wait for the entries',
      );
    }
    const list = ['batches', 'list', '--limit', '100'];
    const { data } = await installation.json<{ data: { draft_entries: number }[] }>(list);
    assert.equal(data.length, files * 2);
    assert.ok(data.every(({ draft_entries: drafts }) => drafts === 0));
    const { pagination } = await installation.json<{ pagination: { total: number } }>([
      ...['knowledge', 'list'],
    ]);
    assert.equal(pagination.total, files * 3);
  });

  it('prune each document once, and both exit with 0', async () => {
    await write(1);
    await installation.run(['ingest', 'docs', '--source', 'handbook', '--approve']);
    const kept = join(installation.folder, 'kept');
    await mkdir(kept);
    await writeFile(join(kept, '0.pdf'), await sampleManual(1, 'subject0'));
    const args = ['ingest', 'kept', '--source', 'handbook', '--prune-all', '--yes', '--json'];
    const ended = await Promise.all([0, 1].map(() => installation.run(args)));
    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 0],
      ended.map(({ stderr }) => stderr).join(''),
    );
    const pruned = ended.map(({ stdout }) => (JSON.parse(stdout) as Report).summary['pruned'] ?? 0);
    assert.equal(
      pruned.reduce((sum, count) => sum + count, 0),
      files - 1,
    );
  });
});
