import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBackup } from '../../src/operations/backup/create-backup.js';
import { examineFolder, rightsRemedy } from '../../src/operations/examine-files.js';
import { fileTrouble } from '../../src/platform/cli/file-trouble.js';
import { changeSetting } from '../../src/platform/config/change-setting.js';
import { openDatabase } from '../../src/platform/db/open-database.js';
import { restoreBackup } from '../../src/operations/backup/restore-backup.js';
import { describeAsRoot } from '../support/as-root.js';
import { program } from '../support/run-cli.js';
import { onSqlite, openTestApp, serveTestApp, type TestApp } from '../support/test-app.js';

onSqlite(describeAsRoot)('A database disk', import.meta.url, () => {
  let test: TestApp;
  let disk: string;
  let isMounted = false;
  const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'pipe' });
  const config = () => ({
    ...test.app.config,
    database: { ...test.app.config.database, path: join(disk, 'data', 'assistant.sqlite') },
  });

  beforeEach(async () => {
    test = await openTestApp();
    disk = join(test.folder, 'disk');
    await mkdir(disk);
    isMounted = false;
    mount('-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk);
    isMounted = true;
    await mkdir(join(disk, 'data'));
    await writeFile(join(disk, 'config.yaml'), 'server:\n  port: 8080\n');
    const copy = join(test.folder, 'copy.sqlite');
    await test.app.db.write.raw(`vacuum into '${copy}'`);
    await copyFile(copy, config().database.path);
  });
  afterEach(async () => {
    if (isMounted) execFileSync('umount', ['--lazy', disk]);
    await test.close();
  });

  it('that is full is reported when the database is opened, and works again once space is free', async () => {
    // SQLite needs room beside a database with a log, even to read it.
    await (await openDatabase(config().database)).close();
    const rest = join(disk, 'rest');
    await assert.rejects(writeFile(rest, Buffer.alloc(8 * 1024 ** 2)), { code: 'ENOSPC' });
    await assert.rejects(openDatabase(config().database), {
      code: 'no_space',
      message: /^The disk of the database is full\./,
    });
    await assert.rejects(
      createBackup({ ...test.app, config: config() }, { file: test.folder, configFile: undefined }),
      { code: 'no_space', message: /^The disk of the database is full\./ },
    );
    await assert.rejects(changeSetting(join(disk, 'config.yaml'), 'server.port', '8081'), {
      message: /Nothing was changed\. Free some space\.$/,
    });
    await rm(rest);
    await (await openDatabase(config().database)).close();
  });

  it('that is full makes a server not ready, before it has stored anything in vain', async () => {
    const served = await serveTestApp({ database: { path: config().database.path } });
    const ready = async () => {
      const response = await fetch(`${served.url}/health/ready`);
      const { checks } = (await response.json()) as { checks: { database: string } };
      return [response.status, checks.database];
    };
    try {
      const rest = join(disk, 'rest');
      await assert.rejects(writeFile(rest, Buffer.alloc(8 * 1024 ** 2)), { code: 'ENOSPC' });
      assert.deepEqual(await ready(), [503, 'its disk is full']);
      await rm(rest);
      assert.deepEqual(await ready(), [200, 'ok']);
    } finally {
      await served.close();
    }
  });

  it('that is full keeps no part of a configuration that a restore could not write', async () => {
    const folder = join(disk, 'new');
    await mkdir(folder);
    const configFile = join(test.folder, 'config.yaml');
    await writeFile(configFile, `server:\n  port: 8080\n# ${'a comment '.repeat(900)}\n`);
    const { file } = await createBackup(test.app, { configFile });
    await assert.rejects(writeFile(join(disk, 'rest'), Buffer.alloc(8 * 1024 ** 2)), {
      code: 'ENOSPC',
    });
    const elsewhere = join(test.folder, 'elsewhere.sqlite');
    const settings = { ...test.app.config.database, path: elsewhere };
    await assert.rejects(
      restoreBackup(
        { config: { ...test.app.config, database: settings }, clock: test.app.clock },
        { file, configFile: undefined, configTarget: join(folder, 'config.yaml') },
      ),
      { code: 'ENOSPC' },
    );
    assert.equal(existsSync(elsewhere), false);
    const env = { ...process.env, ASSISTANT_DATABASE_PATH: elsewhere };
    const args = [program, 'restore', file, '--yes'];
    const { status } = spawnSync(process.execPath, args, { cwd: folder, env });
    assert.equal(status, 4);
    assert.deepEqual(await readdir(folder), []);
  });

  it('that is read-only is reported as the reason, without a command for file permissions', async () => {
    mount('-o', 'remount,ro', disk);
    const [folder] = await examineFolder(config());
    assert.match(folder?.remedy ?? '', /^Its file system is read-only\./);
    const { remedy } = await rightsRemedy(join(disk, 'data'), config().database.path);
    assert.equal(remedy, folder?.remedy);
    await assert.rejects(
      createBackup({ ...test.app, config: config() }, { configFile: undefined }),
      (error) => {
        assert.match(fileTrouble(error)?.message ?? '', /read-only file system/);
        return true;
      },
    );
  });
});
