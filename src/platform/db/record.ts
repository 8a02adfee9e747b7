import type { Knex } from 'knex';
import { timestamp, type Clock } from '../clock.js';
import { snakeName } from '../wire-names.js';
import type { Database } from './database.js';
import { selectPage, type Order, type Page, type Paged } from './select-page.js';

/** A column of a table; `T` is its value in the code. */
interface Column<T> {
  /** `flag`: a boolean, which SQLite stores as 0 or 1. `json`: stored as its JSON text. */
  kind: 'plain' | 'flag' | 'json';
  /** The column's name, where it is not the field's name in snake_case. */
  name: string | undefined;
  /** Never set: it carries the type. */
  value?: T;
}

type Columns = Record<string, Column<unknown>>;
type Row = Record<string, unknown>;
type Fields<C extends Columns> = { [K in keyof C]: C[K] extends Column<infer T> ? T : never };

/** A kind of record: its fields, each declared once for its type, for reading and for writing. */
export interface Stored<T> {
  /** The record of a row. Columns that are not declared never leave the repository. */
  read: (row: object) => T;
  /** The columns of the given fields. Undefined fields are left out. */
  columns: (fields: { [K in keyof T]?: T[K] | undefined }) => Row;
  /** As `columns`, without the columns for the record's id, owner and creation time, which no change may alter. */
  changes: (fields: { [K in keyof T]?: T[K] | undefined }) => Row;
  first: (query: Knex.QueryBuilder) => Promise<T | undefined>;
  all: (query: Knex.QueryBuilder) => Promise<T[]>;
  /** The order must be total: name a unique column last. */
  page: (query: Knex.QueryBuilder, order: Order[], page: Page) => Promise<Paged<T>>;
}

interface Store {
  db: Database;
  clock: Clock;
}

/** A table of records, with the statements whose conditions are fields that must be equal. */
export interface Table<T> extends Stored<T> {
  find: (app: Pick<Store, 'db'>, where: Partial<T>) => Promise<T | undefined>;
  /** Adds a record, and sets its times. */
  insert: (app: Store, fields: Omit<T, 'id' | 'createdAt' | 'updatedAt'>) => Promise<T>;
  /** Changes the given fields of a record, and the time of its last change. */
  change: (app: Store, id: number, fields: Partial<T>) => Promise<void>;
  delete: (app: Pick<Store, 'db'>, id: number) => Promise<void>;
}

/** The type of a declared record. */
export type RecordOf<S> = S extends Stored<infer T> ? T : never;

export function plain<T>(name?: string): Column<T> {
  return { kind: 'plain', name };
}

export function flag(): Column<boolean> {
  return { kind: 'flag', name: undefined };
}

export function nullableFlag(): Column<boolean | null> {
  return { kind: 'flag', name: undefined };
}

export function json<T>(name?: string): Column<T> {
  return { kind: 'json', name };
}

/** Declares a kind of record by its fields. `appId` is the column `app_id`. */
export function record<C extends Columns>(declared: C): Stored<Fields<C>> {
  const columns = Object.entries(declared).map(([field, { kind, name }]) => {
    return { field, kind, name: name ?? snakeName(field) };
  });
  // A loop: searches read hundreds of rows.
  const read = (row: object) => {
    const stored = row as Row;
    const found: Row = {};
    for (const { field, kind, name } of columns) found[field] = readValue(kind, stored[name]);
    return found as Fields<C>;
  };
  const write = (fields: object, kept: (field: string) => boolean): Row => {
    const given = fields as Row;
    const written = columns.filter(({ field }) => given[field] !== undefined && kept(field));
    return Object.fromEntries(
      written.map(({ field, kind, name }) => [
        name,
        kind === 'json' ? JSON.stringify(given[field]) : given[field],
      ]),
    );
  };
  return {
    read,
    columns: (fields) => write(fields, () => true),
    changes: (fields) => write(fields, (field) => !fixed.has(field)),
    async first(query) {
      const row = (await query.first()) as Row | undefined;
      return row === undefined ? undefined : read(row);
    },
    all: async (query) => ((await query.select('*')) as Row[]).map(read),
    page: (query, order, page) => selectPage(query, order, page, read),
  };
}

/** Declares the table of a kind of record. */
export function table<C extends Columns>(name: string, declared: C): Table<Fields<C>> {
  const stored = record(declared);
  return {
    ...stored,
    async find(app, where) {
      const conditions = stored.columns(where);
      // Without this, a condition whose value was forgotten would find anybody's record.
      if (Object.keys(conditions).length < Math.max(1, Object.keys(where).length)) {
        throw new Error(`a condition on ${name} has no value`);
      }
      return stored.first(app.db.read(name).where(conditions));
    },
    async insert(app, fields) {
      const now = timestamp(app.clock);
      const made = { ...fields, createdAt: now, updatedAt: now } as Fields<C>;
      return { id: await insertRow(app.db.write, name, stored.columns(made)), ...made };
    },
    async change(app, id, fields) {
      const change = stored.changes({ ...fields, updatedAt: timestamp(app.clock) });
      await app.db.write(name).where({ id }).update(change);
    },
    async delete(app, id) {
      await app.db.write(name).where({ id }).delete();
    },
  };
}

const fixed = new Set(['id', 'uuid', 'organizationId', 'createdAt']);

function readValue(kind: Column<unknown>['kind'], stored: unknown): unknown {
  if (kind === 'plain' || stored === null) return stored;
  return kind === 'flag' ? Boolean(stored) : JSON.parse(stored as string);
}

/** Inserts one row and returns its new integer id. */
export async function insertRow(
  db: Knex,
  table: string,
  row: Record<string, unknown>,
): Promise<number> {
  const [inserted]: { id: number }[] = await db(table).insert(row).returning('id');
  if (inserted === undefined) throw new Error(`inserting into ${table} answered no id`);
  return inserted.id;
}
