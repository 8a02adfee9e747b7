import type { App } from '../app.js';
import { inTransaction } from '../db/in-transaction.js';
import { isStorageTrouble } from '../db/sqlite-trouble.js';
import { AppError } from '../errors.js';

/**
 * Runs work that keeps figures, in one transaction. Figures must be readable while the database accepts no writes: then
 * it returns undefined. Any other failure is a bug, and is thrown.
 */
export async function ifWritable<T>(
  app: App,
  work: (app: App) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await inTransaction(app, work);
  } catch (error) {
    const isBusy = error instanceof AppError && error.code === 'database_busy';
    if (!isBusy && !isStorageTrouble(error)) throw error;
    app.log.warn({ err: error }, 'figures could not be kept');
    return undefined;
  }
}
