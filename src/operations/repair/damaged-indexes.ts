import { openSqlite } from '../../platform/db/open-sqlite.js';
import { copySqlite } from '../../platform/db/sqlite-file.js';
import type { Damage } from './damage.js';

/** SQLite's message for an index that does not agree with its table. */
const ofIndex = /missing from index|entries in index|^non-unique entry/;

export const putBack =
  'Put back the last backup: assistant backup list, then: assistant restore <file>';

/** True when SQLite's messages report only damaged indexes. */
export function isOfIndex(line: string): boolean {
  return ofIndex.test(line);
}

/** Indexes of SQLite that disagree with their tables, from which they can be made. Other damage needs a backup. */
export const indexes: Damage = {
  name: 'indexes',
  status: 'failed',
  inEverySchema: true,
  async find({ db }, { withoutFile = false } = {}) {
    const lines = withoutFile
      ? [await db.dialect.checkIntegrity(db.read)].filter((line) => line !== 'ok')
      : await db.dialect.listDamage(db.read);
    return lines.map((what) => (isOfIndex(what) ? { what } : { what, remedy: putBack }));
  },
  async mend({ db }) {
    const lines = await db.dialect.listDamage(db.read);
    if (!lines.some(isOfIndex)) return [];
    await db.write.raw('reindex');
    return ['made all indexes of the database anew'];
  },
};

/** Copies a database and rebuilds the copy's indexes: a copy with damaged ones would be refused as a backup. */
export async function copyWithWholeIndexes(
  file: string,
  copy: string,
  signal?: AbortSignal,
): Promise<void> {
  await copySqlite(file, copy, signal);
  const db = openSqlite(copy, 1, []);
  try {
    await db.raw('reindex');
  } finally {
    await db.destroy();
  }
}
