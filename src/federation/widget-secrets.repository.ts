import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import type { WidgetSecret } from './widget-key.js';

/** A secret with its hash; never show it. */
export interface StoredSecret extends WidgetSecret {
  keyId: number;
  hash: string;
}

interface SecretRow {
  id: number;
  widget_key_id: number;
  secret_hash: string;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
}

type Store = Pick<App, 'db' | 'clock'>;

export async function insertSecret(app: Store, keyId: number, hash: string): Promise<void> {
  await app.db
    .write('widget_secrets')
    .insert({ widget_key_id: keyId, secret_hash: hash, created_at: timestamp(app.clock) });
}

/** The valid secrets of these keys, the newest first. */
export async function findActiveSecrets(app: Store, keyIds: number[]): Promise<StoredSecret[]> {
  const rows = await app.db
    .read<SecretRow>('widget_secrets')
    .whereIn('widget_key_id', keyIds)
    .whereNull('revoked_at')
    .where((still) => {
      void still.whereNull('expires_at').orWhere('expires_at', '>', timestamp(app.clock));
    })
    .orderBy('id', 'desc')
    .select('*');
  return rows.map((row) => ({
    id: row.id,
    keyId: row.widget_key_id,
    hash: row.secret_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }));
}

export async function expireSecret(app: Store, id: number, expiresAt: string): Promise<void> {
  await app.db.write('widget_secrets').where({ id }).update({ expires_at: expiresAt });
}

export async function revokeSecrets(app: Store, ids: number[]): Promise<void> {
  await app.db
    .write('widget_secrets')
    .whereIn('id', ids)
    .update({ revoked_at: timestamp(app.clock) });
}
