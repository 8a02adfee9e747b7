import type { Knex } from 'knex';

/** A column of a table that is copied. */
export interface TableColumn {
  name: string;
  /** Its type, as this engine names it. */
  type: string;
  /** True for a part of the primary key. */
  isKey: boolean;
}

/** Keeps the statements that make again what `beginFilling` took away. */
export const takenAway = 'taken_away';

/** What copying all rows to another engine needs to know of one. */
export interface EngineTables {
  /** The names of the tables that hold data, without those of an index, by name. */
  list(db: Knex): Promise<string[]>;
  columnsOf(db: Knex, table: string): Promise<TableColumn[]>;
  /** Inserts rows of values, in the order of the columns, that any engine gave. */
  insert(
    trx: Knex,
    table: string,
    columns: readonly TableColumn[],
    rows: readonly (readonly unknown[])[],
  ): Promise<void>;
  /** Runs `read` on the state of one moment, whatever others write meanwhile. The pool must have one connection. */
  inSnapshot<T>(db: Knex, read: (db: Knex) => Promise<T>): Promise<T>;
  /**
   * Takes away what would look at each row that is written: triggers, references, and indexes that are not for
   * uniqueness. The second call, after a crash, does nothing.
   */
  beginFilling(db: Knex): Promise<void>;
  /** Puts them back, in a transaction, and fills all indexes. Throws for a reference to a missing row. */
  endFilling(trx: Knex): Promise<void>;
  /** The last number that each table with numbered rows has given, also to a row that is gone. */
  lastNumbers(db: Knex): Promise<{ table: string; last: number }[]>;
  /** The next row of a table gets a number after `last`. */
  continueAfter(db: Knex, table: string, last: number): Promise<void>;
}
