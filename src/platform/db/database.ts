import type { Knex } from 'knex';
import type { AppError } from '../errors.js';
import type { Dialect } from './dialect.js';

/** What this process remembers of what it has read. Each feature adds its member, and checks that it is not stale. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- features merge their members into it
export interface DatabaseMemory {}

/**
 * The two ways to the store. `read` is a pool that sees committed data only; `write` is one connection, so
 * that writers of this process queue in order instead of failing. Inside `inTransaction` both are the
 * transaction itself.
 */
export interface Database {
  read: Knex;
  write: Knex;
  dialect: Dialect;
  /** A transaction has its own: what it reads may never be stored. */
  memory: DatabaseMemory;
  /** Why the last transaction could not be stored, where the file or the disk was at fault; undefined once one was. */
  trouble: AppError | undefined;
  close(): Promise<void>;
}
