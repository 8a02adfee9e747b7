import { createHash } from 'node:crypto';
import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';

/*
 * The addresses from which an account was signed in to. They survive restarts, apply to all servers, and last by
 * privacy.retention.
 */

export async function isKnownPlace(app: Store, place: string): Promise<boolean> {
  const row: unknown = await app.db
    .read('sign_in_places')
    .where({ place_hash: hashOf(place) })
    .first('place_hash');
  return row !== undefined;
}

export async function rememberPlace(app: Store, place: string, userId: number): Promise<void> {
  // Nothing is stored for a user who was deleted meanwhile.
  await app.db.write.raw(
    `insert into sign_in_places (place_hash, user_id, seen_at)
     select ?, id, ? from users where id = ?
     on conflict (place_hash) do update set user_id = excluded.user_id, seen_at = excluded.seen_at`,
    [hashOf(place), timestamp(app.clock), userId],
  );
}

function hashOf(place: string): string {
  return createHash('sha256').update(place).digest('hex');
}
