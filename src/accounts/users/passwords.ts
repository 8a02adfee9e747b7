import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { isPasswordSignInOn } from '../providers/providers.repository.js';
import { type GivenCode, readCode } from '../second-factor/check-code.js';
import { isCodeAsked } from '../second-factor/second-factors.repository.js';
import { emailKey, findUserByEmail, type User } from './accounts.repository.js';

export interface Credentials {
  email: string;
  password: string;
  /** Asks for a code of the authenticator app, or a recovery code. */
  code?: string | undefined;
  /** The client's address, by which wrong passwords are counted. */
  address: string;
}

/**
 * Verifies a password and runs `open` in a transaction in which the account is still the verified one. When `open`
 * returns undefined, the user counts as unknown. Errors: `unauthenticated` for an unknown address, a wrong password and
 * a disabled account, in the same words and time: the answer must not reveal which it was; `rate_limited` after too
 * many failures, whether or not the account exists. A refusal by `open` counts as a failure, and so does a check that
 * is not a sign-in. Codes are counted separately for each account.
 */
export async function withPassword<T>(
  app: App,
  input: Credentials,
  open: (app: App, user: User, given: GivenCode) => Promise<T | undefined>,
  { isSignIn = true }: { isSignIn?: boolean } = {},
): Promise<T> {
  const attempt = await app.signIns.attempt(emailKey(input.email), input.address);
  const found = await findUserByEmail(app, input.email);
  const matches = await app.passwords.verify(found?.passwordHash ?? null, input.password);
  if (found === undefined || !matches) throw wrong();
  const given = await readCode(app, found.id, input.code);
  if (given.factor !== undefined && input.code !== undefined) await attempt.countCode();
  const opened = await openIfUnchanged(app, input.email, found.passwordHash, { given, open });
  if (isSignIn) await attempt.succeeded(found.id);
  return opened;
}

/** A password may change during its verification, which takes a moment. The old password must then open nothing. */
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
    // Thrown inside the transaction, so that a code that opened nothing is not used up.
    if (opened === undefined) throw wrong();
    return opened;
  });
}

function wrong(): AppError {
  return new AppError('unauthenticated', 'The e-mail address or the password is not right.', {
    reason: { is: 'wrong_sign_in' },
  });
}

/**
 * Checks whether the rules of organization and operator let this user sign in by password. Errors:
 * `password_sign_in_off` and `second_factor_missing`.
 */
export async function requirePasswordRules(app: App, user: User): Promise<void> {
  await requirePasswordSignIn(app, user);
  if (!app.config.auth.require_two_factor.includes(user.role)) return;
  if (await isCodeAsked(app, user.id)) return;
  const sentence = `The role ${user.role} needs a second factor. Set it up (assistant login --set-up-two-factor, or POST /api/auth/two-factor), then sign in.`;
  throw new AppError('second_factor_missing', sentence);
}

/** Errors: `password_sign_in_off`. */
export async function requirePasswordSignIn(
  app: App,
  { organizationId }: Pick<User, 'organizationId'>,
): Promise<void> {
  if (await isPasswordSignInOn(app, organizationId)) return;
  const sentence = 'This organization signs in by its identity provider, not by password.';
  throw new AppError('password_sign_in_off', sentence);
}
