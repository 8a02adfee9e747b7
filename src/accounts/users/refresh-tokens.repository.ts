import type { Knex } from 'knex';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { userIdsOf } from './accounts.repository.js';
import { dropSignIns } from '../providers/sign-ins.repository.js';

type Store = Pick<App, 'db' | 'clock'>;

export interface RefreshToken {
  userId: number;
  /** The identity provider that opened the session; null for a password. */
  providerId: number | null;
  family: string;
  expiresAt: string;
  usedAt: string | null;
  revokedAt: string | null;
}

interface RefreshTokenRow {
  user_id: number;
  provider_id: number | null;
  family: string;
  token_hash: string;
  expires_at: string;
  used_at: string | null;
  revoked_at: string | null;
}

export async function insertRefreshToken(
  app: Store,
  token: Pick<RefreshToken, 'userId' | 'providerId' | 'family' | 'expiresAt'> & {
    tokenHash: string;
    /** The provider's ID token, for the first refresh token of a session. */
    idToken?: string | undefined;
  },
): Promise<void> {
  if (token.idToken !== undefined) await forgetIdTokens(app);
  await app.db.write('refresh_tokens').insert({
    user_id: token.userId,
    provider_id: token.providerId,
    id_token: token.idToken ?? null,
    family: token.family,
    token_hash: token.tokenHash,
    expires_at: token.expiresAt,
    created_at: timestamp(app.clock),
  });
}

export async function findRefreshToken(
  app: Store,
  tokenHash: string,
): Promise<RefreshToken | undefined> {
  const row = await app.db
    .read<RefreshTokenRow>('refresh_tokens')
    .where({ token_hash: tokenHash })
    .first();
  if (row === undefined) return undefined;
  return {
    userId: row.user_id,
    providerId: row.provider_id,
    family: row.family,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    revokedAt: row.revoked_at,
  };
}

export async function markRefreshTokenUsed(app: Store, tokenHash: string): Promise<void> {
  await app.db
    .write('refresh_tokens')
    .where({ token_hash: tokenHash })
    .update({ used_at: timestamp(app.clock) });
}

/** The ID token with which a session began, unless the session has ended. */
export async function findIdToken(app: Store, family: string): Promise<string | undefined> {
  const row = await app.db
    .read<RefreshTokenRow & { id_token: string }>('refresh_tokens')
    .where({ family })
    .whereNotNull('id_token')
    .first('id_token');
  return row?.id_token;
}

/** Deletes the ID tokens of expired sessions. */
async function forgetIdTokens(app: Store): Promise<void> {
  await app.db
    .write('refresh_tokens')
    .whereNotNull('id_token')
    .where('expires_at', '<=', timestamp(app.clock))
    .update({ id_token: null });
}

/** Ends every token of one sign-in. */
export async function revokeRefreshFamily(app: Store, family: string): Promise<void> {
  await revoke(app, { family });
}

/** Ends every session of a user, and every sign-in that is about to open one. */
export async function revokeSessionsOf(app: Store, userId: number): Promise<void> {
  await revoke(app, { user_id: userId });
  await dropSignIns(app, { user_id: userId });
}

/** Ends every session that an identity provider opened, and its sign-ins under way. */
export async function revokeSessionsBy(app: Store, providerId: number): Promise<void> {
  await revoke(app, { provider_id: providerId });
  await dropSignIns(app, { provider_id: providerId });
}

/** Ends every session of the organization's people that a password opened. */
export async function revokePasswordSessions(app: Store, organizationId: number): Promise<void> {
  await revoke(app, { provider_id: null }, userIdsOf(app, organizationId));
}

async function revoke(
  app: Store,
  which: Partial<Pick<RefreshTokenRow, 'family' | 'user_id' | 'provider_id'>>,
  users?: Knex.QueryBuilder,
): Promise<void> {
  const query = app.db.write('refresh_tokens').where(which).whereNull('revoked_at');
  if (users !== undefined) void query.whereIn('user_id', users);
  await query.update({ revoked_at: timestamp(app.clock), id_token: null });
}
