import type { WithDb } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';

/* Apart from what makes the index: each start asks this, and hardly any makes one. */

/** The format of the stored search data. Raise it with every change: installations then rebuild their index. */
export const indexFormat = 5;

/**
 * True when the stored search data comes from an older version and must be rebuilt. Errors: `database_newer` for data
 * of a newer version, which an older program would destroy.
 */
export async function isIndexOutdated(app: WithDb): Promise<boolean> {
  const stored = (await readFormat(app)) ?? 0;
  if (stored > indexFormat) {
    throw new AppError(
      'database_newer',
      `The search index was made by a newer version of assistant (format ${stored}, this program knows ${indexFormat}). ` +
        'Upgrade this program, or open a copy made before that upgrade.',
    );
  }
  return stored < indexFormat;
}

/** Undefined when somebody deleted the row. */
export async function readFormat(app: WithDb): Promise<number | undefined> {
  const row: { format: number } | undefined = await app.db.read('search_index').first('format');
  return row?.format;
}

export async function writeFormat(app: WithDb, format: number): Promise<void> {
  // The row may have been deleted by hand. Without it, every start would rebuild the index.
  await app.db.write('search_index').insert({ id: 1, format }).onConflict('id').merge();
}
