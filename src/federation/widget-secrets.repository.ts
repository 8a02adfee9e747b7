import type { Store } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { plain, record, type RecordOf } from '../platform/db/record.js';

const secrets = record({
  id: plain<number>(),
  keyId: plain<number>('widget_key_id'),
  hash: plain<string>('secret_hash'),
  createdAt: plain<string>(),
  expiresAt: plain<string | null>(),
});

/** A secret with its hash; never show it. */
export type StoredSecret = RecordOf<typeof secrets>;

export async function insertSecret(app: Store, keyId: number, hash: string): Promise<void> {
  await app.db
    .write('widget_secrets')
    .insert({ widget_key_id: keyId, secret_hash: hash, created_at: timestamp(app.clock) });
}

/** The valid secrets of these keys, the newest first. */
export async function findActiveSecrets(app: Store, keyIds: number[]): Promise<StoredSecret[]> {
  const query = app.db
    .read('widget_secrets')
    .whereIn('widget_key_id', keyIds)
    .whereNull('revoked_at')
    .where((still) => {
      void still.whereNull('expires_at').orWhere('expires_at', '>', timestamp(app.clock));
    })
    .orderBy('id', 'desc');
  return secrets.all(query);
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
