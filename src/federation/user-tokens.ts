import { createHash } from 'node:crypto';
import { z } from 'zod';
import { signToken, verifyToken } from '../accounts/tokens/signed-tokens.js';
import type { App } from '../platform/app.js';

/** User tokens are for widgets. They give no access to operations of /api that require a right. */
const audience = 'assistant:widget-user';

/** A host's id for a sign-in: so long that nobody can find it from the hash in a token. */
export const hostSession = z.string().min(16).max(255);

/** The person of a user token, and the key that issued it. */
export interface UserTokenClaims {
  endUserId: number;
  appId: number;
  keyId: number;
  /**
   * The sign-in of the token. For the widget's form: the session's name. For a host: the value of sessionClaim, or
   * undefined if the host named none.
   */
  session?: string | undefined;
}

export interface VerifiedClaims extends UserTokenClaims {
  /** When it expires, in milliseconds since 1970. */
  expiresAt: number;
  jti: string;
}

/** Signs a user token that lasts `seconds`. */
export async function signUserToken(
  app: App,
  { endUserId, appId, keyId, session }: UserTokenClaims,
  seconds: number,
): Promise<string> {
  const claims = { app: appId, key: keyId, ...(session !== undefined && { sid: session }) };
  return signToken(app, { audience, subject: String(endUserId), claims, seconds });
}

/** The claims of a token with valid signature, issuer, audience and times; else undefined. Reads no key or end user. */
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

/** A hash of the host's sign-in id: whoever sees the token can read it, but must not learn the id. */
export function sessionClaim(session: string): string {
  return createHash('sha256').update(session).digest('base64url');
}

function isId(claim: unknown): claim is number {
  return Number.isSafeInteger(claim);
}
