import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { countOf } from './select-page.js';
import { AppError } from '../errors.js';
import type { Database } from './database.js';
import { factsOf } from './inspect-database.js';
import { unfinishedCopy } from './migrate.js';
import { takenAway, type TableColumn } from './tables.js';

/** A table whose rows were copied, and compared by their number and checksum. */
export interface CopiedTable {
  table: string;
  rows: number;
  /** A hash of all rows, as 16 hexadecimal digits. */
  sum: string;
}

export interface CopyOptions {
  signal?: AbortSignal | undefined;
  /** Called after each step, with the rows copied so far and all of them. */
  onProgress?: ((done: number, total: number) => void) | undefined;
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
 * source continues it. All rows are read again in the copy and compared, while the next ones are stored.
 * Errors: `conflict` when the target holds an organization, the schemas differ, or a comparison fails.
 */
export async function copyDatabase(
  source: Database,
  target: Database,
  { signal, onProgress }: CopyOptions = {},
): Promise<CopiedTable[]> {
  return source.dialect.tables.inSnapshot(source.read, async (db) => {
    const from = { db, tables: source.dialect.tables };
    const { read, write, dialect } = target;
    const to = { db: write, read, tables: dialect.tables };
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
    const copied: CopiedTable[] = [];
    for (const table of names) {
      const onRows = (rows: number) => onProgress?.(done + rows, total);
      const one = await copyTable(from, to, table, signal, onRows);
      // Not only both sides, but what the source counted: a row that reading skips is in neither.
      const counted = counts[table] ?? 0;
      if (one.rows !== counted) throw differs(table, counted, one.rows);
      copied.push(one);
      done += one.rows;
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
  /** The key of the last row, as JSON. */
  last_key: string;
}

/** Copies the rows that no earlier call has copied, and compares all rows of the table with those in the copy. */
async function copyTable(
  from: Side,
  to: Side & { read: Knex },
  table: string,
  signal: AbortSignal | undefined,
  onRows: (rows: number) => void,
): Promise<CopiedTable> {
  const columns = await to.tables.columnsOf(to.db, table);
  const found = await to.db<Progress>(progressTable).where('table_name', table).first();
  // PostgreSQL empties some tables when it crashes.
  const isThere = found !== undefined && (await to.db(table).first()) !== undefined;
  const earlier = isThere ? (JSON.parse(found.last_key) as Key) : null;
  const [source, copy] = [createSummer(), createSummer()];
  let compared: Key | null = null;
  let comparing = Promise.resolve();
  const store = (rows: Row[], last: Key) =>
    to.db.transaction(async (trx) => {
      await to.tables.insert(trx, table, columns, rows);
      await trx(progressTable)
        .insert({ table_name: table, last_key: JSON.stringify(last) })
        .onConflict('table_name')
        .merge();
    });
  // One row more than there should be is enough to see that the copy differs.
  const compareTo = async (key: Key | null, rows: number) => {
    await comparing;
    const range = { after: compared, upTo: key };
    comparing = readRows(to.read, table, columns, range, rows + 1).then(
      (found) => void copy.add(found),
    );
    // Reported when its turn comes, or never, when storing the next piece fails.
    comparing.catch(() => undefined);
    compared = key;
  };
  const missing = { after: earlier, upTo: null };
  const ranges = earlier === null ? [missing] : [{ after: null, upTo: earlier }, missing];
  try {
    for (const range of ranges) {
      for await (const { rows, last } of readAhead(readPieces(from.db, table, columns, range))) {
        signal?.throwIfAborted();
        if (range === missing) await store(rows, last);
        onRows(source.add(rows));
        await compareTo(last, rows.length);
      }
    }
    // Rows that the source does not have.
    await compareTo(null, 0);
  } finally {
    await comparing.catch(() => undefined);
  }
  await comparing;
  const [wanted, stored] = [source.sum(), copy.sum()];
  if (wanted.rows !== stored.rows || wanted.sum !== stored.sum) {
    throw differs(table, wanted.rows, await countOf(to.read(table)));
  }
  return { table, ...wanted };
}

function differs(table: string, wanted: number, stored: number): AppError {
  return new AppError(
    'conflict',
    `The copy of ${table} is not the same: ${wanted} rows are to be copied, and ${stored} were. Make an empty database, and copy to that while nobody uses the other.`,
  );
}

/** Hashes rows in the order of their keys, which is by bytes in all engines. */
function createSummer() {
  const hash = createHash('sha256');
  let count = 0;
  return {
    /** Returns the number of rows so far. */
    add(rows: readonly Row[]): number {
      let text = '';
      for (const row of rows) {
        for (const value of row) {
          if (Buffer.isBuffer(value)) {
            hash.update(`${text}b${value.length}:`).update(value);
            text = '';
          } else text += plainOf(value);
        }
      }
      hash.update(text);
      return (count += rows.length);
    },
    sum: () => ({ rows: count, sum: hash.digest('hex').slice(0, 16) }),
  };
}

/** A value as all engines give it: only SQLite has the character NUL, and only PostgreSQL booleans. */
function plainOf(value: unknown): string {
  if (typeof value === 'string') {
    const text = value.includes('\0') ? value.replaceAll('\0', '') : value;
    return `s${text.length}:${text}`;
  }
  return `n${typeof value === 'boolean' ? Number(value) : String(value)};`;
}

type Key = (string | number)[];
type Row = unknown[];

/** Keys after one and up to another; null stands for the first or the last row of the table. */
interface Range {
  after: Key | null;
  upTo: Key | null;
}

interface Piece {
  rows: Row[];
  /** The key of the last row. */
  last: Key;
}

/** The rows of a table by its key; about as many bytes in each piece. */
async function* readPieces(
  db: Knex,
  table: string,
  columns: readonly TableColumn[],
  { after, upTo }: Range,
): AsyncGenerator<Piece> {
  const keys = columns.flatMap(({ isKey }, at) => (isKey ? [at] : []));
  let limit = 20;
  for (let start = after; ;) {
    const rows = await readRows(db, table, columns, { after: start, upTo }, limit);
    const end = rows.at(-1);
    if (end === undefined) return;
    const last = keys.map((at) => end[at] as string | number);
    yield { rows, last };
    start = last;
    const bytes = rows.reduce((sum, row) => sum + row.reduce(addSize, 0), 0);
    limit = Math.max(1, Math.min(mostRows, Math.floor(mostBytes / (bytes / rows.length + 1))));
  }
}

/** Rows by their key, the values of each in the order of the columns. */
async function readRows(
  db: Knex,
  table: string,
  columns: readonly TableColumn[],
  { after, upTo }: Range,
  limit: number,
): Promise<Row[]> {
  const names = columns.map(({ name }) => name);
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => name);
  const marks = (mark: string) => `(${keys.map(() => mark).join(', ')})`;
  const query = db<Record<string, unknown>>(table).select(names).orderBy(keys).limit(limit);
  if (after !== null) void query.whereRaw(`${marks('??')} > ${marks('?')}`, [...keys, ...after]);
  if (upTo !== null) void query.whereRaw(`${marks('??')} <= ${marks('?')}`, [...keys, ...upTo]);
  const found = await query;
  return found.map((row) => names.map((name) => row[name]));
}

/** Reads each piece while the one before it is worked on. */
async function* readAhead<T>(pieces: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = pieces.next();
  try {
    for (;;) {
      const found = await next;
      if (found.done === true) return;
      next = pieces.next();
      // Reported when its turn comes, or never, when the work on the piece before it fails.
      next.catch(() => undefined);
      yield found.value;
    }
  } finally {
    await next.catch(() => undefined);
  }
}

function addSize(sum: number, value: unknown): number {
  return sum + (typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8);
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
