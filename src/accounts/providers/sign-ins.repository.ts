import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow } from '../../platform/db/insert-row.js';

/** A sign-in by a provider that is under way. Each of its steps happens once. */
export interface ProviderSignIn {
  id: number;
  providerId: number;
  nonce: string;
  codeVerifier: string;
  redirectUri: string;
  returnTo: string;
  starterChallenge: string;
  /** True when the provider must ask the person again, even if somebody is signed in there. */
  isFresh: boolean;
  expiresAt: string;
}

interface SignInRow {
  id: number;
  provider_id: number;
  state_hash: string;
  nonce: string;
  code_verifier: string;
  redirect_uri: string;
  return_to: string;
  starter_challenge: string;
  answered_at: string | null;
  user_id: number | null;
  code_hash: string | null;
  is_fresh: boolean | number;
  id_token: string | null;
  expires_at: string;
}

type Store = Pick<App, 'db' | 'clock'>;

/** Stores a new sign-in and deletes expired ones. */
export async function insertSignIn(
  app: Store,
  fields: Omit<ProviderSignIn, 'id'> & { stateHash: string },
): Promise<void> {
  await app.db.write('provider_sign_ins').where('expires_at', '<=', timestamp(app.clock)).delete();
  await insertRow(app.db.write, 'provider_sign_ins', {
    provider_id: fields.providerId,
    state_hash: fields.stateHash,
    nonce: fields.nonce,
    code_verifier: fields.codeVerifier,
    redirect_uri: fields.redirectUri,
    return_to: fields.returnTo,
    starter_challenge: fields.starterChallenge,
    is_fresh: fields.isFresh,
    expires_at: fields.expiresAt,
  });
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
    .returning('*')) as SignInRow[];
  return rows[0] === undefined ? undefined : toSignIn(rows[0]);
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

/** A completed sign-in whose code was not exchanged yet. */
export interface FinishedSignIn {
  userId: number;
  providerId: number;
  starterChallenge: string;
  isFresh: boolean;
  idToken: string | undefined;
}

/** Returns the sign-in of a code and deletes the code, however the exchange ends. Call it in a transaction. */
export async function takeFinished(
  app: Store,
  codeHash: string,
): Promise<FinishedSignIn | undefined> {
  const query = () => app.db.write<SignInRow>('provider_sign_ins').where({ code_hash: codeHash });
  const row = await query().first();
  await query().delete();
  if (row?.user_id == null || row.expires_at <= timestamp(app.clock)) return undefined;
  return {
    userId: row.user_id,
    providerId: row.provider_id,
    starterChallenge: row.starter_challenge,
    isFresh: Boolean(row.is_fresh),
    idToken: row.id_token ?? undefined,
  };
}

/** Deletes sign-ins under way: those of a provider, or those of a user whose code was not exchanged yet. */
export async function dropSignIns(
  app: Store,
  which: { provider_id: number } | { user_id: number },
): Promise<void> {
  await app.db.write('provider_sign_ins').where(which).delete();
}

function toSignIn(row: SignInRow): ProviderSignIn {
  return {
    id: row.id,
    providerId: row.provider_id,
    nonce: row.nonce,
    codeVerifier: row.code_verifier,
    redirectUri: row.redirect_uri,
    returnTo: row.return_to,
    starterChallenge: row.starter_challenge,
    isFresh: Boolean(row.is_fresh),
    expiresAt: row.expires_at,
  };
}
