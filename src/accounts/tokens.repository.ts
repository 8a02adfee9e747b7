import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';

export interface SigningKey {
  kid: string;
  /** base64url of 32 random bytes. */
  secret: string;
}

export interface ApiToken {
  jti: string;
  userId: number;
  name: string;
  expiresAt: string | null;
}

type Store = Pick<App, 'db' | 'clock'>;

/** The keys that verify; the newest one signs. */
export async function listSigningKeys(app: Store): Promise<SigningKey[]> {
  return app.db
    .read<SigningKey & { retired_at: string | null; created_at: string }>('signing_keys')
    .whereNull('retired_at')
    .orderBy('created_at', 'desc')
    .select('kid', 'secret');
}

export async function insertSigningKey(app: Store, key: SigningKey): Promise<void> {
  await app.db.write('signing_keys').insert({ ...key, created_at: timestamp(app.clock) });
}

export async function insertApiToken(app: Store, token: ApiToken): Promise<void> {
  await app.db.write('api_tokens').insert({
    jti: token.jti,
    user_id: token.userId,
    name: token.name,
    expires_at: token.expiresAt,
    created_at: timestamp(app.clock),
  });
}

/** Whether a long-lived token of this id stands and was not revoked. */
export async function isApiTokenActive(app: Store, jti: string): Promise<boolean> {
  const row: { id: number } | undefined = await app.db
    .read('api_tokens')
    .where({ jti })
    .whereNull('revoked_at')
    .first('id');
  return row !== undefined;
}

export interface RefreshToken {
  userId: number;
  family: string;
  expiresAt: string;
  usedAt: string | null;
  revokedAt: string | null;
}

interface RefreshTokenRow {
  user_id: number;
  family: string;
  token_hash: string;
  expires_at: string;
  used_at: string | null;
  revoked_at: string | null;
}

export async function insertRefreshToken(
  app: Store,
  token: { userId: number; family: string; tokenHash: string; expiresAt: string },
): Promise<void> {
  await app.db.write('refresh_tokens').insert({
    user_id: token.userId,
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

/** Ends every token that descends from one sign-in. */
export async function revokeRefreshFamily(app: Store, family: string): Promise<void> {
  await app.db
    .write('refresh_tokens')
    .where({ family })
    .whereNull('revoked_at')
    .update({ revoked_at: timestamp(app.clock) });
}
