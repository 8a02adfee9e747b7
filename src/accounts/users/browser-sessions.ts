import { randomUUID } from 'node:crypto';
import { recordChange } from '../../audit/record-change.js';
import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { hashSecret, newSecret } from '../../platform/random-secret.js';
import type { User } from './accounts.repository.js';
import {
  findOpenSession,
  listOpenSessions,
  markProved,
  markSeen,
  type BrowserSession,
} from './browser-sessions.repository.js';
import { noteSeen } from '../tokens/bearer.repository.js';
import { ownUser, verifyOwnPassword, type OwnCredentials } from './own-account.js';
import {
  insertRefreshToken,
  revokeRefreshFamily,
  revokeSessionsOf,
} from './refresh-tokens.repository.js';
import { endSession, isStillAllowed, sessionEnd, type SessionOrigin } from './sessions.js';

export type { BrowserSession };

/** The minimum time between two records that a session was used: saves a write per request. */
const seenIntervalMs = 60_000;

export interface OpenedBrowserSession {
  user: User;
  /** For the browser's cookie. It opens no operation of the API. */
  secret: string;
  expiresAt: string;
}

/**
 * Opens a session for the pages of the backoffice. `browser` is the name and system of the browser. Errors: `forbidden`
 * for a user who has no work there.
 */
export async function openBrowserSession(
  app: App,
  user: User,
  { browser, providerId = null, idToken }: { browser: string } & Omit<SessionOrigin, 'endsAt'>,
): Promise<OpenedBrowserSession> {
  if (user.role === 'user') {
    const sentence =
      'This account may ask questions, but not work in the backoffice. Ask an admin for the role backoffice.';
    throw new AppError('forbidden', sentence, { reason: { is: 'no_work_here' } });
  }
  const secret = newSecret();
  const expiresAt = sessionEnd(app, { providerId });
  const family = randomUUID();
  const tokenHash = hashSecret(secret);
  await insertRefreshToken(app, {
    userId: user.id,
    providerId,
    family,
    tokenHash,
    expiresAt,
    idToken,
    browser: browser.slice(0, 100),
  });
  return { user, secret, expiresAt };
}

/**
 * The user of a browser's secret; undefined when the session has ended, or when newer rules would not let it open.
 * The user is read on each call, so that a changed role takes effect at once.
 */
export async function findBrowserSession(
  app: App,
  secret: string,
): Promise<{ session: BrowserSession; user: User } | undefined> {
  const found = await findOpenSession(app, hashSecret(secret));
  if (found === undefined || found.user.role === 'user') return undefined;
  const { session, user } = found;
  await noteSeen(app, user);
  if (session.seenAt > timestamp(app.clock, -seenIntervalMs)) return found;
  if (!(await isStillAllowed(app, user, session.providerId))) return undefined;
  try {
    await markSeen(app, session.family);
  } catch (error) {
    // Reading must work while the database accepts no writes.
    app.log.warn({ err: error }, 'the use of a session could not be recorded');
  }
  return found;
}

/**
 * Ends the session of a browser's secret. Returns the address for signing out of the identity provider, if one opened
 * the session and has such a page.
 */
export async function endBrowserSession(app: App, secret: string): Promise<string | undefined> {
  const found = await findOpenSession(app, hashSecret(secret));
  return found && endSession(app, found.session);
}

/** The caller's sessions in browsers. Errors: `forbidden` for the operator, who has no account. */
export async function listBrowserSessions(app: App, actor: Actor): Promise<BrowserSession[]> {
  const user = await ownUser(app, actor);
  return listOpenSessions(app, user.id);
}

/** Ends one of the caller's sessions in browsers. A session of somebody else, or one that has ended, stays as it is. */
export async function endOwnBrowserSession(app: App, actor: Actor, family: string): Promise<void> {
  const sessions = await listBrowserSessions(app, actor);
  if (sessions.some((one) => one.family === family)) await revokeRefreshFamily(app, family);
}

/** Ends every session of the caller, in browsers and programs. Long-lived tokens with a name stay. */
export async function signOutEverywhere(app: App, actor: Actor): Promise<void> {
  await inTransaction(app, async (app) => {
    const { id, organizationId } = await ownUser(app, actor);
    await revokeSessionsOf(app, id);
    const subject = `user:${id}`;
    await recordChange(app, actor, { organizationId, action: 'user.sign_out', subject });
  });
}

/** How long a proof of identity is valid for changes of roles, tokens, keys and passwords. */
const proofMs = 600_000;

/** True when the person signed in, or typed their password again, within the last ten minutes. */
export function isProved(
  app: Pick<App, 'clock'>,
  { provedAt }: Pick<BrowserSession, 'provedAt'>,
): boolean {
  return provedAt > timestamp(app.clock, -proofMs);
}

/** Verifies by the password that the account's owner uses the browser. Errors: those of verifyOwnPassword. */
export async function proveSession(
  app: App,
  actor: Actor,
  { family, ...credentials }: OwnCredentials & { family: string },
): Promise<void> {
  const { user } = await verifyOwnPassword(app, actor, credentials);
  const sessions = await listOpenSessions(app, user.id);
  if (sessions.some((one) => one.family === family)) await markProved(app, family);
}
