import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { emailKey, findUserByEmail, type User } from './accounts.repository.js';
import { verifyPassword } from './passwords.js';
import { readCode, type GivenCode } from '../second-factor/check-code.js';

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
