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
  /** A user token for the widget: it opens nothing of /api. */
  token: string;
  /** Seconds. */
  expiresIn: number;
  displayName: string;
}

/**
 * Signs a user of the app's organization in to its widget, who is an end user there from then on. Refuses with
 * `unauthenticated` without a key of the app, and as `signIn` does: a user of another organization is as unknown as
 * nobody. Wrong passwords count as those of /api/auth/login, with them.
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
    ...{ appId, organizationId: user.organizationId, userId: user.id },
    // No host can name it, by chance or on purpose.
    externalId: `user:${newSecret()}`,
    // Those of the account, whatever they become: see describeEndUser.
    ...{ email: null, displayName: null },
  });
}
