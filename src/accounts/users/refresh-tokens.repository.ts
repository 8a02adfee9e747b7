import type { Knex } from 'knex';
import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { plain, record, type RecordOf } from '../../platform/db/record.js';
import { userIdsOf } from './accounts.repository.js';
import { dropSignIns } from '../providers/sign-ins.repository.js';

const tokens = record({
  userId: plain<number>(),
  /** The identity provider that opened the session; null for a password. */
  providerId: plain<number | null>(),
  family: plain<string>(),
  expiresAt: plain<string>(),
  usedAt: plain<string | null>(),
  revokedAt: plain<string | null>(),
});

export type RefreshToken = RecordOf<typeof tokens>;

export async function insertRefreshToken(
  app: Store,
  token: Pick<RefreshToken, 'userId' | 'providerId' | 'family' | 'expiresAt'> & {
    tokenHash: string;
    /** The provider's ID token, for the first refresh token of a session. */
    idToken?: string | undefined;
    /** The browser that keeps the secret in a cookie. Undefined for a token that a program keeps. */
    browser?: string | undefined;
  },
): Promise<void> {
  if (token.idToken !== undefined) await forgetIdTokens(app);
  await app.db.write('refresh_tokens').insert({
    ...tokens.columns(token),
    token_hash: token.tokenHash,
    id_token: token.idToken ?? null,
    created_at: timestamp(app.clock),
    ...(token.browser === undefined
      ? {}
      : { browser: token.browser, seen_at: timestamp(app.clock) }),
  });
}

/** Never finds the secret of a browser's cookie, which opens nothing but the pages of the backoffice. */
export async function findRefreshToken(
  app: Store,
  tokenHash: string,
): Promise<RefreshToken | undefined> {
  const query = app.db.read('refresh_tokens').where({ token_hash: tokenHash });
  return tokens.first(query.whereNull('browser'));
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
    .read<{ family: string; id_token: string }>('refresh_tokens')
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
  which: { family: string } | { user_id: number } | { provider_id: number | null },
  users?: Knex.QueryBuilder,
): Promise<void> {
  const query = app.db.write('refresh_tokens').where(which).whereNull('revoked_at');
  if (users !== undefined) void query.whereIn('user_id', users);
  await query.update({ revoked_at: timestamp(app.clock), id_token: null });
}
