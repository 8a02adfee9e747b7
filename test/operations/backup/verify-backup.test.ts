import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openApp } from '../../../src/main/open-app.js';
import { createBackup, type Backup } from '../../../src/operations/backup/create-backup.js';
import { unpackBackup } from '../../../src/operations/backup/unpack-backup.js';
import { verifyBackup, type Verification } from '../../../src/operations/backup/verify-backup.js';
import { openSqlite } from '../../../src/platform/db/open-sqlite.js';
import { readQuestions } from '../../../src/evaluation/read-questions.js';
import { craftArchive, type CraftedEntry } from '../../support/archives.js';
import { manual } from '../../support/sample-knowledge.js';
import { storeEntry } from '../../support/stored-entry.js';
import { addOrganization, openTestApp, type TestApp } from '../../support/test-app.js';

describe('Verifying a backup', () => {
  let test: TestApp;
  let backup: Backup;
  let bytes: Buffer;
  /** Its content, from which the tests make other backups. */
  let manifest: string;
  let database: Buffer;

  before(async () => {
    test = await openTestApp();
    const organization = await addOrganization(test);
    for (const entry of manual) await storeEntry(test, organization, entry);
    backup = await createBackup(test.app, { configFile: undefined, file: file('good.tar.gz') });
    bytes = await readFile(backup.file);
    await mkdir(file('unpacked'));
    const unpacked = await unpackBackup(backup.file, file('unpacked'));
    manifest = JSON.stringify(unpacked.manifest);
    database = await readFile(unpacked.database);
    await rm(file('unpacked'), { recursive: true });
    await mkdir(file('scratch'));
  });
  after(() => test.close());

  const file = (name: string) => join(test.folder, name);
  const verify = async (path: string, lines?: object[]): Promise<Verification> => {
    const text = lines?.map((line) => JSON.stringify(line)).join('\n');
    const verified = await verifyBackup(test.app.config, openApp, {
      file: path,
      scratch: file('scratch'),
      questions: text === undefined ? undefined : readQuestions('golden.jsonl', text),
    });
    assert.deepEqual(await readdir(file('scratch')), [], 'nothing is left');
    return verified;
  };
  const verifyBytes = async (content: Buffer): Promise<string[]> => {
    await writeFile(file('other.tar.gz'), content);
    return (await verify(file('other.tar.gz'))).problems;
  };
  const crafted = async (entries: CraftedEntry[], end?: Buffer) =>
    verifyBytes(await craftArchive(entries, end));
  const manifestWith = (change: object): CraftedEntry => {
    const content = JSON.stringify({ ...(JSON.parse(manifest) as object), ...change });
    return { name: 'manifest.json', content };
  };
  const whole = (): CraftedEntry[] => [
    { name: 'manifest.json', content: manifest },
    { name: 'database.sqlite', content: database },
  ];

  it('accepts an intact backup and finds its passages by their words', async () => {
    const verified = await verify(backup.file);
    assert.deepEqual(verified.problems, []);
    assert.equal(verified.sha256, backup.sha256);
    assert.deepEqual(verified.questions, { asked: 4, failed: [] });
    assert.deepEqual(await crafted(whole()), []);
  });

  it('asks the given questions, and reports wrong and missing answers', async () => {
    const good = [
      { question: 'How often is the filter cleaned?', answers: ['30 days'] },
      { question: '¿Cómo cambio la contraseña?', expected_entry: 'Cambiar la contraseña' },
      { question: 'Who painted the ceiling of the chapel?', unanswerable: true },
    ];
    const verified = await verify(backup.file, good);
    assert.deepEqual(verified.questions, { asked: 3, failed: [] });
    const { problems } = await verify(backup.file, [
      { question: 'How often is the filter cleaned?', answers: ['every hour'] },
      { question: 'How often is the filter cleaned?', unanswerable: true },
      { question: 'Who painted the ceiling of the chapel?', answers: ['Mick'] },
    ]);
    assert.deepEqual(problems, [
      'How often is the filter cleaned?: the answer does not hold what is expected',
      'How often is the filter cleaned?: it was answered',
      'Who painted the ceiling of the chapel?: no answer was found',
    ]);
  });

  it('detects a changed byte by the checksum file', async () => {
    const path = file('flipped.tar.gz');
    await writeFile(`${path}.sha256`, `${backup.sha256}  flipped.tar.gz\n`);
    for (const at of [4, 9, 100, Math.floor(bytes.length / 2), bytes.length - 1]) {
      await writeFile(path, flipped(bytes, at));
      const { problems } = await verify(path);
      assert.match(problems.join(), /checksum is not that of flipped\.tar\.gz\.sha256/, `${at}`);
    }
  });

  it('detects a changed byte without a checksum file', async () => {
    // The first ten bytes hold the time and system of packing. The content does not depend on them.
    const step = Math.floor(bytes.length / 25);
    for (let at = 12; at < bytes.length; at += step) {
      const changed = flipped(bytes, at);
      // Nor does it depend on padding bits.
      if (unpacked(changed)?.equals(gunzipSync(bytes)) === true) continue;
      const problems = await verifyBytes(changed);
      assert.match(problems.join(), /is not a complete backup/, `byte ${at} of ${bytes.length}`);
    }
  });

  it('detects a truncated backup, and bytes added at the end', async () => {
    for (const length of [2, 20, 500, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const problems = await verifyBytes(bytes.subarray(0, length));
      assert.match(
        problems.join(),
        /is not a complete backup: it ends too early/,
        `${length} bytes`,
      );
    }
    assert.match((await verifyBytes(Buffer.alloc(0))).join(), /neither an archive nor a database/);
    for (const more of [Buffer.from('more'), gzipSync('more'), Buffer.from([0, 0, 7])]) {
      const problems = await verifyBytes(Buffer.concat([bytes, more]));
      assert.match(
        problems.join(),
        /something stands behind its end|it can't be unpacked|it ends too early/,
      );
    }
  });

  it('refuses a file that is not a backup of the product', async () => {
    assert.match((await verifyBytes(Buffer.from('Dear reader'))).join(), /neither an archive nor/);
    assert.match((await verifyBytes(gzipSync('Dear reader'))).join(), /it ends too early/);
    const letter = gzipSync('Dear reader. '.repeat(100));
    assert.match((await verifyBytes(letter)).join(), /no entry of an archive/);
    const other = await crafted([{ name: 'photo.jpg', content: 'x' }]);
    assert.match(other.join(), /it was not made by assistant backup/);
    const shape = await crafted([{ name: 'manifest.json', content: '{"format":"other"}' }]);
    assert.match(shape.join(), /its manifest is none/);
    const text = await crafted([{ name: 'manifest.json', content: 'hello' }]);
    assert.match(text.join(), /its manifest is none/);
    await assert.rejects(verify(file('nothing.tar.gz')), { code: 'not_found' });
  });

  it('unpacks only the expected file names, so that no file leaves the folder', async () => {
    for (const name of ['../evil', '/tmp/evil', 'database.sqlite/../../evil', 'evil']) {
      const [first, last] = [whole().slice(0, 1), whole().slice(1)];
      const evil = { name, content: 'evil' };
      const inPlace = await crafted([...first, evil, ...last]);
      assert.match(inPlace.join(), /where database\.sqlite should stand is /, name);
      const behind = await crafted([...whole(), evil]);
      assert.match(behind.join(), /which its manifest does not name/, name);
      const files = [{ name, size: 4, sha256: createHash('sha256').update('evil').digest('hex') }];
      const named = await crafted([manifestWith({ files }), evil]);
      assert.match(named.join(), /its manifest is none/, name);
    }
    const names = await readdir(test.folder);
    assert.ok(!names.includes('evil'));
  });

  it('unpacks no links, folders or devices', async () => {
    for (const type of ['link', 'symlink', 'directory', 'character-device'] as const) {
      const problems = await crafted([
        ...whole().slice(0, 1),
        { name: 'database.sqlite', content: '', type },
      ]);
      const called = type.replace('-', ' ');
      assert.match(problems.join(), new RegExp(`"database\\.sqlite" in it is a ${called}`));
    }
  });

  it('refuses a backup that unpacks to more than its manifest says, or that claims an impossible size', async () => {
    const files = (size: number) => [{ name: 'database.sqlite', size, sha256: '0'.repeat(64) }];
    const huge = await crafted([manifestWith({ files: files(1e15) })]);
    assert.match(huge.join(), /it claims to hold more than its size allows/);
    const zeros = Buffer.alloc(8 * 1024 * 1024);
    const longer = await crafted([
      manifestWith({ files: files(1024) }),
      { name: 'database.sqlite', content: zeros },
    ]);
    assert.match(longer.join(), /where database\.sqlite should stand is/);
    assert.match((await crafted(whole(), zeros)).join(), /something stands behind its end/);
    const manifest = { name: 'manifest.json', content: zeros };
    assert.match((await crafted([manifest])).join(), /it was not made by assistant backup/);
  });

  it('compares the database with its manifest', async () => {
    const counts = (JSON.parse(manifest) as { counts: Record<string, number> }).counts;
    const fewer = await crafted([
      manifestWith({ counts: { ...counts, knowledge_entries: 5 } }),
      ...whole().slice(1),
    ]);
    assert.deepEqual(fewer, ['knowledge_entries has 4 rows, where the manifest says 5']);
    const others = await crafted([manifestWith({ migrations: ['0001'] }), ...whole().slice(1)]);
    assert.match(others.join(), /Its migrations are not those/);
    const sums = await crafted([
      ...whole().slice(0, 1),
      { name: 'database.sqlite', content: flipped(database, 5000) },
    ]);
    assert.match(sums.join(), /database\.sqlite in it has changed since it was made/);
  });

  it('does not ask for passages that no search can find: those without words, and those repeated too often', async () => {
    const other = await openTestApp();
    try {
      const organization = await addOrganization(other);
      await storeEntry(other, organization, { title: '***', content: '--- … ---' });
      for (let index = 1; index <= 60; index++) {
        await storeEntry(other, organization, {
          ...{ title: '!'.repeat(index), content: 'Ask the support.' },
        });
      }
      const made = await createBackup(other.app, { configFile: undefined });
      const { problems, questions } = await verify(made.file);
      assert.deepEqual(problems, []);
      assert.equal(questions?.asked, 19);
    } finally {
      await other.close();
    }
  });

  it('detects a damaged database, and stored passages that the search does not find', async () => {
    const path = file('copy.sqlite');
    const damagedBy = async (sql: string) => {
      await writeFile(path, database);
      const db = openSqlite(path, 1, []);
      await db.raw(sql);
      await db.destroy();
      return (await verify(path)).problems.join('\n');
    };
    assert.equal(await damagedBy('select 1'), '');
    const astray = await damagedBy('update passages set entry_id = 999 where id = 1');
    assert.match(astray, /a row of passages refers to none of knowledge_entries/);
    const unindexed = await damagedBy('delete from passage_features where passage_id = 2');
    assert.match(unindexed, /Backups: it is stored, and not found/);
    await writeFile(path, Buffer.concat([database.subarray(0, 8192), Buffer.alloc(20_000)]));
    assert.match((await verify(path)).problems.join(), /The database is damaged/);
    const empty = await damagedBy('drop table schema_migrations');
    assert.match(empty, /It is no database of assistant/);
  });

  it('verifies a backup of an older schema by upgrading a copy', async () => {
    const path = file('older.sqlite');
    await writeFile(path, database);
    const db = openSqlite(path, 1, []);
    // Removes one migration with its table, as in a backup of an earlier version.
    await db.raw("delete from schema_migrations where name = '0029-claim-answers'");
    await db.raw('drop table running_answers');
    await db.destroy();
    const before = await readFile(path);
    assert.deepEqual((await verify(path)).problems, []);
    assert.ok((await readFile(path)).equals(before), 'the file itself is not changed');
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 0x40;
  return changed;
}

/** The content of a compressed file; undefined if it can't be unpacked. */
function unpacked(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes);
  } catch {
    return undefined;
  }
}
