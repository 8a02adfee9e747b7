import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';

type Store = Pick<App, 'db' | 'clock'>;

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

/** Ends every session of a user. */
export async function revokeSessionsOf(app: Store, userId: number): Promise<void> {
  await app.db
    .write('refresh_tokens')
    .where({ user_id: userId })
    .whereNull('revoked_at')
    .update({ revoked_at: timestamp(app.clock) });
}
