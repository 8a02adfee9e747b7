import type { User } from '../accounts/users/accounts.repository.js';
import type { Credentials } from '../accounts/users/passwords.js';
import { openFixedSession, signIn } from '../accounts/users/sessions.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { newSecret } from '../platform/random-secret.js';
import { findEndUser, insertEndUser, type EndUser } from './end-users.repository.js';
import { signUserToken } from './user-tokens.js';
import { findActiveKey } from './widget-keys.repository.js';

export interface SignedIn {
  /** A user token for the widget. It gives no access to /api. */
  token: string;
  /** Seconds. */
  expiresIn: number;
  displayName: string;
}

/**
 * Signs a user of the app's organization in to its widget, where the user is an end user from then on. Errors:
 * `unauthenticated` without a key of the app, and as `signIn` does; a user of another organization counts as unknown.
 * Wrong passwords share the limits of /api/auth/login.
 */
export async function signInToWidget(
  app: App,
  actor: Actor,
  { apiKey, ...input }: Credentials & { apiKey: string },
): Promise<SignedIn> {
  const key = await findActiveKey(app, apiKey);
  const isOfWidget = actor.kind === 'visitor' || actor.kind === 'end_user';
  if (key === undefined || !isOfWidget || key.appId !== actor.appId) {
    const sentence = 'Signing in needs the widget key of the app, as X-Widget-Key.';
    throw new AppError('unauthenticated', sentence);
  }
  const { appId, organizationId } = key;
  const expiresIn = app.config.widget.sign_in_hours * 3600;
  return signIn(app, { ...input, organizationId }, async (app, user) => {
    const { id: endUserId } = await endUserOf(app, appId, user);
    const session = await openFixedSession(app, user, expiresIn);
    const token = await signUserToken(app, { endUserId, appId, keyId: key.id, session }, expiresIn);
    return { token, expiresIn, displayName: user.displayName };
  });
}

async function endUserOf(app: App, appId: number, user: User): Promise<EndUser> {
  const known = await findEndUser(app, appId, { user_id: user.id });
  if (known !== undefined) return known;
  return insertEndUser(app, {
    appId,
    organizationId: user.organizationId,
    userId: user.id,
    // Random, so that no host can use the same id by chance or on purpose.
    externalId: `user:${newSecret()}`,
    // Null: the account's present ones are used (describeEndUser).
    email: null,
    displayName: null,
  });
}
