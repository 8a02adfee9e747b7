import type { Knex } from 'knex';
import type { Dialect } from '../dialect.js';

/** Every change of a passage increases its organization's revision, even of its pages, which answers cite. */
export function followPages(dialect: Dialect) {
  return async (trx: Knex): Promise<void> => {
    await dialect.dropRowTrigger(trx, 'passage_moves', 'passages');
    await dialect.createRowTrigger(trx, {
      name: 'passage_moves',
      table: 'passages',
      event: 'update',
      when: '1',
      run: `insert into passage_revisions (organization_id, revision) values (new.organization_id, 1)
        on conflict (organization_id) do update set revision = passage_revisions.revision + 1;`,
    });
  };
}
