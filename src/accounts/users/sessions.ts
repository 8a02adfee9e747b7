import { randomUUID } from 'node:crypto';
import type { App } from '../../platform/app.js';
import { dayMs, timestamp } from '../../platform/clock.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { hashSecret, newSecret } from '../../platform/random-secret.js';
import { findEndSessionUrl } from '../providers/connect-provider.js';
import { findProvider } from '../providers/providers.repository.js';
import { useCode } from '../second-factor/check-code.js';
import { isCodeAsked } from '../second-factor/second-factors.repository.js';
import { signAccessToken } from '../tokens/access-tokens.js';
import { findUser, setTokensValidFromNow, type User } from './accounts.repository.js';
import { revokeApiTokensOf } from './api-tokens.repository.js';
import { type Credentials, requirePasswordRules, withPassword } from './passwords.js';
import {
  findIdToken,
  findRefreshToken,
  insertRefreshToken,
  markRefreshTokenUsed,
  revokeRefreshFamily,
  revokeSessionsOf,
} from './refresh-tokens.repository.js';

export interface Session {
  token: string;
  /** Seconds until `token` ends. */
  expiresIn: number;
  /** Exchanges for the next session, once. */
  refreshToken: string;
  user: User;
}

/** The way in which a session was opened. */
export interface SessionOrigin {
  /** The identity provider; null for a password. */
  providerId?: number | null;
  /** When the session of a provider ends. It is set at the sign-in, and does not move. */
  endsAt?: string | undefined;
  /** The provider's token, needed to sign out there. */
  idToken?: string | undefined;
}

/**
 * When a session ends. A provider's session ends at a fixed time after the sign-in, so that people who have left the
 * provider lose access. A password's session ends when it is not used.
 */
export function sessionEnd(app: App, { providerId = null, endsAt }: SessionOrigin): string {
  const { auth, sso } = app.config;
  return providerId === null
    ? timestamp(app.clock, auth.refresh_token_days * dayMs)
    : (endsAt ?? timestamp(app.clock, sso.session_hours * 3_600_000));
}

/** Opens a session: a short-lived access token, and a refresh token of a family (a new one at sign-in). */
export async function openSession(
  app: App,
  user: User,
  { family = randomUUID(), ...origin }: SessionOrigin & { family?: string } = {},
): Promise<Session> {
  const expiresAt = sessionEnd(app, origin);
  const left = Math.ceil((Date.parse(expiresAt) - app.clock.now().getTime()) / 1000);
  const expiresIn = Math.min(app.config.auth.access_token_minutes * 60, left);
  const token = await signAccessToken(app, { userId: user.id, session: family }, expiresIn);
  const refreshToken = newSecret();
  await insertRefreshToken(app, {
    userId: user.id,
    providerId: origin.providerId ?? null,
    family,
    tokenHash: hashSecret(refreshToken),
    expiresAt,
    idToken: origin.idToken,
  });
  return { token, expiresIn, refreshToken, user };
}

/**
 * Opens a session of `seconds` without refresh, for another kind of token. It ends with the user's password sessions.
 * Returns the session's name for the token.
 */
export async function openFixedSession(
  app: App,
  { id: userId }: User,
  seconds: number,
): Promise<string> {
  const family = randomUUID();
  const expiresAt = timestamp(app.clock, seconds * 1000);
  // Nobody receives the secret of this hash.
  const tokenHash = hashSecret(newSecret());
  await insertRefreshToken(app, { userId, providerId: null, family, tokenHash, expiresAt });
  return family;
}

/**
 * Exchanges a refresh token for the next session. A token that was used before has two holders, so the whole family
 * ends. Errors: `unauthenticated`.
 */
export async function refreshSession(app: App, refreshToken: string): Promise<Session> {
  const tokenHash = hashSecret(refreshToken);
  const session = await inTransaction(app, async (app) => {
    const found = await findRefreshToken(app, tokenHash);
    if (found === undefined || found.revokedAt !== null) return undefined;
    if (found.usedAt !== null) {
      // Do not throw inside the transaction: that would roll back the revocation.
      await revokeRefreshFamily(app, found.family);
      return undefined;
    }
    const user = await findUser(app, found.userId);
    if (user === undefined || user.disabled || found.expiresAt <= timestamp(app.clock))
      return undefined;
    if (!(await isStillAllowed(app, user, found.providerId))) return undefined;
    await markRefreshTokenUsed(app, tokenHash);
    const { family, providerId, expiresAt: endsAt } = found;
    return openSession(app, user, { family, providerId, endsAt });
  });
  if (session !== undefined) return session;
  throw new AppError('unauthenticated', 'This session has ended. Sign in again.');
}

/** True when the present rules would let a session open that was opened by this provider, or by password without one. */
export async function isStillAllowed(
  app: App,
  user: User,
  providerId: number | null,
): Promise<boolean> {
  if (providerId !== null) return (await findProvider(app, { id: providerId }))?.disabled === false;
  try {
    await requirePasswordRules(app, user);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/**
 * Ends the session of a refresh token, with its access tokens. An unknown token counts as ended. Returns the address
 * for signing out of the identity provider, if one opened the session and has such a page.
 */
export async function logOut(app: App, refreshToken: string): Promise<string | undefined> {
  const found = await findRefreshToken(app, hashSecret(refreshToken));
  if (found === undefined) return undefined;
  // A token that was used before may be in other hands than the session.
  const isHolder = found.usedAt === null && found.expiresAt > timestamp(app.clock);
  return endSession(app, found, { isHolder });
}

/** Ends a session. Only its holder receives the address that signs out of the provider without a question there. */
export async function endSession(
  app: App,
  { family, providerId }: { family: string; providerId: number | null },
  { isHolder = true }: { isHolder?: boolean } = {},
): Promise<string | undefined> {
  const idToken = isHolder ? await findIdToken(app, family) : undefined;
  await revokeRefreshFamily(app, family);
  return providerId === null ? undefined : findEndSessionUrl(app, providerId, idToken);
}

/** Ends everything that a user's credentials opened: sessions, access tokens and long-lived tokens. */
export async function endAllAccess(app: App, userId: number): Promise<void> {
  await setTokensValidFromNow(app, userId);
  await revokeApiTokensOf(app, userId);
  await revokeSessionsOf(app, userId);
}

export async function logIn(app: App, input: Credentials): Promise<Session> {
  return signIn(app, input, (app, user) => openSession(app, user));
}

/**
 * Signs a user in by password, and by a code if the account has a second factor. Returns the result of `open`. With
 * `organizationId`, a user of another organization is refused like an unknown address. Refuses as `withPassword` does.
 * Once the password is right, also refuses with `password_sign_in_off` (the organization forbids passwords),
 * `second_factor_missing` (the role needs a second factor and there is none) and `second_factor_required` (a missing,
 * wrong or used code).
 */
export async function signIn<T>(
  app: App,
  { organizationId, ...input }: Credentials & { organizationId?: number },
  open: (app: App, user: User) => Promise<T>,
): Promise<T> {
  return withPassword(app, input, async (app, user, given) => {
    if (organizationId !== undefined && user.organizationId !== organizationId) return undefined;
    await requirePasswordRules(app, user);
    if (await isCodeAsked(app, user.id)) await useCode(app, user.id, given);
    return open(app, user);
  });
}
