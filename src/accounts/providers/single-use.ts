import { createHash } from 'node:crypto';
import { hashSecret } from '../../platform/random-secret.js';

/** The stored hash of a state. With the browser's secret, the state is valid only in that browser. */
export function stateHashOf(state: string, browserSecret: string): string {
  return hashSecret(`${browserSecret} ${state}`);
}

/** The S256 challenge of a PKCE verifier (RFC 7636). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
