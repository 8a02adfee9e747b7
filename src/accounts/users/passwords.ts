import { availableParallelism } from 'node:os';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { createBounded, restFor } from '../../platform/workers/bounded.js';
import { isPasswordSignInOn } from '../providers/providers.repository.js';
import { type GivenCode, readCode } from '../second-factor/check-code.js';
import { isCodeAsked } from '../second-factor/second-factors.repository.js';
import { emailKey, findUserByEmail, type User } from './accounts.repository.js';

export interface Credentials {
  email: string;
  password: string;
  /** Of the authenticator app, or a recovery code. */
  code?: string | undefined;
  /** Where it comes from, to count wrong passwords by. */
  address: string;
}

/**
 * Runs `open` for the user whose password it is, in the transaction in which the account is as it was verified;
 * undefined where there is nothing to open for this user, which looks as if there were none. Refuses with
 * `unauthenticated`, in the same words and time, an unknown address, a wrong password and a disabled account: the answer
 * must not tell which it was. Refuses with `rate_limited`, whether there is such an account or not, after too many wrong
 * ones; what `open` refuses counts as one, and what is no sign-in does. A code counts for the account by itself.
 */
export async function withPassword<T>(
  app: App,
  input: Credentials,
  open: (app: App, user: User, given: GivenCode) => Promise<T | undefined>,
  { isSignIn = true }: { isSignIn?: boolean } = {},
): Promise<T> {
  const attempt = await app.signIns.attempt(emailKey(input.email), input.address);
  const found = await findUserByEmail(app, input.email);
  const matches = await verifyPassword(found?.passwordHash, input.password);
  if (found === undefined || !matches) throw wrong();
  const given = await readCode(app, found.id, input.code);
  if (given.factor !== undefined && input.code !== undefined) attempt.countCode();
  const opened = await openIfUnchanged(app, input.email, found.passwordHash, { given, open });
  if (isSignIn) await attempt.succeeded(found.id);
  return opened;
}

/** A password may be changed while it is verified, which takes a moment: the old one must open nothing then. */
async function openIfUnchanged<T>(
  app: App,
  email: string,
  verifiedHash: string | null,
  {
    given,
    open,
  }: {
    given: GivenCode;
    open: (app: App, user: User, given: GivenCode) => Promise<T | undefined>;
  },
): Promise<T> {
  return inTransaction(app, async (app) => {
    const found = await findUserByEmail(app, email);
    if (found === undefined || found.disabled || found.passwordHash !== verifiedHash) throw wrong();
    const { passwordHash: _, ...user } = found;
    const opened = await open(app, user, given);
    // Thrown in here: a code that opened nothing is not used up.
    if (opened === undefined) throw wrong();
    return opened;
  });
}

function wrong(): AppError {
  return new AppError('unauthenticated', 'The e-mail address or the password is not right.');
}

/**
 * Hashes run in the threads of the process that the database needs too: as many as fill them, and every request waits
 * behind people who guess passwords. Half of the cores, two at most, for half of the time, leave the others their way; 60
 * that wait are answered within a second. Sign-ins wait in a line of their own, and the accounts of each organization in
 * another: nobody who sets passwords in one organization keeps anybody from signing in to another.
 */
const hashing = createBounded({
  atOnce: Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2))),
  waiting: 60,
  rest: restFor(1),
});

/** OWASP's parameters for argon2id (the library's default variant): 19 MiB, two passes, one lane. About 7 ms. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The line of those who are signed in to an organization; sign-ins have the nameless one. */
function lineOf(organizationId: number | undefined): string | undefined {
  return organizationId === undefined ? undefined : `organization ${organizationId}`;
}

/**
 * An argon2id hash in PHC form, asked for by somebody of an organization. Refuses with `rate_limited` while that
 * organization asks for too many.
 */
export async function hashPassword(password: string, organizationId: number): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  const work = () => hash(password.normalize('NFKC'), parameters);
  return hashing.run(work, lineOf(organizationId));
}

/** The hash that an account without one is compared with; made at the first need. */
let decoy: Promise<string> | undefined;

/**
 * Whether the password is the one that was hashed. Where there is no hash, as much work is done against one
 * that nothing matches, so that the time does not tell which accounts exist. `organizationId` is that of somebody who is
 * signed in already. Refuses with `rate_limited` while that organization, or else all who sign in, ask for too many.
 */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
  organizationId?: number,
): Promise<boolean> {
  const { hash, verify } = await import('@node-rs/argon2');
  // Not in the queue: a refusal would be remembered as the decoy.
  decoy ??= hash('no password at all', parameters);
  const known = passwordHash ?? (await decoy);
  const work = () => verify(known, password.normalize('NFKC'));
  const matches = await hashing.run(work, lineOf(organizationId));
  return matches && passwordHash != null;
}

/**
 * Whether a password may sign this user in, by the rules of the organization and of the operator. Refuses with
 * `password_sign_in_off` and `second_factor_missing`.
 */
export async function requirePasswordRules(app: App, user: User): Promise<void> {
  await requirePasswordSignIn(app, user);
  if (!app.config.auth.require_two_factor.includes(user.role)) return;
  if (await isCodeAsked(app, user.id)) return;
  const sentence = `The role ${user.role} needs a second factor. Set it up (assistant login --set-up-two-factor, or POST /api/auth/two-factor), then sign in.`;
  throw new AppError('second_factor_missing', sentence);
}

/** Refuses with `password_sign_in_off`. */
export async function requirePasswordSignIn(
  app: App,
  { organizationId }: Pick<User, 'organizationId'>,
): Promise<void> {
  if (await isPasswordSignInOn(app, organizationId)) return;
  const sentence = 'This organization signs in by its identity provider, not by password.';
  throw new AppError('password_sign_in_off', sentence);
}
