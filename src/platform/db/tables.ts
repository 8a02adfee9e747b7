import type { Knex } from 'knex';

/** A column of a table that is copied. */
export interface TableColumn {
  name: string;
  /** True for a part of the primary key. */
  isKey: boolean;
  /** The value as this engine stores it, of one that any engine gave. */
  stored: (value: unknown) => unknown;
}

/** What copying all rows to another engine needs to know of one. */
export interface EngineTables {
  /** The names of the tables that hold data, without those of an index, by name. */
  list(db: Knex): Promise<string[]>;
  columnsOf(db: Knex, table: string): Promise<TableColumn[]>;
  /** The tables that rows of others refer to. */
  references(db: Knex): Promise<{ table: string; parent: string }[]>;
  /** Runs `read` on the state of one moment, whatever others write meanwhile. The pool must have one connection. */
  inSnapshot<T>(db: Knex, read: (db: Knex) => Promise<T>): Promise<T>;
  /** Keeps triggers and references from running until `resumeTriggers`, also after a crash. Does nothing the second time. */
  pauseTriggers(db: Knex): Promise<void>;
  /** Undoes `pauseTriggers`, and fills the indexes that triggers fill. */
  resumeTriggers(db: Knex): Promise<void>;
  /** The last number that each table with numbered rows has given, also to a row that is gone. */
  lastNumbers(db: Knex): Promise<{ table: string; last: number }[]>;
  /** The next row of a table gets a number after `last`. */
  continueAfter(db: Knex, table: string, last: number): Promise<void>;
}
