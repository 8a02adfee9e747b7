import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { findUserByEmail } from './accounts.repository.js';
import { verifyPassword } from './passwords.js';
import { openSession, type Session } from './sessions.js';

/**
 * Signs a user in. Refuses with `unauthenticated`, in the same words and time, an unknown address, a wrong
 * password and a disabled account: the answer must not tell which it was.
 */
export async function logIn(
  app: App,
  input: { email: string; password: string },
): Promise<Session> {
  const found = await findUserByEmail(app, input.email);
  const matches = await verifyPassword(found?.passwordHash, input.password);
  if (found === undefined || !matches || found.disabled) {
    throw new AppError('unauthenticated', 'The e-mail address or the password is not right.');
  }
  const { passwordHash: _, ...user } = found;
  return openSession(app, user);
}
