import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow } from '../../platform/db/insert-row.js';

/** Whom a provider vouches for, bound to an account here: by issuer and subject, which no other person ever gets. */
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

type Store = Pick<App, 'db' | 'clock'>;

export async function findIdentity(app: Store, key: IdentityKey): Promise<Identity | undefined> {
  const row = await app.db
    .read<IdentityRow>('user_identities')
    .where({ provider_id: key.providerId, issuer: key.issuer, subject: key.subject })
    .first();
  return row === undefined ? undefined : { id: row.id, userId: row.user_id };
}

/** Whether the provider already vouches for another person as this user. */
export async function hasIdentityAt(
  app: Store,
  userId: number,
  { providerId, issuer }: IdentityKey,
): Promise<boolean> {
  const row: unknown = await app.db
    .read('user_identities')
    .where({ user_id: userId, provider_id: providerId, issuer })
    .first('id');
  return row !== undefined;
}

export async function insertIdentity(
  app: Store,
  userId: number,
  { providerId, issuer, subject }: IdentityKey,
): Promise<void> {
  const now = timestamp(app.clock);
  await insertRow(app.db.write, 'user_identities', {
    ...{ user_id: userId, provider_id: providerId, issuer, subject },
    ...{ created_at: now, last_used_at: now },
  });
}

export async function markIdentityUsed(app: Store, id: number): Promise<void> {
  await app.db
    .write('user_identities')
    .where({ id })
    .update({ last_used_at: timestamp(app.clock) });
}
