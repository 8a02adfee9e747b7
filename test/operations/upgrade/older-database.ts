import type { Knex } from 'knex';
import type { Database } from '../../../src/platform/db/database.js';
import { migrations, type Migration } from '../../../src/platform/db/migrations.js';
import { sqliteDialect } from '../../../src/platform/db/sqlite-dialect.js';

type Row = Record<string, unknown>;

const all = migrations(sqliteDialect);
export const names = all.map(({ name }) => name);

/** Applies the migrations up to and including one, as the version of that time did. */
export async function migrateTo(db: Database, last: string): Promise<void> {
  const migrationSource: Knex.MigrationSource<Migration> = {
    getMigrations: () => Promise.resolve(all.slice(0, names.indexOf(last) + 1)),
    getMigrationName: ({ name }) => name,
    getMigration: (migration) =>
      Promise.resolve({ up: (trx) => migration.up(trx), down: () => Promise.resolve() }),
  };
  await db.write.migrate.latest({ tableName: 'schema_migrations', migrationSource });
}

interface Column {
  name: string;
  type: string;
  notnull: number;
  pk: number;
  dflt_value: string | null;
  /** The table and column that it refers to. */
  parent: string | null;
  parentColumn: string | null;
}

/** Tables that migrations or triggers fill, or that are derived from other rows. */
const derived =
  /^(?:sqlite_|schema_migrations|knowledge_places|knowledge_revisions|passage_(?:features|stems|totals|revisions|index|terms|vector)|term_|vocabulary|search_index|erasure_work|embedding_(?:work|models)|vector_trust|write_lock)/;

const now = '2026-01-02T03:04:05.678Z';
const file = Buffer.from('%PDF-1.4 of an earlier version');
export const knowledge = {
  title: 'Oiling the pump',
  content: 'The pump needs oil every six months. Äußerst wichtig: only the oil that came with it.',
};

/** Values that must fit, by table and column, or by column. All others are made up. */
const values: Record<string, unknown> = {
  ...{ 'ingestion_batches.status': 'completed', 'ingestion_batches.file_size': file.length },
  ...{ 'ingestion_batches.document': 'domain:acme.example/manual.pdf', total_chunks: 1 },
  ...{ 'ingestion_uploads.piece': 0, 'ingestion_uploads.bytes': file, superseded_by: null },
  ...{ 'knowledge_entries.status': 'published', 'knowledge_entries.url_pattern': null },
  ...{ scope: 'domain_global', domain: 'acme.example', host: 'acme.example', language: 'en' },
  ...{ 'knowledge_entries.title': knowledge.title, 'passages.title': knowledge.title },
  ...{ 'knowledge_entries.content': knowledge.content, 'passages.body': knowledge.content },
  ...{ 'passages.url_pattern': null, 'passages.published': 1, 'passages.position': 0 },
  ...{ visibility: 'public', default_knowledge_visibility: 'public', page_from: 1, page_to: 2 },
  ...{ view_id: null, replaces_id: null, 'users.role': 'admin', default_role: 'user' },
  ...{ 'messages.role': 'user', 'messages.status': 'complete', mode: null, found: null },
  ...{ 'knowledge_requests.status': 'open', 'outbox_deliveries.status': 'delivered' },
  ...{ channel: 'api', 'widget_keys.kind': 'public', rating: 'up', kind: 'request_resolved' },
  ...{ fields: '{"title":"Before","content":"As it was"}', payload: '{"requestId":1}' },
  ...{ sources: '[]', pages_without_text: '[]', unsupported: '[]', internal_entries: '[]' },
  ...{ recognized_pages: '[]', read_by: 'own', 'ingestion_batches.kind': 'pdf' },
  ...{ role_mapping: '[]', allowed_domains: '[]', before: '{}', after: '{}', events: null },
  // Each usage has only one payer.
  ...{ payer_user_id: null, 'quotas.user_id': null, revoked_at: null, lease_token: null },
  ...{ options: '{}', counts: '{}', report: '{}', 'sources.kind': 'site' },
  ...{ lease_expires_at: null, not_before: now, disabled: 0 },
};

