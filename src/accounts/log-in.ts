import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { emailKey, findUserByEmail } from './accounts.repository.js';
import { verifyPassword } from './passwords.js';
import { openSession, type Session } from './sessions.js';

/**
 * Signs a user in. Refuses with `unauthenticated`, in the same words and time, an unknown address, a wrong
 * password and a disabled account: the answer must not tell which it was. Refuses with `rate_limited`, whether
 * there is such an account or not, after too many wrong ones.
 */
export async function logIn(
  app: App,
  input: { email: string; password: string; address: string },
): Promise<Session> {
  const attempt = await app.signIns.attempt(emailKey(input.email), input.address);
  const found = await findUserByEmail(app, input.email);
  const matches = await verifyPassword(found?.passwordHash, input.password);
  const session = matches
    ? await openIfUnchanged(app, input.email, found?.passwordHash)
    : undefined;
  if (session === undefined) {
    throw new AppError('unauthenticated', 'The e-mail address or the password is not right.');
  }
  await attempt.succeeded();
  return session;
}

/** A password may be changed while it is verified, which takes a moment: the old one must open nothing then. */
async function openIfUnchanged(
  app: App,
  email: string,
  verifiedHash: string | null | undefined,
): Promise<Session | undefined> {
  return inTransaction(app, async (app) => {
    const found = await findUserByEmail(app, email);
    if (found === undefined || found.disabled || found.passwordHash !== verifiedHash)
      return undefined;
    const { passwordHash: _, ...user } = found;
    return openSession(app, user);
  });
}
