import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { findUser, type User } from './accounts.repository.js';

/** A session that a browser keeps in a cookie. It is stored among the refresh tokens, and ends whenever those end. */
export interface BrowserSession {
  /** Names the session, and grants nothing. */
  family: string;
  userId: number;
  /** The identity provider that opened the session; null for a password. */
  providerId: number | null;
  /** The name and system of the browser. */
  browser: string;
  createdAt: string;
  /** When the person last proved who they are, by signing in or by typing the password again. */
  provedAt: string;
  /** To the minute. */
  seenAt: string;
  expiresAt: string;
}

interface SessionRow {
  token_hash: string;
  family: string;
  user_id: number;
  provider_id: number | null;
  browser: string;
  created_at: string;
  proved_at: string | null;
  seen_at: string;
  expires_at: string;
}

/** How long a session lasts without a request. */
const idleMs = 12 * 3_600_000;

/** The sessions of browsers that have not ended. */
function openSessions(app: Store) {
  return app.db
    .read<SessionRow>('refresh_tokens')
    .whereNotNull('browser')
    .whereNull('revoked_at')
    .where('expires_at', '>', timestamp(app.clock))
    .where('seen_at', '>', timestamp(app.clock, -idleMs));
}

/** The session of a cookie's secret and its user, unless either has ended. */
export async function findOpenSession(
  app: Store,
  tokenHash: string,
): Promise<{ session: BrowserSession; user: User } | undefined> {
  const row = await openSessions(app).where({ token_hash: tokenHash }).first();
  const user = row && (await findUser(app, row.user_id));
  return row === undefined || user === undefined || user.disabled
    ? undefined
    : { session: toSession(row), user };
}

/** A user's sessions in browsers, the one that was used last first. */
export async function listOpenSessions(app: Store, userId: number): Promise<BrowserSession[]> {
  const rows = await openSessions(app)
    .where({ user_id: userId })
    .orderBy('seen_at', 'desc')
    .limit(100)
    .select('*');
  return rows.map(toSession);
}

export async function markSeen(app: Store, family: string): Promise<void> {
  await app.db
    .write('refresh_tokens')
    .where({ family })
    .update({ seen_at: timestamp(app.clock) });
}

export async function markProved(app: Store, family: string): Promise<void> {
  await app.db
    .write('refresh_tokens')
    .where({ family })
    .update({ proved_at: timestamp(app.clock) });
}

function toSession(row: SessionRow): BrowserSession {
  return {
    family: row.family,
    userId: row.user_id,
    providerId: row.provider_id,
    browser: row.browser,
    createdAt: row.created_at,
    provedAt: row.proved_at ?? row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
  };
}
