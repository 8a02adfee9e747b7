import type { Knex } from 'knex';
import type { Dialect } from '../dialect.js';
import { passageRevision } from './0034-build-term-index.js';

/** Every change of a passage increases its organization's revision, even of its pages, which answers cite. */
export function followPages(dialect: Dialect) {
  return async (trx: Knex): Promise<void> => {
    await dialect.dropRowTrigger(trx, 'passage_moves', 'passages');
    await dialect.createCountingTrigger(trx, {
      ...{ name: 'passage_moves', table: 'passages', event: 'update', row: 'new' },
      counts: [passageRevision],
    });
  };
}
