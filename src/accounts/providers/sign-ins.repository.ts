import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow } from '../../platform/db/insert-row.js';

/** A sign-in by a provider that has begun and is not over. Each step of it happens once. */
export interface ProviderSignIn {
  id: number;
  providerId: number;
  nonce: string;
  codeVerifier: string;
  redirectUri: string;
  returnTo: string;
  starterChallenge: string;
  /** Whether the provider has to ask the person again, even where somebody is signed in there. */
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

/** Stores one that has begun, and drops those whose time is over. */
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

/** Takes a provider's answer for its sign-in with this state: the first one, in time; undefined for any other. */
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

/** Who signed in, and the code that the starter exchanges for a session until then. */
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

/** A sign-in that has ended well, and is still to be used. */
export interface FinishedSignIn {
  userId: number;
  providerId: number;
  starterChallenge: string;
  isFresh: boolean;
  idToken: string | undefined;
}

/** Takes what a code stands for, in a transaction, and the code away with it, however the exchange ends. */
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

/** Drops the sign-ins that are under way: by a provider, or those of a user whose code is not exchanged yet. */
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
