import { randomUUID, webcrypto } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { remembering } from '../../platform/remember.js';
import type { App } from '../../platform/app.js';
import { findVerifyingKey } from './signing-keys.repository.js';
import { currentKey } from './signing-keys.js';

const algorithm = 'HS256';

/** The audience of a token. A token of one kind is never accepted as another. */
export type Audience = 'assistant:api' | 'assistant:widget-user' | 'assistant:widget-visitor';

export interface TokenContent {
  audience: Audience;
  subject: string;
  /** Additional claims of this kind of token. */
  claims: Record<string, string | number>;
  /** Undefined means a random one. */
  jti?: string | undefined;
  /** The lifetime; undefined means no end. */
  seconds: number | undefined;
}

/** Signs a JWT with the installation's newest key. */
export async function signToken(app: App, content: TokenContent): Promise<string> {
  const { SignJWT } = await import('jose');
  const key = await currentKey(app);
  // Keep fractions of a second: a token signed in the second before a password change must be refused too.
  const issued = app.clock.now().getTime() / 1000;
  const token = new SignJWT({ ...content.claims, iat: issued })
    .setProtectedHeader({ alg: algorithm, kid: key.kid })
    .setIssuer(app.config.auth.issuer)
    .setAudience(content.audience)
    .setSubject(content.subject)
    .setJti(content.jti ?? randomUUID());
  if (content.seconds !== undefined) token.setExpirationTime(Math.floor(issued) + content.seconds);
  return token.sign(await importSecret(key.secret));
}

/** The claims of an unexpired token with a valid key, this audience and these claims; else undefined. */
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
        return importSecret(key.secret);
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

/** True when a token claims this audience. Nothing is verified: the result only chooses who verifies. */
export async function claimsAudience(token: string, audience: Audience): Promise<boolean> {
  const { decodeJwt, errors } = await import('jose');
  try {
    return decodeJwt(token).aud === audience;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

/** Imported keys. Importing takes as long as signing or verifying. Check first that the key is not retired. */
const importSecret = remembering((secret) => {
  const bytes = Buffer.from(secret, 'base64url');
  const use = { name: 'HMAC', hash: 'SHA-256' };
  return webcrypto.subtle.importKey('raw', bytes, use, false, ['sign', 'verify']);
}, 20);
