import type { Knex } from 'knex';
import { ownedBy, times } from './columns.js';

/** Identity providers for staff, the identities that they confirm, and the sign-ins under way. */
export async function signOnByProviders(trx: Knex): Promise<void> {
  await trx.schema.createTable('identity_providers', (table) => {
    table.increments('id');
    ownedBy(table, 'organization_id', 'organizations');
    table.string('name', 60).notNullable();
    table.string('label', 200).notNullable();
    table.string('issuer', 1000).notNullable();
    table.string('client_id', 300).notNullable();
    // Encrypted. Null for a public client.
    table.text('client_secret');
    table.text('scopes').notNullable();
    // JSON: a list of domains, and a list of {value, role}.
    table.text('allowed_domains').notNullable();
    table.string('role_claim', 200);
    table.text('role_mapping').notNullable();
    table.string('default_role', 20);
    table.boolean('trusts_email').notNullable();
    table.boolean('disabled').notNullable().defaultTo(false);
    times(table, 'created_at', 'updated_at');
    table.unique(['organization_id', 'name']);
  });
  await trx.schema.createTable('user_identities', (table) => {
    table.increments('id');
    ownedBy(table, 'user_id', 'users');
    ownedBy(table, 'provider_id', 'identity_providers');
    // The issuer is part of the key: a provider with a new issuer may give the same subjects to other people.
    table.string('issuer', 1000).notNullable();
    table.string('subject', 255).notNullable();
    times(table, 'created_at', 'last_used_at');
    table.unique(['provider_id', 'issuer', 'subject']);
  });
  await trx.schema.createTable('provider_sign_ins', (table) => {
    table.increments('id');
    ownedBy(table, 'provider_id', 'identity_providers');
    table.string('state_hash', 64).notNullable().unique();
    table.string('nonce', 64).notNullable();
    table.string('code_verifier', 128).notNullable();
    table.string('redirect_uri', 1000).notNullable();
    table.string('return_to', 2000).notNullable();
    // The challenge of the person who started the sign-in. Only that person can exchange the code.
    table.string('starter_challenge', 64).notNullable();
    table.string('answered_at', 24);
    table.integer('user_id').references('id').inTable('users').onDelete('CASCADE').index();
    table.string('code_hash', 64).unique();
    table.string('expires_at', 24).notNullable().index();
  });
  await trx.schema.createTable('sign_in_rules', (table) => {
    table
      .integer('organization_id')
      .primary()
      .references('id')
      .inTable('organizations')
      .onDelete('CASCADE');
    table.boolean('password_sign_in').notNullable();
  });
  await trx.schema.alterTable('refresh_tokens', (table) => {
    // Null for a session that a password opened. A session ends when its provider is deleted.
    table
      .integer('provider_id')
      .references('id')
      .inTable('identity_providers')
      .onDelete('CASCADE')
      .index();
  });
}
