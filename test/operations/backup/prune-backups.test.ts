import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBackup } from '../../../src/operations/backup/create-backup.js';
import { pruneBackups } from '../../../src/operations/backup/prune-backups.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { createTestClock } from '../../support/test-clock.js';

describe('Keeping only the newest backups', () => {
  let test: TestApp;
  let folder: string;
  const clock = createTestClock();
  beforeEach(async () => {
    test = await openTestApp();
    folder = join(test.folder, 'kept');
    await mkdir(folder);
  });
  afterEach(() => test.close());

  const back = async (name: string, { app }: TestApp = test) => {
    clock.advance(1000);
    const file = join(folder, name);
    return createBackup({ config: app.config, clock }, { file, configFile: undefined });
  };
  const archives = async () =>
    (await readdir(folder)).filter((name) => name.endsWith('.gz')).sort();

  it('removes the older ones with their checksum files, and names them', async () => {
    for (const name of ['a.tar.gz', 'b.tar.gz', 'c.tar.gz']) await back(name);
    const made = await back('d.tar.gz');
    const { removed, failed } = await pruneBackups(test.app.config, made, { keep: 2 });
    assert.deepEqual(removed, [join(folder, 'b.tar.gz'), join(folder, 'a.tar.gz')]);
    assert.deepEqual(failed, []);
    assert.deepEqual((await readdir(folder)).sort(), [
      'c.tar.gz',
      'c.tar.gz.sha256',
      'd.tar.gz',
      'd.tar.gz.sha256',
    ]);
    const again = await pruneBackups(test.app.config, made, { keep: 2 });
    assert.deepEqual(again.removed, []);
  });

  it('neither removes nor counts a file that is not an intact backup of this database', async () => {
    await back('good.tar.gz');
    await back('damaged.tar.gz');
    await appendFile(join(folder, 'damaged.tar.gz'), 'x');
    await back('bare.tar.gz');
    await rm(join(folder, 'bare.tar.gz.sha256'));
    await writeFile(join(folder, 'holidays.tar.gz'), 'pictures');
    await writeFile(join(folder, 'notes.txt'), 'mine');
    const other = await openTestApp();
    try {
      await back('other.tar.gz', other);
    } finally {
      await other.close();
    }
    const made = await back('new.tar.gz');
    const two = await pruneBackups(test.app.config, made, { keep: 2 });
    assert.deepEqual(two.removed, [], 'the good one is the second');
    const one = await pruneBackups(test.app.config, made, { keep: 1 });
    assert.deepEqual(one.removed, [join(folder, 'good.tar.gz')]);
    assert.deepEqual(await archives(), [
      ...['bare.tar.gz', 'damaged.tar.gz', 'holidays.tar.gz', 'new.tar.gz', 'other.tar.gz'],
    ]);
  });

  it('never removes the backup just created, or one with a later date', async () => {
    const late = await back('late.tar.gz');
    clock.advance(-3_600_000);
    const made = await back('made.tar.gz');
    const { removed } = await pruneBackups(test.app.config, made, { keep: 1 });
    assert.deepEqual(removed, []);
    assert.ok(late.manifest.created_at > made.manifest.created_at);
  });

  it('stops at Ctrl-C, and reports what it did not remove', async () => {
    await back('a.tar.gz');
    const made = await back('b.tar.gz');
    const signal = AbortSignal.abort(new Error('Interrupted.'));
    const { removed, failed } = await pruneBackups(test.app.config, made, { keep: 1, signal });
    assert.deepEqual(removed, []);
    assert.deepEqual(
      failed.map(({ file }) => file),
      [join(folder, 'a.tar.gz')],
    );
    assert.deepEqual(await archives(), ['a.tar.gz', 'b.tar.gz']);
  });
});
