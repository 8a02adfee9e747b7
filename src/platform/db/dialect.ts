import type { Knex } from 'knex';
import type { AppError } from '../errors.js';

/** A passage by its number; of a higher score the better. */
export interface ScoredPassage {
  id: number;
  score: number;
}

/** What the database itself does after each row that is inserted, changed or deleted. */
export interface RowTrigger {
  name: string;
  table: string;
  /** `insert`, `delete`, or `update of <columns>`. */
  event: string;
  /** A condition on `new` and `old`. */
  when: string;
  /** SQL statements, each ended by a semicolon. */
  run: string;
}

/** All that differs between databases. Everything else in the product is plain knex. */
export interface Dialect {
  readonly name: 'sqlite';
  /** Makes a database of a new file, so that those that only read can open it; changes nothing of one that is there. */
  prepare(db: Knex): Promise<void>;
  /** Whether an error means that a unique constraint was hit. */
  isUniqueViolation(error: unknown): boolean;
  /** Whether an error means that a row refers to one that is not there. */
  isReferenceViolation(error: unknown): boolean;
  /** Whether an error means that another process kept the database locked for too long. */
  isBusy(error: unknown): boolean;
  /** The refusal that an error stands for, where the database's file or disk is at fault; undefined for all else. */
  troubleOf(error: unknown, file?: string): AppError | undefined;
  /** Stores 64 KB and deletes them, outside of any transaction. Throws what keeps the database from being written. */
  tryWriting(db: Knex): Promise<void>;
  /**
   * Writes a consistent copy of a whole database, as it was last committed, to a file that is empty or does not exist.
   * Rejects with the signal's reason when that aborts.
   */
  copyTo(file: string, copy: string, signal?: AbortSignal): Promise<void>;
  /** What the database's own integrity check says: `ok`, or the first damage found. */
  checkIntegrity(db: Knex): Promise<string>;
  /** Opens such a copy on its own and checks it. Throws when it is not whole. */
  checkCopy(file: string): Promise<void>;

  /**
   * Rewrites the whole file, outside of any transaction, so that neither it nor its log holds anything that was deleted.
   * Needs as much free space as the database takes, and writers wait meanwhile. Answers false where others read for too
   * long: the log holds the old pages then.
   */
  rewrite(db: Knex): Promise<boolean>;

  createRowTrigger(trx: Knex, trigger: RowTrigger): Promise<void>;

  /**
   * Starts a query over a table of those rows whose key is one of the numbers, of which there may be thousands. It finds
   * them by this key, whatever further conditions there are. `table` may have a name (`passages as p`).
   */
  rowsWithKey(db: Knex, table: string, key: string, numbers: readonly number[]): Knex.QueryBuilder;
  /**
   * A subquery of the entries (`entry_id`, `score`: that of its best passage) of passages by their number. The caller
   * joins it, and adds the conditions of its rights.
   */
  entriesOfPassages(db: Knex, passages: readonly ScoredPassage[]): Knex.QueryBuilder;
  /**
   * The next vector codes of a generation after a passage and up to another, by their passages: numbers, and codes one
   * after the other. All in one row: as rows of their own they would take ten times as long to read.
   */
  readVectorCodes(
    db: Knex,
    generationId: number,
    range: { after: number; upTo: number; limit: number },
  ): Promise<{ ids: number[]; codes: Buffer }>;
  /** The vectors of passages of a generation, of which there may be thousands, in no order. */
  readVectors(
    db: Knex,
    generationId: number,
    passageIds: readonly number[],
  ): Promise<{ id: number; vector: Buffer }[]>;
}
