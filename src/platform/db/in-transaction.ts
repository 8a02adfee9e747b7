import { AppError } from '../errors.js';
import type { Database } from './database.js';

/**
 * Runs `work` in one transaction: all of it is stored, or nothing. The parameter is to be named `app` too,
 * so that it shadows the outer one: a query on the outer connection would wait for itself. Never await the
 * model, a worker thread or the disk in here: all writers of the process wait meanwhile.
 * Refuses with `not_found` where somebody else has deleted meanwhile what a new row belongs to, with `database_busy`
 * when another process held the database for longer than busy_timeout_ms, and as `troubleOf` says when it can't be
 * written at all: `db.trouble` then holds the refusal until something was stored again.
 */
export async function inTransaction<A extends { db: Database }, T>(
  app: A,
  work: (app: A) => Promise<T>,
): Promise<T> {
  const { dialect, write } = app.db;
  if (write.isTransaction === true) return work(app);
  try {
    const done = await write.transaction(async (trx) => {
      // knex goes on with one that another process kept from beginning, and tells why afterwards.
      if (trx.isCompleted()) throw new Error('the transaction did not begin');
      return work({ ...app, db: { ...app.db, read: trx, write: trx, memory: {} } });
    });
    app.db.trouble = undefined;
    return done;
  } catch (error) {
    const trouble = dialect.troubleOf(error);
    if (trouble !== undefined) {
      app.db.trouble = trouble;
      throw trouble;
    }
    if (dialect.isReferenceViolation(error)) {
      throw new AppError('not_found', 'What this belongs to was deleted meanwhile.', {
        cause: error,
      });
    }
    if (!dialect.isBusy(error)) throw error;
    throw new AppError('database_busy', 'Another process keeps the database busy. Try again.', {
      cause: error,
    });
  }
}

/**
 * Runs `work` as inTransaction does and takes everything back: it answers, or is refused, just as it would be, and
 * nothing is stored. For work that reaches nothing but the database: mail that it sent would stay sent.
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

/** What `write` answers. Refuses with `conflict`, in this sentence, when what must be unique is there already. */
export async function unlessTaken<T>(
  { db }: { db: Database },
  sentence: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!db.dialect.isUniqueViolation(error)) throw error;
    throw new AppError('conflict', sentence);
  }
}
