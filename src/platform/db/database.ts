import type { Knex } from 'knex';
import type { AppError } from '../errors.js';
import type { Dialect } from './dialect.js';
import type { Notices } from './notices.js';

/** What this process caches from the database. Each feature adds a member, and checks that it is not stale. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- features merge their members into it
export interface DatabaseMemory {}

/**
 * The two connections to the database. `read` is a pool that sees only committed data. `write` is one connection, so
 * that writers of this process queue in order instead of failing. Inside `inTransaction`, both are the transaction
 * itself.
 */
export interface Database {
  read: Knex;
  write: Knex;
  /**
   * A connection for the transactions that store questions and answers. At once they would make each other fail: a
   * reference to a message reads the end of an index, which each new message changes. Undefined where `write` is the
   * only one anyway.
   */
  messages: Knex | undefined;
  /**
   * A connection for small statements that must not wait for transactions. A crash of the database may lose what it has
   * written. Undefined where one machine has the database alone.
   */
  aside: Knex | undefined;
  /** Hints between the processes that use the database. */
  notices: Notices;
  dialect: Dialect;
  /** A transaction has a cache of its own, because what it reads may be rolled back. */
  memory: DatabaseMemory;
  /** Why the last transaction failed, if the file or the disk was the cause, until a trial of writing succeeds. */
  trouble: AppError | undefined;
  close(): Promise<void>;
}
