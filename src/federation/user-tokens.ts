import { signToken, verifyToken } from '../accounts/signed-tokens.js';
import type { App } from '../platform/app.js';

/** User tokens are for widgets: they open nothing of /api that needs a right. */
const audience = 'assistant:widget-user';

/** Whom a user token speaks for, and the key that it was issued by. */
export interface UserTokenClaims {
  endUserId: number;
  appId: number;
  keyId: number;
}

/** Signs a user token of `seconds`. */
export async function signUserToken(
  app: App,
  { endUserId, appId, keyId }: UserTokenClaims,
  seconds: number,
): Promise<string> {
  const claims = { app: appId, key: keyId };
  return signToken(app, { audience, subject: String(endUserId), claims, seconds });
}

/**
 * What a user token says, when its signature, issuer, audience and times hold; else undefined. Whether its key and
 * its end user still stand is not asked.
 */
export async function verifyUserToken(
  app: App,
  token: string,
): Promise<UserTokenClaims | undefined> {
  const payload = await verifyToken(app, token, { audience, claims: ['exp', 'app', 'key'] });
  if (payload === undefined) return undefined;
  const endUserId = Number(payload.sub);
  const { app: appId, key: keyId } = payload;
  const isWhole = Number.isSafeInteger(endUserId) && isId(appId) && isId(keyId);
  return isWhole ? { endUserId, appId, keyId } : undefined;
}

function isId(claim: unknown): claim is number {
  return Number.isSafeInteger(claim);
}
