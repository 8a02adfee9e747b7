import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits in base64url: 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * What is stored of a random secret: SHA-256, in hex. There is nothing to guess that a slow hash would protect.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
