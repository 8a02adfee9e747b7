import { createHash } from 'node:crypto';
import { hashSecret } from '../../platform/random-secret.js';

/** What is stored of a state: it counts in the browser alone that the sign-in began in. */
export function stateHashOf(state: string, browserSecret: string): string {
  return hashSecret(`${browserSecret} ${state}`);
}

/** The S256 challenge of a verifier, as PKCE has it (RFC 7636). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
