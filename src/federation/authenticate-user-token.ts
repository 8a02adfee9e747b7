import { findBearer } from '../accounts/tokens/bearer.repository.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { findVouchedFor, type EndUser } from './end-users.repository.js';
import { verifyUserToken } from './user-tokens.js';

/**
 * Who a widget's user token speaks for. The key that issued it is looked up each time: revoking a key ends its
 * tokens at once. So is the account of the person who signed in: what ends their sessions ends this too.
 * Refuses with `unauthenticated`; an invalid credential is never nobody.
 */
export async function authenticateUserToken(
  app: App,
  token: string,
): Promise<Extract<Actor, { kind: 'end_user' }>> {
  const claims = await verifyUserToken(app, token);
  const endUser = claims === undefined ? undefined : await findVouchedFor(app, claims);
  if (endUser === undefined || !(await isSignedIn(app, endUser, claims?.session ?? ''))) {
    throw new AppError(
      'unauthenticated',
      'The user token is invalid, expired, or of a revoked key. Have the host issue another, or sign in.',
    );
  }
  const { organizationId, appId, id: endUserId } = endUser;
  return { kind: 'end_user', organizationId, appId, endUserId };
}

/** A person whom a host vouches for has no account to look at. */
async function isSignedIn(app: App, endUser: EndUser, session: string): Promise<boolean> {
  const { userId, organizationId } = endUser;
  if (userId === null) return true;
  const user = await findBearer(app, { userId, jti: undefined, session });
  return user?.organizationId === organizationId;
}
