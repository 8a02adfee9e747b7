import { createHash } from 'node:crypto';
import type { Store } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';

/** The number of attempts in a window, at once or spread (the generic cell rate algorithm). */
export interface AttemptLimit {
  most: number;
  windowMs: number;
}

/** An attempt that counts towards a limit. Limits have no keys in common. */
export interface CountedAttempt {
  limit: AttemptLimit;
  key: string;
}

interface AttemptRow {
  key_hash: string;
  /** The time at which the key has its full limit again, in milliseconds since 1970. */
  full_at: number;
}

/**
 * Counts an attempt towards each of the limits, for all servers. Returns the seconds to wait if one refuses it: then it
 * counts only towards those before that one.
 */
export async function takeAttempt(
  app: Store,
  counted: readonly CountedAttempt[],
): Promise<number | undefined> {
  const now = app.clock.now().getTime();
  // Look without a lock first: whoever goes on guessing must not keep the database busy.
  const waits: (number | undefined)[] = [];
  for (const one of counted) waits.push(await findWait(app, one, now));
  const seconds = waits.find((wait) => wait !== undefined);
  if (seconds !== undefined) return seconds;
  return inTransaction(app, async (app) => {
    const { dialect, write } = app.db;
    await dialect.beginClaim(write);
    for (const one of counted) {
      const intervalMs = intervalOf(one);
      const taken = await write.raw<unknown[]>(
        `insert into sign_in_attempts (key_hash, full_at) values (?, ?)
         on conflict (key_hash) do update set full_at =
           case when sign_in_attempts.full_at > ? then sign_in_attempts.full_at + ? else excluded.full_at end
         where sign_in_attempts.full_at <= ?
         returning key_hash`,
        [
          ...[hashOf(one.key), now + intervalMs, now, intervalMs],
          now + one.limit.windowMs - intervalMs + roundingMs,
        ],
      );
      if (taken.length === 0) return (await findWait(app, one, now)) ?? 1;
    }
    return undefined;
  });
}

/** The sum of many shares differs slightly from the whole. */
const roundingMs = 0.001;

/** The seconds to wait until a limit admits an attempt; undefined when it does now. */
async function findWait(
  app: Store,
  { limit, key }: CountedAttempt,
  now: number,
): Promise<number | undefined> {
  const own = { key_hash: hashOf(key) };
  const row = await app.db.read<AttemptRow>('sign_in_attempts').where(own).first('full_at');
  const waitMs = (row?.full_at ?? 0) + intervalOf({ limit }) - now - limit.windowMs;
  if (waitMs <= roundingMs) return undefined;
  if (waitMs > intervalOf({ limit }) + roundingMs) {
    // The machine's clock was set back.
    const full_at = now + limit.windowMs;
    await app.db.write<AttemptRow>('sign_in_attempts').where(own).update({ full_at });
  }
  return Math.max(1, Math.ceil(Math.min(waitMs, intervalOf({ limit })) / 1000));
}

/** Gives one attempt of a key back. */
export async function giveAttemptBack(app: Store, one: CountedAttempt): Promise<void> {
  await app.db
    .write<AttemptRow>('sign_in_attempts')
    .where({ key_hash: hashOf(one.key) })
    .decrement('full_at', intervalOf(one));
}

/** Forgets the attempts of some keys, and those of all keys that have their full limit again. */
export async function forgetAttempts(app: Store, keys: readonly string[]): Promise<void> {
  await app.db
    .write<AttemptRow>('sign_in_attempts')
    .whereIn('key_hash', keys.map(hashOf))
    .orWhere('full_at', '<', app.clock.now().getTime())
    .delete();
}

function intervalOf({ limit: { most, windowMs } }: Pick<CountedAttempt, 'limit'>): number {
  return windowMs / most;
}

/** A key names an account and an address. It is only compared. */
function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
