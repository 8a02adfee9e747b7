import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { AppError } from '../errors.js';
import type { Database } from './database.js';
import { factsOf } from './inspect-database.js';
import { unfinishedCopy } from './migrate.js';
import { takenAway, type TableColumn } from './tables.js';

/** A table whose rows were copied, and compared by their number and checksum. */
export interface CopiedTable {
  table: string;
  rows: number;
  /** The sum of the hashes of all rows, in whatever order, as 16 hexadecimal digits. */
  sum: string;
}

export interface CopyOptions {
  signal?: AbortSignal | undefined;
  /** Called after each step, with the rows done so far and all of them. */
  onProgress?: ((step: 'copying' | 'comparing', done: number, total: number) => void) | undefined;
}

/** What is copied by other means: the migrations last, since they make the copy one that can be opened. */
const apart = new Set(['schema_migrations', 'schema_migrations_lock', 'write_trial']);
const progressTable = 'copy_progress';

/** Of one statement: more would need more memory on both sides, and is not faster. */
const mostRows = 1000;
const mostBytes = 4 * 1024 ** 2;

/**
 * Copies all rows of a database to another one, which may be of another engine, has all migrations and no organization.
 * The source is read as it is at one moment. Stopped or killed, the copy can't be opened, and the next call with the same
 * source continues it. At its end, the rows of each table are read again and compared.
 * Errors: `conflict` when the target holds an organization, the schemas differ, or a comparison fails.
 */
export async function copyDatabase(
  source: Database,
  target: Database,
  { signal, onProgress }: CopyOptions = {},
): Promise<CopiedTable[]> {
  return source.dialect.tables.inSnapshot(source.read, async (db) => {
    const from = { db, tables: source.dialect.tables };
    const to = { db: target.write, tables: target.dialect.tables };
    const [astray] = await source.dialect.listAstray(db);
    if (astray !== undefined) {
      throw new AppError(
        'conflict',
        `In the database to copy, ${astray}. Repair it first: assistant doctor --repair`,
      );
    }
    const { migrations, counts } = await factsOf({ read: db, dialect: source.dialect });
    await beginCopy(target, migrations);
    const names = (await to.tables.list(to.db)).filter(isCopied);
    const total = names.reduce((sum, table) => sum + (counts[table] ?? 0), 0);
    let done = 0;
    for (const table of names) {
      const before = done;
      await copyTable(from, to, table, signal, (rows) =>
        onProgress?.('copying', (done = before + rows), total),
      );
    }
    done = 0;
    const copied: CopiedTable[] = [];
    for (const table of names) {
      const columns = await to.tables.columnsOf(to.db, table);
      const read = await sumTable(from.db, table, columns, signal);
      const written = await sumTable(to.db, table, columns, signal);
      if (read.rows !== written.rows || read.sum !== written.sum) {
        throw new AppError(
          'conflict',
          `The copy of ${table} is not the same: ${read.rows} rows are to be copied, and ${written.rows} were. Make an empty database, and copy to that while nobody uses the other.`,
        );
      }
      copied.push({ table, ...read });
      onProgress?.('comparing', (done += read.rows), total);
    }
    await endCopy(from, to);
    return copied;
  });
}

interface Side {
  db: Knex;
  tables: Database['dialect']['tables'];
}

/** True for a database that holds a part of a copy. */
export function isUnfinished({ write }: Database): Promise<boolean> {
  return write.schema.hasTable(progressTable);
}

async function beginCopy(target: Database, wanted: string[]): Promise<void> {
  const { write: db, dialect } = target;
  if (!(await isUnfinished(target))) {
    const { migrations } = await factsOf({ read: db, dialect });
    if (migrations.join() !== wanted.join()) {
      throw new AppError(
        'conflict',
        'The two databases are not of the same version. Run assistant upgrade on the one that is copied.',
      );
    }
    if ((await db('organizations').first('id')) !== undefined) {
      throw new AppError(
        'conflict',
        'The database to copy to already holds an organization. Make an empty one.',
      );
    }
    await db.transaction(async (trx) => {
      await trx.schema.createTable(progressTable, (table) => {
        table.string('table_name').primary();
        table.integer('rows').notNullable();
        table.text('last_key').notNullable();
      });
      await trx('schema_migrations').insert({ name: unfinishedCopy, batch: 0 });
      // Rows that migrations made.
      for (const table of (await dialect.tables.list(trx)).filter(isCopied)) {
        await trx(table).delete();
      }
    });
  }
  await dialect.tables.beginFilling(db);
}

