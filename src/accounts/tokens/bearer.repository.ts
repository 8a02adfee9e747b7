import type { App, Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import type { Role } from '../../platform/actor.js';
import type { AccessClaims } from './access-tokens.js';

/** The user of a token, and the long-lived token's record, if it is one. */
export interface Bearer {
  userId: number;
  organizationId: number;
  role: Role;
  lastSeenAt: string | null;
  /** Milliseconds since 1970. Tokens signed earlier are invalid. */
  validFrom: number;
  apiToken: { id: number; lastUsedAt: string | null } | undefined;
}

interface BearerRow {
  id: number;
  organization_id: number;
  role: Role;
  tokens_valid_from: string | null;
  last_seen_at: string | null;
  token_id?: number;
  last_used_at?: string | null;
}

/** The minimum time between two recorded uses of a token: saves a write per request. */
const useIntervalMs = 60_000;
/** The same for a person. */
const seenIntervalMs = 3_600_000;

/** The active user of a valid token, whose session has not ended. One query, because it runs on each request. */
export async function findBearer(
  app: Store,
  claims: Pick<AccessClaims, 'userId' | 'jti' | 'session'>,
): Promise<Bearer | undefined> {
  const { userId, jti, session } = claims;
  const query = app.db
    .read('users')
    .where({ 'users.id': userId, 'users.disabled': false })
    .select('users.id', 'users.organization_id', 'users.role')
    .select('users.tokens_valid_from', 'users.last_seen_at');
  if (jti !== undefined) {
    void query
      .join('api_tokens', 'api_tokens.user_id', 'users.id')
      .where({ 'api_tokens.jti': jti })
      .whereNull('api_tokens.revoked_at')
      .select('api_tokens.id as token_id', 'api_tokens.last_used_at');
  }
  if (session !== undefined) {
    // All tokens of a family are revoked together, so one valid token proves that the session is valid.
    void query.whereExists((family) => {
      void family
        .from('refresh_tokens')
        .where({ family: session })
        .whereRaw('refresh_tokens.user_id = users.id')
        .whereNull('revoked_at');
    });
  }
  const row = (await query.first()) as BearerRow | undefined;
  if (row === undefined) return undefined;
  const { token_id: id, last_used_at: lastUsedAt = null } = row;
  return {
    userId: row.id,
    organizationId: row.organization_id,
    role: row.role,
    lastSeenAt: row.last_seen_at,
    validFrom: row.tokens_valid_from === null ? 0 : Date.parse(row.tokens_valid_from),
    apiToken: id === undefined ? undefined : { id, lastUsedAt },
  };
}

export function isUseDue(app: Store, lastUsedAt: string | null): boolean {
  return lastUsedAt === null || lastUsedAt <= timestamp(app.clock, -useIntervalMs);
}

export async function markApiTokenUsed(app: Store, id: number): Promise<void> {
  await app.db
    .write('api_tokens')
    .where({ id })
    .update({ last_used_at: timestamp(app.clock) });
}

/**
 * Records that a person was here, at most once an hour. Never rejects: reading must work while the database accepts no
 * writes.
 */
export async function noteSeen(
  app: App,
  { id, lastSeenAt }: { id: number; lastSeenAt: string | null },
): Promise<void> {
  if (lastSeenAt !== null && lastSeenAt > timestamp(app.clock, -seenIntervalMs)) return;
  try {
    await app.db
      .write('users')
      .where({ id })
      .update({ last_seen_at: timestamp(app.clock) });
  } catch (error) {
    app.log.warn({ err: error, user: id }, 'that a person was here could not be recorded');
  }
}
