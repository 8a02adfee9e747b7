import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';

/** What makes a person's codes: the secret of their authenticator app. */
export interface SecondFactor {
  /** Encrypted. */
  secret: string;
  /** Null until a first code has shown that the person has it. */
  confirmedAt: string | null;
  /** Of the last code that was accepted. */
  lastStep: number | null;
}

interface FactorRow {
  user_id: number;
  secret: string;
  confirmed_at: string | null;
  last_step: number | null;
}

type Store = Pick<App, 'db' | 'clock'>;

export async function findSecondFactor(
  app: Store,
  userId: number,
): Promise<SecondFactor | undefined> {
  const row = await app.db.read<FactorRow>('second_factors').where({ user_id: userId }).first();
  if (row === undefined) return undefined;
  return { secret: row.secret, confirmedAt: row.confirmed_at, lastStep: row.last_step };
}

/** Whether codes are asked for: a first one has confirmed the secret. What relies on it asks in its own transaction. */
export async function isCodeAsked(app: Store, userId: number): Promise<boolean> {
  const factor = await findSecondFactor(app, userId);
  return factor !== undefined && factor.confirmedAt !== null;
}

/** Stores a secret that is yet to be confirmed, in place of one that never was. */
export async function storeUnconfirmed(app: Store, userId: number, secret: string): Promise<void> {
  await app.db
    .write('second_factors')
    .insert({
      ...{ user_id: userId, secret, confirmed_at: null, last_step: null },
      created_at: timestamp(app.clock),
    })
    .onConflict('user_id')
    .merge();
}

/**
 * Takes a code's time step: whether it was not taken before, and the secret is still the one that made it. The first
 * one confirms the secret.
 */
export async function takeStep(
  app: Store,
  userId: number,
  { secret, step }: { secret: string; step: number },
): Promise<boolean> {
  const taken = await app.db
    .write('second_factors')
    .where({ user_id: userId, secret })
    .where((earlier) => {
      void earlier.whereNull('last_step').orWhere('last_step', '<', step);
    })
    .update({
      last_step: step,
      confirmed_at: app.db.write.raw('coalesce(confirmed_at, ?)', [timestamp(app.clock)]),
    });
  return taken === 1;
}

/** With the recovery codes. */
export async function deleteSecondFactor(app: Store, userId: number): Promise<void> {
  await app.db.write('second_factors').where({ user_id: userId }).delete();
  await app.db.write('recovery_codes').where({ user_id: userId }).delete();
}

/** In place of those that were there. */
export async function storeRecoveryCodes(
  app: Store,
  userId: number,
  hashes: string[],
): Promise<void> {
  await app.db.write('recovery_codes').where({ user_id: userId }).delete();
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }));
  await app.db.write('recovery_codes').insert(rows);
}

/** Takes a recovery code: whether the person had it, unused. */
export async function takeRecoveryCode(app: Store, userId: number, hash: string): Promise<boolean> {
  const taken = await app.db
    .write('recovery_codes')
    .where({ user_id: userId, code_hash: hash })
    .whereNull('used_at')
    .update({ used_at: timestamp(app.clock) });
  return taken === 1;
}

export async function countRecoveryCodes(app: Store, userId: number): Promise<number> {
  const counted = (await app.db
    .read('recovery_codes')
    .where({ user_id: userId })
    .whereNull('used_at')
    .count({ count: '*' })
    .first()) as { count: number };
  return counted.count;
}