function isCopied(table: string): boolean {
  return !apart.has(table) && table !== progressTable && table !== takenAway;
}

/** How far a table was copied. */
interface Progress {
  table_name: string;
  rows: number;
  /** The key of the last row, as JSON. */
  last_key: string;
}

async function copyTable(
  from: Side,
  to: Side,
  table: string,
  signal: AbortSignal | undefined,
  onRows: (rows: number) => void,
): Promise<void> {
  const columns = await to.tables.columnsOf(to.db, table);
  const found = await to.db<Progress>(progressTable).where('table_name', table).first();
  let rows = found?.rows ?? 0;
  const after = found === undefined ? null : (JSON.parse(found.last_key) as Key);
  for await (const piece of readPieces(from.db, table, columns, after)) {
    signal?.throwIfAborted();
    rows += piece.rows.length;
    await to.db.transaction(async (trx) => {
      await to.tables.insert(trx, table, columns, piece.rows);
      await trx(progressTable)
        .insert({ table_name: table, rows, last_key: JSON.stringify(piece.last) })
        .onConflict('table_name')
        .merge();
    });
    onRows(rows);
  }
}

/** The number of rows, and the sum of their hashes in whatever order, because engines sort texts differently. */
async function sumTable(
  db: Knex,
  table: string,
  columns: readonly TableColumn[],
  signal: AbortSignal | undefined,
): Promise<{ rows: number; sum: string }> {
  let sum = 0n;
  let rows = 0;
  for await (const piece of readPieces(db, table, columns, null)) {
    signal?.throwIfAborted();
    for (const row of piece.rows) sum = BigInt.asUintN(64, sum + hashOf(row));
    rows += piece.rows.length;
  }
  return { rows, sum: sum.toString(16).padStart(16, '0') };
}

function hashOf(row: Row): bigint {
  const hash = createHash('sha256');
  for (const value of row) {
    const plain = Buffer.isBuffer(value) ? value : JSON.stringify(neutral(value));
    hash.update(`${plain.length}:`).update(plain);
  }
  return hash.digest().readBigUInt64BE();
}

type Key = (string | number)[];
type Row = unknown[];

/** The rows of a table by its key, the values of each in the order of its columns; about as many bytes in each piece. */
async function* readPieces(
  db: Knex,
  table: string,
  columns: readonly TableColumn[],
  after: Key | null,
): AsyncGenerator<{ rows: Row[]; last: Key }> {
  const names = columns.map(({ name }) => name);
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => name);
  let limit = 20;
  for (let last = after; ;) {
    const query = db<Record<string, unknown>>(table).select(names).orderBy(keys).limit(limit);
    if (last !== null) {
      const marks = (mark: string) => keys.map(() => mark).join(', ');
      void query.whereRaw(`(${marks('??')}) > (${marks('?')})`, [...keys, ...last]);
    }
    const found = await query;
    const end = found.at(-1);
    if (end === undefined) return;
    last = keys.map((key) => end[key] as string | number);
    const rows = found.map((row) => names.map((name) => row[name]));
    yield { rows, last };
    const bytes = rows.reduce((sum, row) => sum + row.reduce(addSize, 0), 0);
    limit = Math.max(1, Math.min(mostRows, Math.floor(mostBytes / (bytes / rows.length + 1))));
  }
}

function addSize(sum: number, value: unknown): number {
  return sum + (typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8);
}

/** A value as all engines give it: only SQLite has the character NUL, and only PostgreSQL booleans. */
function neutral(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' ? value.replaceAll('\0', '') : value;
}

async function endCopy(from: Side, to: Side): Promise<void> {
  const name = 'schema_migrations';
  const columns = await to.tables.columnsOf(to.db, name);
  const names = columns.map((column) => column.name);
  const applied = await from.db<Record<string, unknown>>(name).select(names).orderBy('id');
  const numbers = await from.tables.lastNumbers(from.db);
  await to.db.transaction(async (trx) => {
    for (const { table, last } of numbers.filter(({ table }) => isCopied(table))) {
      await to.tables.continueAfter(trx, table, last);
    }
    await to.tables.endFilling(trx);
    await trx.schema.dropTable(progressTable);
    await trx(name).delete();
    const rows = applied.map((row) => names.map((column) => row[column]));
    await to.tables.insert(trx, name, columns, rows);
  });
}
