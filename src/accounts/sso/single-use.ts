import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as they go into an address. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a secret. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** What is stored of a state: it counts in the browser alone that the sign-in began in. */
export function stateHashOf(state: string, browserSecret: string): string {
  return hashOf(`${browserSecret} ${state}`);
}

/** The S256 challenge of a verifier, as PKCE has it (RFC 7636). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
