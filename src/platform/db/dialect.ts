import type { Knex } from 'knex';

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
  /** Readies a new connection's database for transactions, whether it holds tables yet or not. */
  prepare(db: Knex): Promise<void>;
  /**
   * Makes a transaction a writer before it reads. Without it SQLite answers SQLITE_BUSY at once, whatever
   * busy_timeout says, when another process wrote between this transaction's first read and first write.
   */
  lockForWriting(trx: Knex.Transaction): Promise<void>;
  /** Whether an error means that a unique constraint was hit. */
  isUniqueViolation(error: unknown): boolean;
  /** Whether an error means that another process kept the database locked for too long. */
  isBusy(error: unknown): boolean;
  /** Whether an error means that the database's file, folder or disk takes no more writes. */
  isUnwritable(error: unknown): boolean;
  /**
   * Writes a consistent copy of a whole database, as it was last committed, to a file that is empty or does not exist.
   * Rejects with the signal's reason when that aborts.
   */
  copyTo(file: string, copy: string, signal?: AbortSignal): Promise<void>;
  /** What the database's own integrity check says: `ok`, or the first damage found. */
  checkIntegrity(db: Knex): Promise<string>;
  /** Opens such a copy on its own and checks it. Throws when it is not whole. */
  checkCopy(file: string): Promise<void>;

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
  /** Whether this installation can search by vectors at all. */
  canSearchVectors(db: Knex): Promise<boolean>;
  /**
   * Starts a query of the ids of `passages as p` with a vector of a generation, in the order of how many signs of
   * theirs differ from the code's: nearly the order of the cosine, at a thirtieth of the reading. The caller adds the
   * conditions of its rights, and the limit.
   */
  passagesNearCode(db: Knex, generationId: number, code: Buffer): Knex.QueryBuilder;
  /**
   * Starts a query of those of `ids` (a query of them) with their `similarity`: the cosine of their vector with this one
   * (float32, little-endian), -1 to 1, highest first. The rights are those of `ids`.
   */
  passagesNearVector(
    db: Knex,
    generationId: number,
    vector: Buffer,
    ids: Knex.QueryBuilder,
  ): Knex.QueryBuilder;
}
