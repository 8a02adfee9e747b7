import { AppError, type Reason } from '../errors.js';
import { retry } from '../retry.js';
import type { Database } from './database.js';
import type { Dialect } from './dialect.js';
import { isStorageTrouble } from './sqlite-trouble.js';

/**
 * Runs `work` in one transaction: everything is stored, or nothing. Name the parameter `app` too, so that it shadows
 * the outer one: a query on the outer connection would wait for itself. Change nothing but the database inside, because
 * tests, and some databases, run `work` again after rolling it back. Never await the model, a worker thread or the disk
 * inside: all writers of the process wait meanwhile. Errors: `not_found` when the parent of a new row was deleted
 * meanwhile; and as `troubleOf` says, e.g. `database_busy` when another process held the database for longer than
 * busy_timeout_ms. `db.trouble` keeps an error of storing until a trial of writing succeeds: a small row may still fit on
 * a full disk.
 */
export async function inTransaction<A extends { db: Database }, T>(
  app: A,
  work: (app: A) => Promise<T>,
  pool = app.db.write,
): Promise<T> {
  const { dialect } = app.db;
  if (app.db.write.isTransaction === true) return work(app);
  let from = pool;
  const once = () =>
    from.transaction(async (trx) => {
      // knex continues with a transaction that another process kept from beginning, and reports the reason only later.
      if (trx.isCompleted()) throw new Error('the transaction did not begin');
      return work({ ...app, db: { ...app.db, read: trx, write: trx, memory: {} } });
    });
  const mustRepeat = (error: unknown) => {
    // On the one connection for messages, all others would wait for its lock too.
    const givesWay = from !== app.db.write && dialect.isHeldUp(error);
    if (givesWay) from = app.db.write;
    return givesWay || dialect.mustRepeat(error);
  };
  try {
    return await repeat({ mustRepeat }, once);
  } catch (error) {
    const trouble = dialect.troubleOf(error);
    if (isStorageTrouble(trouble)) app.db.trouble = trouble;
    if (trouble !== undefined) throw trouble;
    if (dialect.isReferenceViolation(error)) {
      throw new AppError('not_found', 'The record that this belongs to was deleted meanwhile.', {
        cause: error,
      });
    }
    throw error;
  } finally {
    // After an error too: the transaction may have been stored although the answer was lost.
    app.db.memory.recentReads = undefined;
  }
}

/** How long others may be in the way, in milliseconds: each attempt may wait for a connection, and for locks. */
const longestMs = 10_000;

/** Runs a transaction, or a statement outside of one, up to 25 times within 10 s while others are in its way. */
export function repeat<T>(
  { mustRepeat }: Pick<Dialect, 'mustRepeat'>,
  once: () => Promise<T>,
): Promise<T> {
  const since = performance.now();
  const isInTime = () => performance.now() - since < longestMs;
  const retryAfterMs = (error: unknown) => (mustRepeat(error) && isInTime() ? 0 : undefined);
  return retry(once, { attempts: 25, firstMs: 5, longestMs: 200, retryAfterMs });
}

/**
 * Runs `work` as inTransaction does and rolls everything back. The result or the error is the same, and nothing is
 * stored. Use it only for work on the database: a sent mail cannot be rolled back.
 */
export async function rehearse<A extends { db: Database }, T>(
  app: A,
  work: (app: A) => Promise<T>,
): Promise<T> {
  const answers: T[] = [];
  const takenBack = new Error('taken back');
  try {
    await inTransaction(app, async (app) => {
      answers.push(await work(app));
      throw takenBack;
    });
  } catch (error) {
    if (error !== takenBack) throw error;
  }
  const [answer] = answers as [T];
  return answer;
}

/** Returns the result of `write`. Errors: `conflict` and `taken` when a unique value already exists. */
export async function unlessTaken<T>(
  { db }: { db: Database },
  taken: string | readonly [sentence: string, reason: Reason],
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!db.dialect.isUniqueViolation(error)) throw error;
    const [sentence, reason] = typeof taken === 'string' ? [taken] : taken;
    throw new AppError('conflict', sentence, { reason });
  }
}
