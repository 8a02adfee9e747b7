import { failWithoutFile, listWithoutFile } from '../../ingestion/batches/uploads.repository.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { mendReferences } from '../../platform/db/references.js';
import { indexFormat } from '../../search/term-index/index-format.js';
import { counted } from '../../platform/text/counted.js';
import type { Damage, Store } from './damage.js';

interface RequiredRow {
  table: string;
  row: Record<string, number>;
  /** The consequence of its absence. */
  without: string;
}

/** Rows that migrations create once, and that the program only changes. */
const required: readonly RequiredRow[] = [
  { table: 'embedding_work', row: { id: 1 }, without: 'no vectors are made' },
  {
    table: 'search_index',
    // The next kind of damage compares the data with this format.
    row: { id: 1, format: indexFormat },
    without: 'each start rebuilds the search index',
  },
  {
    table: 'erasure_work',
    // Claims that data was erased: rewriting the file once too often is safe.
    row: { id: 1, erased: 1, rewritten: 0 },
    without: 'erased data stays in free pages of the file',
  },
];

/** Rows of the program's own state that somebody deleted. */
export const state: Damage = {
  name: 'state',
  status: 'failed',
  async find(app) {
    const missing = await listMissing(app);
    return missing.map(({ table, without }) => ({ what: `${table} is empty, so ${without}` }));
  },
  async mend(app) {
    return inTransaction(app, async (app) => {
      const missing = await listMissing(app);
      for (const { table, row } of missing) await app.db.write(table).insert(row);
      return missing.map(({ table }) => `put back the row of ${table}`);
    });
  },
};

async function listMissing({ db }: Pick<Store, 'db'>): Promise<RequiredRow[]> {
  const missing: RequiredRow[] = [];
  for (const one of required) {
    if ((await db.read(one.table).where({ id: 1 }).first('id')) === undefined) missing.push(one);
  }
  return missing;
}

const claim = 'assistant apps create, then assistant domains create --host … --app …';

/** Rows whose parents somebody deleted with a tool that does not enforce foreign keys. */
export const references: Damage = {
  name: 'references',
  status: 'warning',
  inEverySchema: true,
  async find({ db }) {
    return (await db.dialect.listAstray(db.read)).map((what) => ({ what }));
  },
  async mend(app, kept) {
    const mended = await inTransaction(app, ({ db }) => mendReferences(db.write, kept));
    return mended.map(({ table, column, parent, rows, how }) => {
      const what = counted(rows, 'row');
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

/** Uploaded files whose stored bytes are incomplete. Files without a batch are found by `references`. */
export const files: Damage = {
  name: 'files',
  status: 'warning',
  async find(app) {
    return (await listWithoutFile(app)).map(({ id, fileName, status }) => {
      const what = `the stored file ${JSON.stringify(fileName)} of batch ${id} is not whole`;
      const remedy = `The entries of the batch stand. To store the file again: assistant ingest --force with this file`;
      return status === 'completed' ? { what, remedy } : { what };
    });
  },
  async mend(app) {
    return inTransaction(app, async (app) => {
      const lost = await listWithoutFile(app);
      const unread = lost.filter(({ status }) => status !== 'completed');
      for (const { id } of unread) await failWithoutFile(app, id);
      return unread.map(({ id, fileName }) => {
        return `ended batch ${id}, which could never be read: upload ${JSON.stringify(fileName)} again`;
      });
    });
  },
};
