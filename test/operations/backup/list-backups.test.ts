import assert from 'node:assert/strict';
import { chown, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createBackup } from '../../../src/operations/backup/create-backup.js';
import { listBackups } from '../../../src/operations/backup/list-backups.js';
import { describeAsRoot } from '../../support/as-root.js';
import { onSqlite, openTestApp, type TestApp } from '../../support/test-app.js';

describe('The list of backups', () => {
  let test: TestApp;
  beforeEach(async () => (test = await openTestApp()));
  afterEach(() => test.close());

  it('skips broken links and folders, and reports archives that can’t be read', async () => {
    const { file } = await createBackup(test.app, { configFile: undefined });
    const folder = join(file, '..');
    await symlink(join(folder, 'cleared-away'), join(folder, 'link.tar.gz'));
    await mkdir(join(folder, 'folder.tar.gz'));
    await writeFile(join(folder, 'torn.tar.gz'), 'torn');
    const listed = await listBackups(test.app.config);
    assert.deepEqual(
      listed.map((one) => [one.file, one.problem === undefined]).sort(),
      [
        [file, true],
        [join(folder, 'torn.tar.gz'), false],
      ].sort(),
    );
  });

  onSqlite(describeAsRoot)('if root works for the user of a service', import.meta.url, () => {
    /** A user of the machine who owns nothing yet. */
    const service = 12_345;
    beforeEach(async () => {
      await chown(test.folder, service, service);
      await chown(test.app.config.database.path, service, service);
    });

    it('gives a new backup and its folder to the owner of the database', async () => {
      const { file } = await createBackup(test.app, { configFile: undefined });
      const made = [file, `${file}.sha256`, dirname(file)];
      const record = `${test.app.config.database.path}.last-backup`;
      for (const path of [...made, record]) assert.equal((await stat(path)).uid, service, path);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
    });

    it('leaves a backup to root in a folder that the owner of the database does not own', async () => {
      const folder = join(test.folder, 'elsewhere');
      await mkdir(folder);
      const { file } = await createBackup(test.app, { configFile: undefined, file: folder });
      assert.equal((await stat(file)).uid, 0);
    });

    it('reports a backup that the user may not read as unreadable, not as damaged', async () => {
      const { file } = await createBackup(test.app, { configFile: undefined });
      await chown(file, 0, 0);
      process.seteuid?.(service);
      try {
        const [listed] = await listBackups(test.app.config);
        assert.equal(listed?.problem?.kind, 'no rights');
        assert.match(listed.problem.message, /may not read .* as root/);
      } finally {
        process.seteuid?.(0);
      }
    });
  });

  it('is empty before the first backup, and is refused for a folder that does not exist', async () => {
    assert.deepEqual(await listBackups(test.app.config), []);
    assert.deepEqual(await listBackups(test.app.config, test.folder), []);
    const missing = listBackups(test.app.config, join(test.folder, 'nowhere'));
    await assert.rejects(missing, { code: 'not_found', message: /^There is no folder .*nowhere/ });
  });
});
