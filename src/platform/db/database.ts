import type { Knex } from 'knex';
import type { Dialect } from './dialect.js';

/**
 * The two ways to the store. `read` is a pool that sees committed data only; `write` is one connection, so
 * that writers of this process queue in order instead of failing. Inside `inTransaction` both are the
 * transaction itself.
 */
export interface Database {
  read: Knex;
  write: Knex;
  dialect: Dialect;
  close(): Promise<void>;
}
