import type { Knex } from 'knex';
import { ownedBy, times } from './columns.js';

/** The secret for a password account's one-time codes, and the recovery codes for the day when the device is lost. */
export async function addSecondFactor(trx: Knex): Promise<void> {
  await trx.schema.createTable('second_factors', (table) => {
    table.integer('user_id').primary().references('id').inTable('users').onDelete('CASCADE');
    // Encrypted.
    table.text('secret').notNullable();
    // Null until a first code has proved that the person has the secret.
    table.string('confirmed_at', 24);
    // The time step of the last accepted code. Codes of this step or earlier are refused.
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
