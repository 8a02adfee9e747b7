import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow, flag, plain, record, type RecordOf } from '../../platform/db/record.js';

const signIns = record({
  id: plain<number>(),
  providerId: plain<number>(),
  nonce: plain<string>(),
  codeVerifier: plain<string>(),
  redirectUri: plain<string>(),
  returnTo: plain<string>(),
  starterChallenge: plain<string>(),
  /** True when the provider must ask the person again, even if somebody is signed in there. */
  isFresh: flag(),
  expiresAt: plain<string>(),
});

/** A sign-in by a provider that is under way. Each of its steps happens once. */
export type ProviderSignIn = RecordOf<typeof signIns>;

/** Stores a new sign-in and deletes expired ones. */
export async function insertSignIn(
  app: Store,
  fields: Omit<ProviderSignIn, 'id'> & { stateHash: string },
): Promise<void> {
  await app.db.write('provider_sign_ins').where('expires_at', '<=', timestamp(app.clock)).delete();
  const row = { ...signIns.columns(fields), state_hash: fields.stateHash };
  await insertRow(app.db.write, 'provider_sign_ins', row);
}

/** Claims the sign-in with this state for a provider's answer. Undefined for a repeated or late answer. */
export async function claimAnswered(
  app: Store,
  { providerId, stateHash }: { providerId: number; stateHash: string },
): Promise<ProviderSignIn | undefined> {
  const now = timestamp(app.clock);
  const rows = (await app.db
    .write('provider_sign_ins')
    .where({ provider_id: providerId, state_hash: stateHash })
    .whereNull('answered_at')
    .where('expires_at', '>', now)
    .update({ answered_at: now })
    .returning('*')) as object[];
  return rows[0] && signIns.read(rows[0]);
}

/** Stores the user who signed in, and the code that the starter exchanges for a session until `expiresAt`. */
export async function storeFinished(
  app: Store,
  id: number,
  finished: { userId: number; codeHash: string; expiresAt: string; idToken: string | undefined },
): Promise<void> {
  await app.db
    .write('provider_sign_ins')
    .where({ id })
    .update({
      user_id: finished.userId,
      code_hash: finished.codeHash,
      id_token: finished.idToken ?? null,
      expires_at: finished.expiresAt,
    });
}

const finishedSignIns = record({
  userId: plain<number | null>(),
  providerId: plain<number>(),
  starterChallenge: plain<string>(),
  isFresh: flag(),
  idToken: plain<string | null>(),
  expiresAt: plain<string>(),
});

/** A completed sign-in whose code was not exchanged yet. */
export interface FinishedSignIn extends Omit<
  RecordOf<typeof finishedSignIns>,
  'userId' | 'idToken'
> {
  userId: number;
  idToken: string | undefined;
}

/** Returns the sign-in of a code and deletes the code, however the exchange ends. Call it in a transaction. */
export async function takeFinished(
  app: Store,
  codeHash: string,
): Promise<FinishedSignIn | undefined> {
  const query = () => app.db.write('provider_sign_ins').where({ code_hash: codeHash });
  const found = await finishedSignIns.first(query());
  await query().delete();
  if (found?.userId == null || found.expiresAt <= timestamp(app.clock)) return undefined;
  return { ...found, userId: found.userId, idToken: found.idToken ?? undefined };
}

/** Deletes sign-ins under way: those of a provider, or those of a user whose code was not exchanged yet. */
export async function dropSignIns(
  app: Store,
  which: { provider_id: number } | { user_id: number },
): Promise<void> {
  await app.db.write('provider_sign_ins').where(which).delete();
}
