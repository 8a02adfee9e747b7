import type { Knex } from 'knex';

/** Sessions that a browser keeps in a cookie, and what each person chooses for the pages of the backoffice. */
export async function openBackoffice(trx: Knex): Promise<void> {
  await trx.schema.alterTable('refresh_tokens', (table) => {
    // The name and system of the browser; null for a token that a program keeps.
    table.string('browser', 100);
    table.text('seen_at');
  });
  await trx.schema.alterTable('users', (table) => {
    table.string('language', 2);
    table.string('time_zone', 60);
    // Null follows the person's system.
    table.string('appearance', 10);
    table.boolean('shortcuts').notNullable().defaultTo(true);
  });
}
