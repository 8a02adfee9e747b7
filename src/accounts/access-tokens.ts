import { randomUUID } from 'node:crypto';
import type { App } from '../platform/app.js';
import { findVerifyingKey, type SigningKey } from './signing-keys.repository.js';
import { currentKey } from './signing-keys.js';

/** Access tokens are for /api alone: other kinds of tokens have audiences of their own. */
const audience = 'assistant:api';
const algorithm = 'HS256';

export interface AccessClaims {
  userId: number;
  /** When it was signed, in milliseconds since 1970. */
  issuedAt: number;
  /** Set for long-lived named tokens, which can be revoked by it. */
  jti: string | undefined;
  /** The session that the token belongs to, and ends with. */
  session: string | undefined;
}

/** Signs an access token of `seconds`, or one without an end when undefined (revocable by its jti). */
export async function signAccessToken(
  app: App,
  claims: { userId: number; jti?: string; session?: string },
  seconds: number | undefined,
): Promise<string> {
  const { SignJWT } = await import('jose');
  const key = await currentKey(app);
  // With its fraction: what was signed in the second before a password was changed is refused too.
  const issued = app.clock.now().getTime() / 1000;
  const kind = claims.jti === undefined ? 'session' : 'api_token';
  const sid = claims.session === undefined ? {} : { sid: claims.session };
  const token = new SignJWT({ kind, ...sid, iat: issued })
    .setProtectedHeader({ alg: algorithm, kid: key.kid })
    .setIssuer(app.config.auth.issuer)
    .setAudience(audience)
    .setSubject(String(claims.userId))
    .setJti(claims.jti ?? randomUUID());
  if (seconds !== undefined) token.setExpirationTime(Math.floor(issued) + seconds);
  return token.sign(secretOf(key));
}

/** What a token says, when its signature, issuer, audience and times hold; else undefined. */
export async function verifyAccessToken(
  app: App,
  token: string,
): Promise<AccessClaims | undefined> {
  const { jwtVerify, errors } = await import('jose');
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = typeof kid === 'string' ? await findVerifyingKey(app, kid) : undefined;
        if (key === undefined) throw new errors.JWKSNoMatchingKey();
        return secretOf(key);
      },
      {
        algorithms: [algorithm],
        issuer: app.config.auth.issuer,
        audience,
        currentDate: app.clock.now(),
        requiredClaims: ['sub', 'iat', 'jti', 'kind'],
      },
    );
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
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function secretOf(key: SigningKey): Uint8Array {
  return Buffer.from(key.secret, 'base64url');
}
