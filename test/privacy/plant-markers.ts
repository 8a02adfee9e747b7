import { readFileSync } from 'node:fs';
import type { Knex } from 'knex';
import type { OpenedApp } from '../../src/main/open-app.js';
import { personalTables } from '../../src/privacy/personal-tables.js';
import { impersonalTables } from './impersonal-tables.js';

export interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

/** A table as the database describes it. */
export interface Table {
  name: string;
  columns: Column[];
  /** The referenced table by column. */
  references: Map<string, string>;
}

/** Every table that really is in a database. */
export async function readSchema({ read: db, dialect }: OpenedApp['db']): Promise<Table[]> {
  if (dialect.name === 'postgres') return readPostgresSchema(db);
  const names = await db.raw<{ name: string }[]>(
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`,
  );
  const tables: Table[] = [];
  for (const { name } of names) {
    const columns = await db.raw<Column[]>(`pragma table_info(${name})`);
    const keys = await db.raw<{ from: string; table: string }[]>(
      `pragma foreign_key_list(${name})`,
    );
    const references = new Map(keys.map((key) => [key.from, key.table]));
    tables.push({ name, columns, references });
  }
  return tables;
}

async function readPostgresSchema(db: Knex): Promise<Table[]> {
  const rows = await db.raw<(Column & { table: string; refers: string | null })[]>(
    `select relname as table, attname as name, format_type(atttypid, null) as type, attnotnull::int as notnull,
       pg_get_expr(adbin, adrelid) as dflt_value, coalesce(array_position(indkey::int2[], attnum) + 1, 0) as pk,
       (select confrelid::regclass::text from pg_constraint
        where contype = 'f' and conrelid = attrelid and conkey[1] = attnum limit 1) as refers
     from pg_attribute
     join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
     left join pg_attrdef on adrelid = attrelid and adnum = attnum
     left join pg_index on indrelid = attrelid and indisprimary
     where attnum > 0 and not attisdropped order by relname, attnum`,
  );
  const names = [...new Set(rows.map(({ table }) => table))];
  return names.map((name) => {
    const columns = rows.filter(({ table }) => table === name);
    const references = columns.flatMap(({ name, refers }) =>
      refers === null ? [] : [[name, refers] as const],
    );
    return { name, columns, references: new Map(references) };
  });
}

/**
 * Everything that a database holds, as bytes in Latin-1: the file of SQLite and its log, including parts that SQLite no
 * longer uses, or all rows.
 */
export async function storedBytes({ config, db }: OpenedApp): Promise<string> {
  if (db.dialect.name === 'sqlite') {
    const { path } = config.database;
    return [path, `${path}-wal`].map((file) => readFileSync(file).toString('latin1')).join('\n');
  }
  const values: unknown[] = [];
  for (const { name } of await readSchema(db)) {
    const rows: object[] = await db.read(name).select('*');
    values.push(...rows.flatMap((row) => Object.values(row) as unknown[]));
  }
  return values
    .map((value) =>
      (Buffer.isBuffer(value) ? value : Buffer.from(String(value))).toString('latin1'),
    )
    .join('\n');
}

export function isText({ type }: Column): boolean {
  return /text|char|blob|bytea/i.test(type);
}

/** The declared text columns of a table, personal or not. */
export function declaredColumns(table: string): { personal: string[]; others: string[] } {
  const declarations = personalTables.filter((one) => one.table === table);
  const links = declarations.flatMap(({ rows }) => rows.map(({ column }) => column));
  const personal = declarations.flatMap((one) => one.personal ?? []);
  const ours = declarations.flatMap((one) => one.ours ?? []);
  return { personal, others: [...ours, ...links, ...(impersonalTables[table] ?? [])] };
}

/** A person for whom rows are planted, with the key for each kind of reference. */
export interface Planted {
  name: string;
  user: number | null;
  end_user: number | null;
  visitor: string | null;
  email: string;
  /** No such person is known only by a conversation. */
  conversation: null;
}

/** The marker of a person's text in a table and column. */
export function markerOf(person: string, table: string, column: string): string {
  return `marker-${person}-${table}-${column}`;
}

const time = '2026-03-01T09:00:00.000Z';

/**
 * Inserts a row into every table that can refer to the person, with a marker in every personal text. Returns the
 * markers by table. `known` has the rows that all people refer to, such as organization and app.
 */
export async function plantMarkers(
  db: Knex,
  schema: Table[],
  person: Planted,
  known: Record<string, number>,
): Promise<Map<string, string[]>> {
  const planted = new Map<string, string[]>();
  const rows = new Map<string, unknown>(Object.entries(known));
  if (person.user !== null) rows.set('users', person.user);
  if (person.end_user !== null) rows.set('end_users', person.end_user);
  // Tables are declared before the tables that they refer to, because they are erased first.
  for (const { table, as, rows: links, personal = [], json = [] } of personalTables.toReversed()) {
    if (as !== undefined || table in known || rows.has(table)) continue;
    const described = schema.find(({ name }) => name === table);
    if (described === undefined) throw new Error(`There is no table ${table}.`);
    const row: Record<string, unknown> = {};
    let leads = false;
    for (const link of links) {
      const value = valueOf(link, person, rows);
      row[link.column] ??= value;
      leads ||= value !== null;
    }
    if (!leads) continue;
    const markers = personal.map((column) => markerOf(person.name, table, column));
    personal.forEach((column, index) => {
      const marker = markers[index];
      row[column] = json.includes(column) ? JSON.stringify([{ said: marker }]) : marker;
    });
    for (const column of described.columns) {
      if (row[column.name] != null) continue;
      const refers = described.references.get(column.name);
      if (column.name === 'payer_organization_id') {
        row[column.name] = row['payer_user_id'] == null ? known['organizations'] : null;
      } else if (isMissing(column)) {
        row[column.name] =
          refers === undefined ? filling(column, `${person.name}-${table}`) : rows.get(refers);
      }
    }
    const [stored] = (await db(table).insert(row).returning('*')) as [Record<string, unknown>];
    rows.set(table, stored['id']);
    planted.set(table, markers);
  }
  return planted;
}

function valueOf(
  link: (typeof personalTables)[number]['rows'][number],
  person: Planted,
  rows: Map<string, unknown>,
): unknown {
  if ('mentions' in link) return null;
  if ('of' in link) {
    const parent = rows.get(link.of) as string | number | undefined;
    return parent === undefined
      ? null
      : link.prefix === undefined
        ? parent
        : `${link.prefix}${parent}`;
  }
  if (link.is === 'email') return person.email;
  if (link.is !== 'name') return person[link.is];
  const { user, end_user: endUser } = person;
  if (user !== null) return `user:${user}`;
  return endUser === null ? null : `end_user:${endUser}`;
}

function isMissing({ notnull, dflt_value: fallback, pk, name, type }: Column): boolean {
  const counts = pk === 1 && /integer/i.test(type) && name === 'id';
  return !counts && (notnull === 1 || pk > 0) && fallback === null;
}

function filling({ name, type }: Column, unique: string): unknown {
  if (/_at$|not_before/.test(name)) return time;
  if (isText({ name, type } as Column)) return `${unique}-${name}`;
  return 1;
}
