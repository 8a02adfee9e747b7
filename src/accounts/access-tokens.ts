import { randomBytes, randomUUID } from 'node:crypto';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { insertSigningKey, listSigningKeys, type SigningKey } from './tokens.repository.js';

/** Access tokens are for /api alone: other kinds of tokens have audiences of their own. */
const audience = 'assistant:api';
const algorithm = 'HS256';

export interface AccessClaims {
  userId: number;
  /** Set for long-lived named tokens, which can be revoked by it. */
  jti: string | undefined;
}

/** Signs an access token of `seconds`, or one without an end when undefined (revocable by its jti). */
export async function signAccessToken(
  app: App,
  claims: { userId: number; jti?: string },
  seconds: number | undefined,
): Promise<string> {
  const { SignJWT } = await import('jose');
  const key = await currentKey(app);
  const issued = Math.floor(app.clock.now().getTime() / 1000);
  const token = new SignJWT({ kind: claims.jti === undefined ? 'session' : 'api_token' })
    .setProtectedHeader({ alg: algorithm, kid: key.kid })
    .setIssuer(app.config.auth.issuer)
    .setAudience(audience)
    .setSubject(String(claims.userId))
    .setIssuedAt(issued)
    .setJti(claims.jti ?? randomUUID());
  if (seconds !== undefined) token.setExpirationTime(issued + seconds);
  return token.sign(secretOf(key));
}

/** What a token says, when its signature, issuer, audience and times hold; else undefined. */
export async function verifyAccessToken(
  app: App,
  token: string,
): Promise<AccessClaims | undefined> {
  const { jwtVerify, errors } = await import('jose');
  const keys = await listSigningKeys(app);
  try {
    const { payload } = await jwtVerify(
      token,
      (header) => {
        const key = keys.find((candidate) => candidate.kid === header.kid);
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
    return { userId: Number(payload.sub), jti: isApiToken ? payload.jti : undefined };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

async function currentKey(app: App): Promise<SigningKey> {
  const [newest] = await listSigningKeys(app);
  if (newest !== undefined) return newest;
  return inTransaction(app, async (app) => {
    // Asked again under the lock: two processes must not each make a first key.
    const [present] = await listSigningKeys(app);
    if (present !== undefined) return present;
    const key = { kid: randomUUID(), secret: randomBytes(32).toString('base64url') };
    await insertSigningKey(app, key);
    return key;
  });
}

function secretOf(key: SigningKey): Uint8Array {
  return Buffer.from(key.secret, 'base64url');
}
