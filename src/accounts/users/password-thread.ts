import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import { lowerThreadPriority } from '../../platform/workers/lower-thread-priority.js';

/** Either hashes a password, or compares it with the hash of an account, which may have none. */
export type PasswordWork = { password: string } & (
  | { kind: 'hash' }
  | { kind: 'verify'; hash: string | null }
);

/** OWASP's parameters for argon2id (the library's default variant): 19 MiB, two passes, one lane; 7 to 15 ms. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const { memoryCost, timeCost, parallelism } = parameters;
/** Stands for the hash of an account without a password. To compare with it takes as long as with a true hash. */
const decoy = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

// Other work that people wait for comes first: guessed passwords must not delay it.
lowerThreadPriority();
parentPort?.on('message', (work: PasswordWork) => parentPort?.postMessage(resultOf(work)));

/** The hash in PHC form, or whether the password is right. */
function resultOf(work: PasswordWork): string | boolean {
  const password = work.password.normalize('NFKC');
  if (work.kind === 'hash') return hashSync(password, parameters);
  return verifySync(work.hash ?? decoy, password) && work.hash !== null;
}
