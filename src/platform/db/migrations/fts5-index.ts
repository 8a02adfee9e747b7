import type { Knex } from 'knex';
import { isSqlite } from './columns.js';

/** The full-text index that 0004 created and 0034 dropped. PostgreSQL never had it. */
export async function createFts5Index(trx: Knex): Promise<void> {
  if (!isSqlite(trx)) return;
  await trx.raw(
    `create virtual table passage_index using fts5(title, body, content='', contentless_delete=1,
     tokenize="unicode61 remove_diacritics 0 tokenchars '_'")`,
  );
  await trx.raw(`create virtual table passage_terms using fts5vocab(passage_index, 'row')`);
}