/**
 * Adds rows to every table of a database of any schema, by its columns and references. The knowledge is an entry with
 * its passage, and vectors of an embedding model if that version had them.
 */
export async function fillTables(db: Knex): Promise<void> {
  const tables = (await listTables(db)).filter((table) => !derived.test(table));
  const filled = new Set<string>();
  while (filled.size < tables.length) {
    const before = filled.size;
    for (const table of tables.filter((one) => !filled.has(one))) {
      const columns = await columnsOf(db, table);
      const isReady = columns.every(
        ({ parent }) => parent === null || parent === table || filled.has(parent),
      );
      if (!isReady) continue;
      filled.add(table);
      await db(table).insert(await makeRow(db, table, columns));
    }
    if (filled.size === before) throw new Error(`tables refer to each other in a circle`);
  }
  if (await db.schema.hasTable('passage_vectors')) await addVectors(db);
}

async function makeRow(db: Knex, table: string, columns: readonly Column[]): Promise<Row> {
  const row: Row = {};
  for (const column of columns) {
    const { name, type, parent, parentColumn, pk } = column;
    const chosen = `${table}.${name}` in values ? `${table}.${name}` : name;
    const isNumber = /int|bool|float|real/i.test(type);
    const value = values[chosen];
    const isNullable = column.notnull === 0;
    if (chosen in values && (value !== null || isNullable)) row[name] = value;
    else if (parent !== null) row[name] = await lastKey(db, parent, parentColumn ?? 'id');
    else if (pk === 1 && isNumber && name === 'id') continue;
    else if (name.endsWith('_at') || name.endsWith('_from') || name.endsWith('_until'))
      row[name] = now;
    else if (isNumber) row[name] = type.startsWith('bool') ? 0 : 1;
    else if (/blob/i.test(type)) row[name] = Buffer.from([0, 1, 2, 255]);
    else row[name] = `${table} ${name} é`;
  }
  return row;
}

async function lastKey(db: Knex, table: string, column: string): Promise<unknown> {
  const keys: unknown[] = await db(table).orderBy('rowid', 'desc').limit(1).pluck(column);
  return keys[0];
}

async function addVectors(db: Knex): Promise<void> {
  const times = { created_at: now, updated_at: now };
  const passages = (await db('passages').pluck('id')) as number[];
  const columns = await columnsOf(db, 'embedding_models');
  const trust = columns.some(({ name }) => name === 'trust') ? { trust: '{"en":1}' } : {};
  await db('embedding_models').insert({
    ...{ id: 1, model: 'm', digest: 'd', dimension: 8, passage_prefix: '', state: 'live' },
    ...{ embedded_to: Math.max(...passages), refused: 0, ...trust, ...times },
  });
  for (const passage_id of passages) {
    const key = { passage_id, generation_id: 1 };
    await db('passage_vectors').insert({ ...key, vector: Buffer.alloc(32, 1) });
    await db('passage_vector_codes').insert({ ...key, code: Buffer.from([255]) });
  }
}

async function listTables(db: Knex): Promise<string[]> {
  return (await db('pragma_table_list')
    .where({ schema: 'main', type: 'table' })
    .orderBy('name')
    .pluck('name')) as string[];
}

async function columnsOf(db: Knex, table: string): Promise<Column[]> {
  const rows: Column[] = await db.raw(
    `select c.name, c.type, c."notnull", c.pk, c.dflt_value, f."table" as parent, f."to" as "parentColumn"
     from pragma_table_info(?) as c left join pragma_foreign_key_list(?) as f on f."from" = c.name`,
    [table, table],
  );
  return rows;
}

/** All rows of all tables, as text. */
export async function dump(db: Knex): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of await listTables(db)) {
    if (table.startsWith('sqlite_')) continue;
    const rows = await db<Row>(table).select('*');
    tables[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return tables;
}
