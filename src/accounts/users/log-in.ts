import type { App } from '../../platform/app.js';
import type { User } from './accounts.repository.js';
import { withPassword, type Credentials } from './check-password.js';
import { useCode } from '../second-factor/check-code.js';
import { isCodeAsked } from '../second-factor/second-factors.repository.js';
import { requirePasswordRules } from './password-rules.js';
import { openSession, type Session } from './sessions.js';

/** Signs a user in, to a session of /api. Refuses as `signIn` does. */
export async function logIn(app: App, input: Credentials): Promise<Session> {
  return signIn(app, input, (app, user) => openSession(app, user));
}

/**
 * Signs a user in by password, and by a code where the account has a second factor, to what `open` opens for them.
 * Refuses as `withPassword` does, and, once the password is right: with `password_sign_in_off` where the organization
 * wants none, with `second_factor_missing` where the role needs a second factor and there is none, and with
 * `second_factor_required` where the code is missing, wrong, or was used before.
 */
export async function signIn<T>(
  app: App,
  input: Credentials,
  open: (app: App, user: User) => Promise<T | undefined>,
): Promise<T> {
  return withPassword(app, input, async (app, user, given) => {
    await requirePasswordRules(app, user);
    if (await isCodeAsked(app, user.id)) await useCode(app, user.id, given);
    return open(app, user);
  });
}
