import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Knex } from 'knex';
import { openApp } from '../../../src/main/open-app.js';
import { configSchema, type Config } from '../../../src/platform/config/schema.js';
import { systemClock } from '../../../src/platform/clock.js';
import type { Database } from '../../../src/platform/db/database.js';
import { migrate, pendingMigrations } from '../../../src/platform/db/migrate.js';
import { migrations, type Migration } from '../../../src/platform/db/migrations.js';
import { openDatabase } from '../../../src/platform/db/open-database.js';
import { sqliteDialect, sqliteFiles } from '../../../src/platform/db/sqlite-dialect.js';
import { createLog } from '../../../src/platform/log.js';
import { bringIndexUpToDate } from '../../../src/search/term-index/bring-index-up-to-date.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

const all = migrations(sqliteDialect);
const names = all.map(({ name }) => name);
const last = names.at(-1) ?? '';

describe('Migrating a database', () => {
  let folder: { path: string; remove(): Promise<void> };
  let config: Config;
  const opened: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    folder = await makeTemporaryFolder();
    config = configSchema.parse({
      database: { path: join(folder.path, 'new', 'db.sqlite') },
      log: { level: 'silent' },
    });
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await folder.remove();
  });

  const open = async (): Promise<Database> => {
    const db = await openDatabase(config.database);
    opened.push(db);
    return db;
  };
  const upToDate = (db: Database) => migrate({ db, clock: systemClock }, config.database.path);
  const backups = async () =>
    (await readdir(dirname(config.database.path))).filter((file) => /before-migr/.test(file));

  /** A database of the version before a migration (default: the last one), with an organization. */
  async function openOlder(before = last): Promise<Database> {
    const db = await open();
    const migrationSource: Knex.MigrationSource<Migration> = {
      getMigrations: () => Promise.resolve(all.slice(0, names.indexOf(before))),
      getMigrationName: ({ name }) => name,
      getMigration: (migration) =>
        Promise.resolve({ up: (trx) => migration.up(trx), down: () => Promise.resolve() }),
    };
    await db.write.migrate.latest({ tableName: 'schema_migrations', migrationSource });
    await addOrganizationRow(db, 'acme');
    return db;
  }

  async function addOrganizationRow(db: Database, slug: string): Promise<void> {
    const now = '2026-01-01T00:00:00.000Z';
    await db.write('organizations').insert({ name: slug, slug, created_at: now, updated_at: now });
  }

  it('sets the source document of entries that were ingested before documents had versions', async () => {
    const db = await openOlder('0013-follow-documents');
    const at = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' };
    await db.write('apps').insert({ id: 7, organization_id: 1, name: 'Shop', ...at });
    for (const [id, domain] of [
      ['a', null],
      ['b', 'docs.acme.example'],
    ]) {
      await db.write('ingestion_batches').insert({
        ...{ id, domain, organization_id: 1, app_id: 7, file_name: 'm.pdf', file_sha256: id },
        ...{ file_size: 1, status: 'completed', created_by: 'operator', ...at },
      });
      await db.write('knowledge_entries').insert({
        ...{ uuid: id, batch_id: id, organization_id: 1, app_id: 7, scope: 'app_global', domain },
        ...{ title: 'T', content: 'C', language: 'en', changed_by: 'operator', ...at },
        ...{ status: id === 'a' ? 'published' : 'draft', visibility: 'public' },
        visibility_defaulted: true,
      });
    }
    await upToDate(db);
    const entries: unknown[] = await db
      .read('knowledge_entries')
      .select('source_document', 'was_published', 'replaces_id');
    assert.deepEqual(entries, [
      { source_document: 'app:7/m.pdf', was_published: 1, replaces_id: null },
      { source_document: 'domain:docs.acme.example/m.pdf', was_published: 0, replaces_id: null },
    ]);
    assert.equal(await db.dialect.checkIntegrity(db.read), 'ok');
  });

  it('stores which entries older answers cite, with the organization of the conversation', async () => {
    const db = await openOlder('0054-trace-answers');
    await addOrganizationRow(db, 'globex');
    const at = { created_at: '2026-01-01T00:00:00.000Z' };
    for (const [id, organization_id] of [
      ['a', 1],
      ['b', 2],
    ]) {
      const updated_at = at.created_at;
      await db.write('conversations').insert({
        ...{ id, organization_id, channel: 'api', title: 'How?', ...at, updated_at },
      });
    }
    const sources = (...uuids: (string | undefined)[]) =>
      JSON.stringify(uuids.map((entryUuid, index) => ({ number: index + 1, entryUuid })));
    for (const [id, conversation_id, cited] of [
      [1, 'a', sources()],
      [2, 'a', sources('x', 'y', 'x')],
      [3, 'b', sources('x', undefined)],
    ]) {
      await db.write('messages').insert({
        ...{ id, conversation_id, role: 'assistant', content: 'So.', status: 'complete', ...at },
        ...{ language: 'en', sources: cited },
      });
    }
    await upToDate(db);
    const citations: unknown[] = await db
      .read('message_citations')
      .orderBy(['message_id', 'entry_uuid'])
      .select('*');
    assert.deepEqual(citations, [
      { organization_id: 1, entry_uuid: 'x', message_id: 2 },
      { organization_id: 1, entry_uuid: 'y', message_id: 2 },
      { organization_id: 2, entry_uuid: 'x', message_id: 3 },
    ]);
    const times: unknown[] = await db
      .read('messages')
      .distinct('first_word_ms', 'total_ms', 'model');
    assert.deepEqual(times, [{ first_word_ms: null, total_ms: null, model: null }]);
    assert.equal(await db.dialect.checkIntegrity(db.read), 'ok');
  });

  it('marks older entries that a person edited, and older batches that a newer batch replaced', async () => {
    const db = await openOlder('0014-follow-edits');
    const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
    const times = { created_at: at(1), updated_at: at(1) };
    await db.write('apps').insert({ id: 7, organization_id: 1, name: 'Shop', ...times });
    for (const [index, id] of ['a', 'b'].entries()) {
      await db.write('ingestion_batches').insert({
        ...{ id, organization_id: 1, app_id: 7, file_name: 'm.pdf', file_sha256: id },
        ...{ file_size: 1, status: 'completed', created_by: 'operator', document: 'app:7/m.pdf' },
        ...{ created_at: at(index + 1), updated_at: at(index + 1) },
      });
    }
    for (const [index, first] of ['C', 'As it was read', null].entries()) {
      const id = index + 1;
      await db.write('knowledge_entries').insert({
        ...{ id, uuid: String(id), batch_id: 'a', organization_id: 1, app_id: 7 },
        ...{ scope: 'app_global', title: 'T', content: 'C', language: 'en', status: 'draft' },
        ...{ visibility: 'public', visibility_defaulted: true, changed_by: 'operator', ...times },
        source_document: 'app:7/m.pdf',
      });
      if (first === null) continue;
      await db.write('knowledge_entry_versions').insert({
        ...{ entry_id: id, version: 1, fields: JSON.stringify({ title: 'T', content: first }) },
        ...{ changed_by: 'operator', changed_at: at(1) },
      });
    }
    await upToDate(db);
    const edited: unknown[] = await db.read('knowledge_entries').orderBy('id').pluck('edited');
    assert.deepEqual(edited, [0, 1, 0]);
    const batches = db.read('ingestion_batches').orderBy('id').pluck('superseded_by');
    assert.deepEqual(await batches, ['b', null]);
  });

  it('sets the app of older notifications, and marks older answers of a model to staff as internal', async () => {
    const db = await openOlder('0031-follow-links');
    const now = '2026-01-01T00:00:00.000Z';
    const times = { created_at: now, updated_at: now };
    const own = { organization_id: 1 };
    await db.write('apps').insert({ id: 7, ...own, name: 'Shop', ...times });
    for (const [index, role] of ['user', 'backoffice'].entries()) {
      const id = index + 1;
      const name = { email: role, email_key: role, display_name: role };
      await db.write('users').insert({ id, ...own, ...name, role, disabled: false, ...times });
      const conversation = { id: role, ...own, user_id: id, channel: 'api', title: 'T', ...times };
      await db.write('conversations').insert(conversation);
      for (const mode of ['ollama', 'extractive', null]) {
        await db.write('messages').insert({
          ...{ conversation_id: role, role: mode === null ? 'user' : 'assistant', content: 'C' },
          ...{ status: 'complete', language: 'en', mode, created_at: now },
        });
      }
    }
    for (const [id, appId] of [
      [1, null],
      [2, 7],
    ]) {
      const request = { id, ...own, app_id: appId, status: 'resolved', question: 'Q', ...times };
      await db.write('knowledge_requests').insert(request);
      await db.write('notifications').insert({
        ...{ ...own, kind: 'request_resolved', dedupe_key: `request:${id}`, created_at: now },
        payload: JSON.stringify({ requestId: id }),
      });
    }
    await upToDate(db);
    const apps: unknown[] = await db.read('notifications').orderBy('id').pluck('app_id');
    assert.deepEqual(apps, [null, 7]);
    const internal: unknown[] = await db.read('messages').orderBy('id').pluck('internal_entries');
    assert.deepEqual(internal, ['[]', '[]', '[]', '["unknown"]', '[]', '[]']);
  });

  it('marks older questions of an account on another host of the conversation as those of another app', async () => {
    const db = await openOlder('0033-keep-apart');
    const now = '2026-01-01T00:00:00.000Z';
    const times = { created_at: now, updated_at: now };
    const own = { organization_id: 1 };
    await db.write('apps').insert({ id: 7, ...own, name: 'Shop', ...times });
    const name = { email: 'a', email_key: 'a', display_name: 'A', role: 'user', disabled: false };
    await db.write('users').insert({ id: 1, ...own, ...name, ...times });
    const pages = [
      'https://a.example/one',
      'https://a.example',
      'https://a.example/two/b.example',
      'https://b.example/',
      'https://a.example.b.example/',
      null,
    ];
    for (const [id, user_id] of [
      ['account', 1],
      ['visitor', null],
    ]) {
      const conversation = { id, ...own, app_id: 7, user_id, channel: 'api', title: 'T', ...times };
      await db.write('conversations').insert(conversation);
      for (const page_url of pages) {
        await db.write('messages').insert({
          ...{ conversation_id: id, role: 'user', content: 'C', page_url },
          ...{ status: 'complete', language: 'en', created_at: now },
        });
      }
    }
    await upToDate(db);
    const kept: unknown[] = await db.read('messages').orderBy('id').pluck('of_other_app');
    assert.deepEqual(kept, [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
  });

  it('creates a complete database in a new folder', async () => {
    const db = await open();
    assert.deepEqual(await pendingMigrations(db), names);
    assert.deepEqual(await upToDate(db), { applied: names, backup: undefined });
    assert.deepEqual(await pendingMigrations(db), []);
    assert.equal(await db.dialect.checkIntegrity(db.read), 'ok');
    assert.deepEqual(await db.read('knowledge_entries').select('*'), []);
  });

  it('counts the published entries of an older database', async () => {
    const db = await openOlder('0010-count-places');
    const now = '2026-01-01T00:00:00.000Z';
    const times = { created_at: now, updated_at: now };
    await db.write('apps').insert({ organization_id: 1, name: 'Docs', ...times });
    const entry = {
      ...{ organization_id: 1, app_id: 1, domain: 'acme.example', scope: 'domain_global' },
      ...{ title: 'x', content: 'y', language: 'en', visibility: 'public', ...times },
      ...{ visibility_defaulted: false, changed_by: 'operator' },
    };
    for (const [index, status] of ['published', 'published', 'draft'].entries()) {
      await db.write('knowledge_entries').insert({ ...entry, uuid: String(index), status });
    }
    await upToDate(db);
    assert.deepEqual(await db.read('knowledge_places').select('domain', 'entries'), [
      { domain: 'acme.example', entries: 2 },
    ]);
  });

  it('does nothing the second time', async () => {
    const db = await open();
    await upToDate(db);
    const schema = () => db.read('sqlite_master').select('name', 'sql').orderBy('name');
    const before: unknown = await schema();
    assert.deepEqual(await upToDate(db), { applied: [], backup: undefined });
    assert.deepEqual(await schema(), before);
    assert.deepEqual(await backups(), []);
  });

  it('applies each migration once if several processes start at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      config.database.path = join(folder.path, `round-${round}.sqlite`);
      const starting = Array.from({ length: 4 }, async () => upToDate(await open()));
      const results = await Promise.all(starting);
      assert.deepEqual(
        results.flatMap(({ applied }) => applied),
        names,
      );
    }
  });

  it('refuses a database of a newer version, and does not change it', async () => {
    const db = await open();
    await upToDate(db);
    const row = { name: '9999-from-the-future', batch: 9, migration_time: Date.now() };
    await db.write('schema_migrations').insert(row);
    await assert.rejects(openApp(config), {
      code: 'database_newer',
      message: /9999-from-the-future/,
    });
    assert.deepEqual(await db.read('schema_migrations').pluck('name'), [...names, row.name]);
  });

  it('makes a complete copy of a database with data before it changes it', async () => {
    await openOlder();
    const app = await openApp(config);
    opened.push(app);
    assert.deepEqual(await pendingMigrations(app.db), []);
    await addOrganizationRow(app.db, 'later');

    const found = await backups();
    assert.equal(found.length, 1);
    const path = join(dirname(config.database.path), found[0] ?? '');
    assert.ok(basename(path).startsWith('db.sqlite.before-migration-'));
    const copy = await openDatabase({ ...config.database, path });
    opened.push(copy);
    assert.equal(await copy.dialect.checkIntegrity(copy.read), 'ok');
    assert.deepEqual(await pendingMigrations(copy), [last]);
    assert.deepEqual(await copy.read('organizations').pluck('slug'), ['acme']);
    assert.deepEqual(await app.db.read('organizations').pluck('slug'), ['acme', 'later']);
  });

  it('changes nothing if the copy can’t be made', async () => {
    const db = await openOlder();
    const copyTo = () => Promise.reject(new Error('the disk is full'));
    const dialect = { ...db.dialect, files: { ...sqliteFiles, copyTo } };
    await assert.rejects(upToDate({ ...db, dialect }), {
      code: 'internal',
      message: /not migrated.*the disk is full/,
    });
    assert.deepEqual(await pendingMigrations(db), [last]);
    assert.deepEqual(await backups(), []);
  });

  it('keeps no copy of a failed or killed attempt', async () => {
    const db = await openOlder();
    const checkCopy = () => Promise.reject(new Error('it is damaged'));
    const dialect = { ...db.dialect, files: { ...sqliteFiles, checkCopy } };
    await assert.rejects(upToDate({ ...db, dialect }), { message: /it is damaged/ });
    assert.deepEqual(await backups(), []);
    // A kill in the middle of the copy leaves an incomplete file, under the same name in every attempt.
    await writeFile(`${config.database.path}.before-migration.part`, 'half of a copy');
    const { backup } = await upToDate(db);
    assert.deepEqual(await backups(), [basename(backup ?? '')]);
  });

  it('makes one copy if several processes start at the same time', async () => {
    await openOlder();
    const dbs = await Promise.all(Array.from({ length: 4 }, open));
    const results = await Promise.all(dbs.map(upToDate));
    const made = results.flatMap(({ backup }) => (backup === undefined ? [] : [basename(backup)]));
    assert.equal(made.length, 1);
    assert.deepEqual(await backups(), made);
    assert.deepEqual(
      results.flatMap(({ applied }) => applied),
      [last],
    );
  });

  it('refuses an outdated database if auto_migrate is off', async () => {
    config.database.auto_migrate = false;
    await assert.rejects(openApp(config), {
      code: 'database_outdated',
      message: /assistant upgrade/,
    });
    const db = await openOlder();
    await assert.rejects(openApp(config), { code: 'database_outdated', message: /lacks 1 / });
    assert.deepEqual(await pendingMigrations(db), [last]);
    await upToDate(db);
    // The search index is made of the passages, not by a migration.
    await assert.rejects(openApp(config), {
      code: 'database_outdated',
      message: /assistant upgrade/,
    });
    await bringIndexUpToDate({
      db,
      clock: systemClock,
      log: createLog({ level: 'silent', format: 'json' }),
    });
    const app = await openApp(config);
    opened.push(app);
    assert.deepEqual(await pendingMigrations(app.db), []);
  });

  it('refuses a file that is not a database, and a folder in its place', async () => {
    const { mkdir } = await import('node:fs/promises');
    const path = join(folder.path, 'letter.txt');
    await writeFile(path, 'Dear reader, this is a letter and no database.'.repeat(100));
    await assert.rejects(openDatabase({ ...config.database, path }), {
      code: 'database_damaged',
      message: /^The database .*letter\.txt is damaged .*assistant doctor.*assistant restore/,
    });
    await mkdir(config.database.path, { recursive: true });
    await assert.rejects(openDatabase(config.database), { code: 'invalid_config' });
  });
});
