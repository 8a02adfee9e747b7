import { inTransaction } from '../../platform/db/in-transaction.js';
import { listAstray, mendReferences } from '../../platform/db/references.js';
import { count, type Damage } from './damage.js';

const claim = 'assistant apps create, then assistant domains create --host … --app …';

/** Rows whose parents somebody deleted with a tool that does not enforce foreign keys. */
export const references: Damage = {
  name: 'references',
  status: 'warning',
  inEverySchema: true,
  async find({ db }) {
    return (await listAstray(db.read)).map((what) => ({ what }));
  },
  async mend(app, kept) {
    const mended = await inTransaction(app, ({ db }) => mendReferences(db.write, kept));
    return mended.map(({ table, column, parent, rows, how }) => {
      const what = count(rows, 'row');
      const why = `${rows === 1 ? 'it refers' : 'they refer'} to none of ${parent}`;
      if (how === 'emptied') {
        const isUnplaced = table === 'knowledge_entries' && column === 'app_id';
        const hint = isUnplaced
          ? `. Nobody finds them until an app has their domain: ${claim}`
          : '';
        return `emptied ${column} in ${what} of ${table}, because ${why}${hint}`;
      }
      return kept.isKept(table)
        ? `moved ${what} of ${table}, and what belongs to it, to the file of removed rows, because ${why}`
        : `deleted ${what} of ${table}, because ${why}`;
    });
  },
};
