import type { Knex } from 'knex';
import type { AppError } from '../errors.js';
import type { EngineTables } from './tables.js';

/** A trigger that runs after each inserted, changed or deleted row, or before. */
export interface RowTrigger {
  /** Default: after. */
  timing?: 'before' | 'after';
  name: string;
  table: string;
  /** `insert`, `delete`, or `update of <columns>`. */
  event: string;
  /** A condition on `new` and `old`. */
  when: string;
  /** SQL statements, each ended by a semicolon. */
  run: string;
}

/** A trigger that counts rows which are inserted, deleted or updated. */
export interface CountingTrigger {
  name: string;
  /** Its rows have an `id`. */
  table: string;
  event: 'insert' | 'delete' | 'update';
  /** Of an update: the columns that count when they change. Default: all. */
  columns?: string;
  /** Whether a row counts as it was or as it is. */
  row: 'old' | 'new';
  /** A condition on the row. Default: all rows. */
  when?: (row: string) => string;
  counts: readonly Count[];
}

/** A number per key, which rises or falls by one for each row. One that falls to 0 is deleted. */
interface Count {
  table: string;
  /** The columns of the key, and their values of a row. */
  key: string;
  keyOf: (row: string) => string;
  column: string;
  falls?: boolean;
}

/** Databases that are files. */
export interface DatabaseFiles {
  /**
   * Writes a consistent copy of the last committed state to a file that is empty or does not exist. Rejects with the
   * signal's reason when the signal aborts.
   */
  copyTo(file: string, copy: string, signal?: AbortSignal): Promise<void>;
  /** Opens such a copy and checks it. Throws when it is damaged. */
  checkCopy(file: string): Promise<void>;
  /** True when the disk of a database has no room for the files beside it. */
  isDiskFull(file: string): boolean;
}

/** Everything that differs between databases. All other code uses plain knex. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  isUniqueViolation(error: unknown): boolean;
  /** True when a row refers to a row that does not exist. */
  isReferenceViolation(error: unknown): boolean;
  /** True when a transaction failed because another one was in its way: run again, it may succeed. */
  mustRepeat(error: unknown): boolean;
  /** True when a lock was not to be had in time. */
  isHeldUp(error: unknown): boolean;
  /**
   * Converts an error that the database's file, its disk, the way to it, or other processes in the way caused, the last two
   * to `database_busy`. Undefined for any other error. `name`: what people know the database by.
   */
  troubleOf(error: unknown, name?: string): AppError | undefined;
  /** Stores and deletes 64 KB, outside of any transaction. Throws the reason when the database can't be written. */
  tryWriting(db: Knex): Promise<void>;
  /** The result of the database's own integrity check: `ok`, or the first damage. */
  checkIntegrity(db: Knex): Promise<string>;
  /** The damages that a complete check finds; at most 20. */
  listDamage(db: Knex): Promise<string[]>;
  /**
   * References to missing rows, one sentence for each pair of tables. Not damage of the engine's: somebody deleted rows
   * with a tool that does not enforce foreign keys. Empty where the engine enforces them always.
   */
  listAstray(db: Knex): Promise<string[]>;
  /** The size of everything, in bytes. */
  sizeOf(db: Knex): Promise<number>;
  readonly tables: EngineTables;
  /** Undefined where a database is no file. */
  readonly files: DatabaseFiles | undefined;

  /**
   * Rewrites the whole file, outside of any transaction, so that neither the file nor its log contains deleted data. Makes
   * the full-text index of messages anew.
   * Needs as much free space as the database takes, and blocks writers meanwhile. Returns false when other readers were
   * active for too long: then the log still holds old pages.
   */
  rewrite(db: Knex): Promise<boolean>;

  /**
   * The first statement of a transaction that changes the schema: only one runs at a time, and the next sees what it did.
   */
  lockSchema(trx: Knex): Promise<void>;
  /**
   * Inside a transaction that changes the schema: the places from which programs below a `schemaLevel` are connected, one
   * for each connection. With none, no program can connect until the transaction ends.
   */
  keepOlderAway(trx: Knex, level: string): Promise<string[]>;
  /**
   * The first statement of a transaction that takes one of many jobs. Such transactions may run at once, and then they
   * see each other's changes: nothing in them may depend on what they have read, but for rows of `passingLocked`.
   */
  beginClaim(trx: Knex): Promise<void>;
  /** Of a query's rows those that no other transaction has taken. They are locked, as long as this one lasts. */
  passingLocked(query: Knex.QueryBuilder): Knex.QueryBuilder;

  /**
   * Has transactions that lock the same table come one after the other. Whoever adds rows that readers follow by "id
   * greater than n" does, before the first row: then no row appears after one with a higher id. As the first statement
   * of a transaction it lets the transaction see what the one before has done; later it may have to be repeated.
   * Nobody else can write the table meanwhile, so it need not be that of the rows.
   */
  lockOrder(trx: Knex, table: string): Promise<void>;

  createRowTrigger(trx: Knex, trigger: RowTrigger): Promise<void>;
  /** Counting is much faster here than with a row trigger, where many rows change at once. `dropRowTrigger` drops it. */
  createCountingTrigger(trx: Knex, trigger: CountingTrigger): Promise<void>;
  dropRowTrigger(trx: Knex, name: string, table: string): Promise<void>;

  /**
   * A query of the messages of an organization that contain all words of a text, as `message_id`. A word of three letters
   * or more also finds its other forms and longer words that begin with it, and words in quotes must stand side by side as they are. Accents
   * and case do not count. Undefined for a text without a word.
   */
  messagesWithWords(
    db: Knex,
    organizationId: number,
    text: string,
    formsOf: (word: string) => readonly string[],
  ): Knex.QueryBuilder | undefined;

  /** A condition: a column has one of some values, possibly thousands. They are bound as one, so that the statement stays the same. */
  isAmong(db: Knex, column: string, values: readonly (string | number)[]): Knex.Raw;
  /**
   * Starts a query over the rows of a table whose key is one of `numbers`, possibly thousands. The query uses this key
   * as its index, whatever conditions follow. `table` may have an alias (`passages as p`).
   */
  rowsWithKey(db: Knex, table: string, key: string, numbers: readonly number[]): Knex.QueryBuilder;
  /**
   * Rows of values, possibly thousands, as a table of a query: the names and types of its columns, and the values in the
   * same order. They are bound as one, so that the statement stays the same.
   */
  tableOf(
    db: Knex,
    alias: string,
    columns: Record<string, 'text' | 'integer' | 'double precision'>,
    rows: readonly (readonly (string | number | null)[])[],
  ): Knex.Raw;
  /** A join whose left side is read first, where the engine would choose otherwise. */
  readonly joinInOrder: string;
  /** Stands before a column of numbers in a condition, and keeps the engine from using an index of the column. */
  readonly unindexed: string;
  /** The text of a field of a JSON object in a column of texts. */
  jsonField(column: string, field: string): string;
  /** The columns by which the rows of a table are told apart and sorted in the order of creation. No change alters them. */
  rowPlace(db: Knex, table: string): Promise<string[]>;
  /**
   * The next vector codes of a generation, after one passage id and up to another: the passage ids, and the codes in
   * sequence. All codes come in one row, because separate rows would take ten times as long to read.
   */
  readVectorCodes(
    db: Knex,
    generationId: number,
    range: { after: number; upTo: number; limit: number },
  ): Promise<{ ids: number[]; codes: Buffer }>;
}
