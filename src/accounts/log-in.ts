import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { emailKey, findUserByEmail, type User } from './accounts.repository.js';
import { verifyPassword } from './passwords.js';
import { openSession, type Session } from './sessions.js';

export interface SignInInput {
  email: string;
  password: string;
  /** Where it comes from, to count wrong passwords by. */
  address: string;
}

/** Signs a user in, to a session of /api. Refuses as `signIn` does. */
export async function logIn(app: App, input: SignInInput): Promise<Session> {
  return signIn(app, input, openSession);
}

/**
 * Signs a user in to what `open` opens for them, in the transaction in which it is called; undefined where it is not
 * for this user, which looks as if there were none. Refuses with `unauthenticated`, in the same words and time, an unknown address, a wrong
 * password and a disabled account: the answer must not tell which it was. Refuses with `rate_limited`, whether
 * there is such an account or not, after too many wrong ones.
 */
export async function signIn<T>(
  app: App,
  input: SignInInput,
  open: (app: App, user: User) => Promise<T | undefined>,
): Promise<T> {
  const attempt = await app.signIns.attempt(emailKey(input.email), input.address);
  const found = await findUserByEmail(app, input.email);
  const matches = await verifyPassword(found?.passwordHash, input.password);
  const opened = matches
    ? await openIfUnchanged(app, input.email, found?.passwordHash, open)
    : undefined;
  if (found === undefined || opened === undefined) {
    throw new AppError('unauthenticated', 'The e-mail address or the password is not right.');
  }
  await attempt.succeeded(found.id);
  return opened;
}

/** A password may be changed while it is verified, which takes a moment: the old one must open nothing then. */
async function openIfUnchanged<T>(
  app: App,
  email: string,
  verifiedHash: string | null | undefined,
  open: (app: App, user: User) => Promise<T | undefined>,
): Promise<T | undefined> {
  return inTransaction(app, async (app) => {
    const found = await findUserByEmail(app, email);
    if (found === undefined || found.disabled || found.passwordHash !== verifiedHash)
      return undefined;
    const { passwordHash: _, ...user } = found;
    return open(app, user);
  });
}
