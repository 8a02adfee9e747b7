import type { Knex } from 'knex';
import { ownedBy, times } from './columns.js';

/** What makes the codes that a password account is signed in with, and the codes for the day when it is lost. */
export async function addSecondFactor(trx: Knex): Promise<void> {
  await trx.schema.createTable('second_factors', (table) => {
    table.integer('user_id').primary().references('id').inTable('users').onDelete('CASCADE');
    // Encrypted.
    table.text('secret').notNullable();
    // Null until a first code has shown that the person has it.
    table.string('confirmed_at', 24);
    // The time step of the last code that was accepted: it and earlier ones are not accepted again.
    table.integer('last_step');
    times(table, 'created_at');
  });
  await trx.schema.createTable('recovery_codes', (table) => {
    table.increments('id');
    ownedBy(table, 'user_id', 'users');
    table.string('code_hash', 64).notNullable();
    table.string('used_at', 24);
    table.unique(['user_id', 'code_hash']);
  });
}
