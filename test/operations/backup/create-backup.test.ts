import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkSpace } from '../../../src/operations/backup/scratch-space.js';
import { createBackup } from '../../../src/operations/backup/create-backup.js';
import { unpackBackup } from '../../../src/operations/backup/unpack-backup.js';
import { openSqlite } from '../../../src/platform/db/open-sqlite.js';
import { sqliteFiles } from '../../../src/platform/db/sqlite-dialect.js';
import { thisProcess } from '../../../src/platform/process-name.js';
import { nameOfEndedProcess } from '../../support/ended-process.js';
import { onSqlite, openTestApp, type TestApp } from '../../support/test-app.js';

const secrets = `
mail:
  host: mail.acme.example
  # password: an-old-password
  password: hunter2-hunter2
metrics:
  token: a-token-of-sixteen-and-more
ollama:
  url: http://ada:lovelace@models.acme.example:11434
`;

describe('A backup', () => {
  let test: TestApp;
  const folders = { count: 0 };
  beforeEach(async () => (test = await openTestApp()));
  afterEach(() => test.close());

  const file = (name: string) => join(test.folder, name);
  const input = { configFile: undefined };
  const unpack = async (backup: string) => {
    const folder = file(`unpacked-${folders.count++}`);
    await mkdir(folder);
    return unpackBackup(backup, folder);
  };

  it('is readable only by its owner, and has a checksum file beside it', async () => {
    const made = await createBackup(test.app, input);
    const folder = file('backups');
    const [name = '', sum = '', ...more] = (await readdir(folder)).sort();
    assert.deepEqual(more, []);
    assert.match(name, /^assistant-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.tar\.gz$/);
    assert.equal(made.file, join(folder, name));
    assert.equal(await readFile(join(folder, sum), 'utf8'), `${made.sha256}  ${name}\n`);
    for (const one of [folder, ...[name, sum].map((inside) => join(folder, inside))]) {
      assert.equal((await stat(one)).mode & 0o077, 0, one);
    }
    const { database } = await unpack(made.file);
    assert.equal((await stat(database)).mode & 0o077, 0);
  });

  it('contains the configuration without its secrets, even in comments, unless they are requested', async () => {
    const configFile = file('config.yaml');
    await writeFile(configFile, secrets);
    const made = await createBackup(test.app, { configFile });
    assert.deepEqual(made.manifest.configuration.left_out, [
      ...['mail.password', 'metrics.token', 'ollama.url'],
    ]);
    const { configuration = '' } = await unpack(made.file);
    assert.match(configuration, /host: mail\.acme\.example/);
    assert.match(configuration, /url: http:\/\/models\.acme\.example:11434/);
    assert.doesNotMatch(configuration, /hunter2|old-password|sixteen|lovelace/);
    const whole = await createBackup(test.app, { configFile, withSecrets: true });
    assert.equal((await unpack(whole.file)).configuration, secrets);
  });

  onSqlite(it)(
    'says that an empty database has nothing to copy, and how to set it up',
    async () => {
      const { config, clock } = test.app;
      const path = file('empty.sqlite');
      await writeFile(path, '');
      const app = { clock, config: { ...config, database: { ...config.database, path } } };
      const backup = file('nothing.tar.gz');
      await assert.rejects(createBackup(app, { ...input, file: backup }), {
        code: 'not_found',
        message: 'The database holds no installation. Set one up with: assistant init',
      });
      assert.equal((await readdir(test.folder)).includes('nothing.tar.gz'), false);
    },
  );

  it('does not overwrite an existing file', async () => {
    await writeFile(file('letter.txt'), 'Dear reader');
    await assert.rejects(createBackup(test.app, { ...input, file: file('letter.txt') }), {
      code: 'conflict',
      message: /letter\.txt already/,
    });
    assert.equal(await readFile(file('letter.txt'), 'utf8'), 'Dear reader');
  });

  it('is created once if several use one file name at the same time, and the others are refused', async () => {
    for (let round = 0; round < 5; round++) {
      const name = file(`same-${round}.tar.gz`);
      const made = await Promise.allSettled(
        [1, 2, 3].map(() => createBackup(test.app, { ...input, file: name })),
      );
      const codes = made.map((one) =>
        one.status === 'fulfilled' ? 'made' : (one.reason as { code?: string }).code,
      );
      assert.deepEqual(codes.sort(), ['conflict', 'conflict', 'made']);
      const { manifest } = await unpack(name);
      assert.equal(manifest?.format, 'assistant-backup');
      assert.match(await readFile(`${name}.sha256`, 'utf8'), /^[0-9a-f]{64} /);
    }
  });

  it('is refused with a clear message if its folder does not exist', async () => {
    await assert.rejects(createBackup(test.app, { ...input, file: file('nowhere/one.tar.gz') }), {
      code: 'not_found',
      message: /^There is no folder .*nowhere/,
    });
  });

  onSqlite(it)('leaves no files if it is stopped, at any step', async () => {
    const before = await readdir(test.folder);
    // Large enough to be read in several parts, so that there is a middle.
    await fill(test, 8);
    for (const step of ['at once', 'copying', 'packing']) {
      const stop = new AbortController();
      const reason = new Error('Ctrl-C');
      if (step === 'at once') stop.abort(reason);
      const making = createBackup(test.app, {
        ...{ ...input, signal: stop.signal, file: file('stopped.tar.gz') },
        copyTo: async (from, to, signal) => {
          const copying = sqliteFiles.copyTo(from, to, signal);
          if (step === 'copying') stop.abort(reason);
          await copying;
        },
        onProgress: (at) => at === step && stop.abort(reason),
      });
      await assert.rejects(making, reason, step);
      assert.deepEqual(await readdir(test.folder), before, step);
    }
  });

  it('removes the remains of a killed backup, but not the files of a running one', async () => {
    const left = [await nameOfEndedProcess(), thisProcess].map(
      (name) => `.assistant-backup.${name}.x`,
    );
    for (const name of left) await mkdir(file(name));
    await createBackup(test.app, { ...input, file: file('one.tar.gz') });
    const found = (await readdir(test.folder)).filter((name) => name.startsWith('.assistant'));
    assert.deepEqual(found, left.slice(1));
  });

  it('has a check for free disk space, which names the space needed', async () => {
    await checkSpace(test.folder, 1, 'It');
    await assert.rejects(checkSpace(test.folder, 1e18, 'It'), {
      code: 'no_space',
      message: /^It needs .* GB in .* are free/,
    });
  });

  onSqlite(it)('does not contain deleted data', async () => {
    await fill(test, 1);
    await test.app.db.write.raw('drop table filler');
    const { database } = await unpack((await createBackup(test.app, input)).file);
    assert.ok(!(await readFile(database)).includes('filler text'));
  });
});

/** Adds a table of this many megabytes. */
async function fill({ app }: TestApp, megabytes: number): Promise<void> {
  const db = openSqlite(app.config.database.path, 1, ['pragma busy_timeout = 5000']);
  try {
    await db.raw('create table filler (id integer primary key, text text)');
    await db.raw(
      `insert into filler (text) with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       select 'filler text ' || hex(randomblob(2000)) from n`,
      [megabytes * 256],
    );
  } finally {
    await db.destroy();
  }
}
