import type { App } from '../../platform/app.js';
import { signToken, verifyToken } from './signed-tokens.js';

/** Access tokens are only for /api. Other kinds of tokens have other audiences. */
const audience = 'assistant:api';

export interface AccessClaims {
  userId: number;
  /** When it was signed, in milliseconds since 1970. */
  issuedAt: number;
  /** Set for long-lived named tokens. They are revoked by it. */
  jti: string | undefined;
  /** The session of the token. The token ends with it. */
  session: string | undefined;
}

/** Signs an access token that lasts `seconds`; undefined means no end (revocable by its jti). */
export async function signAccessToken(
  app: App,
  claims: { userId: number; jti?: string; session?: string },
  seconds: number | undefined,
): Promise<string> {
  const kind = claims.jti === undefined ? 'session' : 'api_token';
  const sid = claims.session === undefined ? {} : { sid: claims.session };
  return signToken(app, {
    audience,
    subject: String(claims.userId),
    claims: { kind, ...sid },
    jti: claims.jti,
    seconds,
  });
}

/** The claims of a token with valid signature, issuer, audience and times; else undefined. */
export async function verifyAccessToken(
  app: App,
  token: string,
): Promise<AccessClaims | undefined> {
  const payload = await verifyToken(app, token, { audience, claims: ['kind'] });
  if (payload === undefined) return undefined;
  const isApiToken = payload['kind'] === 'api_token';
  if (!isApiToken && payload.exp === undefined) return undefined;
  const userId = Number(payload.sub);
  if (!Number.isSafeInteger(userId)) return undefined;
  return {
    userId,
    issuedAt: Math.round((payload.iat ?? 0) * 1000),
    jti: isApiToken ? payload.jti : undefined,
    session: typeof payload['sid'] === 'string' ? payload['sid'] : undefined,
  };
}
