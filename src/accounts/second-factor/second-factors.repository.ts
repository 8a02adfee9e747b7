import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { countOf } from '../../platform/db/select-page.js';

/** The secret of a person's authenticator app. */
export interface SecondFactor {
  /** Encrypted. */
  secret: string;
  /** Null until a first code has proved that the person has the secret. */
  confirmedAt: string | null;
  /** The time step of the last accepted code. */
  lastStep: number | null;
}

interface FactorRow {
  user_id: number;
  secret: string;
  confirmed_at: string | null;
  last_step: number | null;
}

export async function findSecondFactor(
  app: Store,
  userId: number,
): Promise<SecondFactor | undefined> {
  const row = await app.db.read<FactorRow>('second_factors').where({ user_id: userId }).first();
  if (row === undefined) return undefined;
  return { secret: row.secret, confirmedAt: row.confirmed_at, lastStep: row.last_step };
}

/** True when sign-ins need a code: the secret is confirmed. Call it inside the transaction that depends on it. */
export async function isCodeAsked(app: Store, userId: number): Promise<boolean> {
  const factor = await findSecondFactor(app, userId);
  return factor !== undefined && factor.confirmedAt !== null;
}

/** Stores a new unconfirmed secret in place of an earlier unconfirmed one. */
export async function storeUnconfirmed(app: Store, userId: number, secret: string): Promise<void> {
  await app.db
    .write('second_factors')
    .insert({
      user_id: userId,
      secret,
      confirmed_at: null,
      last_step: null,
      created_at: timestamp(app.clock),
    })
    .onConflict('user_id')
    .merge();
}

/**
 * Uses up the time step of a code. Returns false when the step was used before or the secret has changed. The first
 * step confirms the secret.
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

/** Deletes the second factor and its recovery codes. */
export async function deleteSecondFactor(app: Store, userId: number): Promise<void> {
  await app.db.write('second_factors').where({ user_id: userId }).delete();
  await app.db.write('recovery_codes').where({ user_id: userId }).delete();
}

export async function storeRecoveryCodes(
  app: Store,
  userId: number,
  hashes: string[],
): Promise<void> {
  await app.db.write('recovery_codes').where({ user_id: userId }).delete();
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }));
  await app.db.write('recovery_codes').insert(rows);
}

/** Uses up a recovery code. Returns false when the person has no such unused code. */
export async function takeRecoveryCode(app: Store, userId: number, hash: string): Promise<boolean> {
  const taken = await app.db
    .write('recovery_codes')
    .where({ user_id: userId, code_hash: hash })
    .whereNull('used_at')
    .update({ used_at: timestamp(app.clock) });
  return taken === 1;
}

export async function countRecoveryCodes(app: Store, userId: number): Promise<number> {
  return countOf(app.db.read('recovery_codes').where({ user_id: userId }).whereNull('used_at'));
}
