import { randomUUID, webcrypto } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { JWTPayload } from 'jose';
import type { App } from '../../platform/app.js';
import { findVerifyingKey, type SigningKey } from './signing-keys.repository.js';
import { currentKey } from './signing-keys.js';

const algorithm = 'HS256';

/** Whom tokens are for: one kind is never accepted where another is meant. */
export type Audience = 'assistant:api' | 'assistant:widget-user' | 'assistant:widget-visitor';

export interface TokenContent {
  audience: Audience;
  subject: string;
  /** Claims of the kind's own. */
  claims: Record<string, string | number>;
  /** A random one when undefined. */
  jti?: string | undefined;
  /** How long it holds; without an end when undefined. */
  seconds: number | undefined;
}

/** Signs a JWT with the installation's newest key. */
export async function signToken(app: App, content: TokenContent): Promise<string> {
  const { SignJWT } = await import('jose');
  const key = await currentKey(app);
  // With its fraction: what was signed in the second before a password was changed is refused too.
  const issued = app.clock.now().getTime() / 1000;
  const token = new SignJWT({ ...content.claims, iat: issued })
    .setProtectedHeader({ alg: algorithm, kid: key.kid })
    .setIssuer(app.config.auth.issuer)
    .setAudience(content.audience)
    .setSubject(content.subject)
    .setJti(content.jti ?? randomUUID());
  if (content.seconds !== undefined) token.setExpirationTime(Math.floor(issued) + content.seconds);
  return token.sign(await secretOf(key));
}

/**
 * What a token says, when it was signed by a key that stands, is for this audience, holds these claims, and its
 * time is not over; else undefined.
 */
export async function verifyToken(
  app: App,
  token: string,
  expected: { audience: Audience; claims: string[] },
): Promise<JWTPayload | undefined> {
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
        audience: expected.audience,
        currentDate: app.clock.now(),
        requiredClaims: ['sub', 'iat', 'jti', ...expected.claims],
      },
    );
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** Whether a token says that it is for this audience. Nothing of it is checked: to choose who checks it. */
export async function claimsAudience(token: string, audience: Audience): Promise<boolean> {
  const { decodeJwt, errors } = await import('jose');
  try {
    return decodeJwt(token).aud === audience;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

/** Secrets made ready to sign and to verify, which takes as long as either. Whether a key stands is asked before. */
const ready = new LRUCache<string, Promise<webcrypto.CryptoKey>>({ max: 20 });

function secretOf({ secret }: SigningKey): Promise<webcrypto.CryptoKey> {
  const known = ready.get(secret);
  if (known !== undefined) return known;
  const bytes = Buffer.from(secret, 'base64url');
  const use = { name: 'HMAC', hash: 'SHA-256' };
  const made = webcrypto.subtle.importKey('raw', bytes, use, false, ['sign', 'verify']);
  ready.set(secret, made);
  return made;
}
