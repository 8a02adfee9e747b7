import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';

/* Apart from what makes the index: each start asks this, and hardly any makes one. */

type Store = Pick<App, 'db'>;

/** Of what is stored to find passages. Raise it whenever that changes: every installation makes it anew then. */
export const indexFormat = 1;

/**
 * Whether what is stored to find passages is of an older version of the program, so that it is to be made anew. Refuses
 * with `database_newer` what a newer version stored: an older program would undo it.
 */
export async function isIndexOutdated(app: Store): Promise<boolean> {
  const stored = await readFormat(app);
  if (stored > indexFormat) {
    throw new AppError(
      'database_newer',
      `The search index was made by a newer version of assistant (format ${stored}, this program knows ${indexFormat}). ` +
        'Upgrade this program, or open a copy made before that upgrade.',
    );
  }
  return stored < indexFormat;
}

/** The format in which the index is stored. */
export async function readFormat(app: Store): Promise<number> {
  const row: { format: number } | undefined = await app.db.read('search_index').first('format');
  return row?.format ?? 0;
}

export async function writeFormat(app: Store, format: number): Promise<void> {
  await app.db.write('search_index').where({ id: 1 }).update({ format });
}
