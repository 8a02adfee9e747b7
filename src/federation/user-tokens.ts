import { createHash } from 'node:crypto';
import { z } from 'zod';
import { signToken, verifyToken } from '../accounts/tokens/signed-tokens.js';
import type { App } from '../platform/app.js';

/** User tokens are for widgets: they open nothing of /api that needs a right. */
const audience = 'assistant:widget-user';

/** What a host calls a sign-in of its own: long enough that nobody finds it from the hash that a token shows. */
export const hostSession = z.string().min(16).max(255);

/** Whom a user token speaks for, and the key that it was issued by. */
export interface UserTokenClaims {
  endUserId: number;
  appId: number;
  keyId: number;
  /**
   * The sign-in that it was issued in. By a widget's form: the session's name. By a host: as sessionClaim writes it, and
   * undefined where the host did not say.
   */
  session?: string | undefined;
}

/** What a token says that was verified. */
export interface VerifiedClaims extends UserTokenClaims {
  /** When it ceases to hold, in milliseconds since 1970. */
  expiresAt: number;
  /** What this very token is known by. */
  jti: string;
}

/** Signs a user token of `seconds`. */
export async function signUserToken(
  app: App,
  { endUserId, appId, keyId, session }: UserTokenClaims,
  seconds: number,
): Promise<string> {
  const claims = { app: appId, key: keyId, ...(session !== undefined && { sid: session }) };
  return signToken(app, { audience, subject: String(endUserId), claims, seconds });
}

/**
 * What a user token says, when its signature, issuer, audience and times hold; else undefined. Whether its key and
 * its end user still stand is not asked.
 */
export async function verifyUserToken(
  app: App,
  token: string,
): Promise<VerifiedClaims | undefined> {
  const payload = await verifyToken(app, token, { audience, claims: ['exp', 'app', 'key'] });
  if (payload === undefined) return undefined;
  const endUserId = Number(payload.sub);
  const { app: appId, key: keyId, sid } = payload;
  const isWhole = Number.isSafeInteger(endUserId) && isId(appId) && isId(keyId);
  const expiresAt = (payload.exp ?? 0) * 1000;
  if (!isWhole) return undefined;
  const session = typeof sid === 'string' ? sid : undefined;
  return { endUserId, appId, keyId, session, expiresAt, jti: payload.jti ?? '' };
}

/** A host's sign-in as a token names it: anybody who sees the token can read that, and shall not learn the session. */
export function sessionClaim(session: string): string {
  return createHash('sha256').update(session).digest('base64url');
}

function isId(claim: unknown): claim is number {
  return Number.isSafeInteger(claim);
}
