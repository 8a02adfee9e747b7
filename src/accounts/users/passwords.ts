import { availableParallelism } from 'node:os';
import { createBounded, restFor } from '../../platform/workers/bounded.js';

/**
 * Hashes run in the threads of the process that the database needs too: as many as fill them, and every request waits
 * behind people who guess passwords. Half of the cores, two at most, for half of the time, leave the others their way; 60
 * that wait are answered within a second.
 */
const hashing = createBounded({
  atOnce: Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2))),
  waiting: 60,
  rest: restFor(1),
});

/** OWASP's parameters for argon2id (the library's default variant): 19 MiB, two passes, one lane. About 7 ms. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** An argon2id hash in PHC form. Refuses with `rate_limited` while too many are asked for. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return hashing.run(() => hash(password.normalize('NFKC'), parameters));
}

/**
 * Whether the password is the one that was hashed. Where there is no hash, as much work is done against one
 * that nothing matches, so that the time does not tell which accounts exist. Refuses as hashPassword does.
 */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const { hash, verify } = await import('@node-rs/argon2');
  // Not in the queue: a refusal would be remembered as the decoy.
  decoy ??= hash('no password at all', parameters);
  const known = passwordHash ?? (await decoy);
  const matches = await hashing.run(() => verify(known, password.normalize('NFKC')));
  return matches && passwordHash != null;
}

let decoy: Promise<string> | undefined;
