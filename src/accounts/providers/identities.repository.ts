import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow } from '../../platform/db/record.js';

/** A person at a provider, bound to an account. Issuer and subject identify the person; subjects are never reused. */
export interface Identity {
  id: number;
  userId: number;
}

export interface IdentityKey {
  providerId: number;
  issuer: string;
  subject: string;
}

interface IdentityRow {
  id: number;
  user_id: number;
  provider_id: number;
  issuer: string;
  subject: string;
}

export async function findIdentity(app: Store, key: IdentityKey): Promise<Identity | undefined> {
  const row = await app.db
    .read<IdentityRow>('user_identities')
    .where({ provider_id: key.providerId, issuer: key.issuer, subject: key.subject })
    .first();
  return row === undefined ? undefined : { id: row.id, userId: row.user_id };
}

/**
 * True when a provider has identified another person as this user. Identities of the provider's earlier issuer do not
 * count: an admin has replaced that issuer.
 */
export async function hasOtherIdentity(
  app: Store,
  userId: number,
  { providerId, issuer }: IdentityKey,
): Promise<boolean> {
  const row: unknown = await app.db
    .read('user_identities')
    .where({ user_id: userId })
    .where((other) => {
      void other.whereNot({ provider_id: providerId }).orWhere({ issuer });
    })
    .first('id');
  return row !== undefined;
}

/** True when an active admin of the organization has signed in by an enabled provider in its present form. */
export async function hasAdminByProvider(app: Store, organizationId: number): Promise<boolean> {
  const row: unknown = await app.db
    .read('user_identities')
    .join('users', 'users.id', 'user_identities.user_id')
    .join('identity_providers', {
      'identity_providers.id': 'user_identities.provider_id',
      'identity_providers.issuer': 'user_identities.issuer',
    })
    .where({ 'identity_providers.disabled': false, 'users.organization_id': organizationId })
    .where({ 'users.role': 'admin', 'users.disabled': false })
    .first('user_identities.id');
  return row !== undefined;
}

/** Removes all identities of the user. Returns the names of their providers. */
export async function deleteIdentitiesOf(app: Store, userId: number): Promise<string[]> {
  const rows: { name: string }[] = await app.db
    .read('user_identities')
    .join('identity_providers', 'identity_providers.id', 'user_identities.provider_id')
    .where({ 'user_identities.user_id': userId })
    .orderBy('user_identities.id')
    .select('identity_providers.name');
  await app.db.write('user_identities').where({ user_id: userId }).delete();
  return rows.map(({ name }) => name);
}

export async function insertIdentity(
  app: Store,
  userId: number,
  { providerId, issuer, subject }: IdentityKey,
): Promise<void> {
  const now = timestamp(app.clock);
  await insertRow(app.db.write, 'user_identities', {
    user_id: userId,
    provider_id: providerId,
    issuer,
    subject,
    created_at: now,
    last_used_at: now,
  });
}

export async function markIdentityUsed(app: Store, id: number): Promise<void> {
  await app.db
    .write('user_identities')
    .where({ id })
    .update({ last_used_at: timestamp(app.clock) });
}
