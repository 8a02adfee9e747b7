import type { Database } from './database.js';
import { inTransaction } from './in-transaction.js';

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
