import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBackup } from '../../../src/operations/backup/create-backup.js';
import { listBackups } from '../../../src/operations/backup/list-backups.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';

describe('The list of backups', () => {
  let test: TestApp;
  beforeEach(async () => (test = await openTestApp()));
  afterEach(() => test.close());

  it('passes over what is gone and what is no file, and names what can not be read', async () => {
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

  it('is empty where no backup was made yet, and refused for a folder that is none', async () => {
    assert.deepEqual(await listBackups(test.app.config), []);
    assert.deepEqual(await listBackups(test.app.config, test.folder), []);
    const missing = listBackups(test.app.config, join(test.folder, 'nowhere'));
    await assert.rejects(missing, { code: 'not_found', message: /^There is no folder .*nowhere/ });
  });
});
