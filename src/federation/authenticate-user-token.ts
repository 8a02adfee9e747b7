import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { findEndUser } from './end-users.repository.js';
import { verifyUserToken } from './user-tokens.js';
import { isKeyActive } from './widget-keys.repository.js';

/**
 * Who a widget's user token speaks for. The key that issued it is looked up each time: revoking a key ends its
 * tokens at once. Refuses with `unauthenticated`; an invalid credential is never nobody.
 */
export async function authenticateUserToken(
  app: App,
  token: string,
): Promise<Extract<Actor, { kind: 'end_user' }>> {
  const claims = await verifyUserToken(app, token);
  const stands = claims !== undefined && (await isKeyActive(app, claims.keyId, claims.appId));
  const endUser = stands
    ? await findEndUser(app, claims.appId, { id: claims.endUserId })
    : undefined;
  if (endUser === undefined) {
    throw new AppError(
      'unauthenticated',
      'The user token is invalid, expired, or of a revoked key. Have the host issue another.',
    );
  }
  const { organizationId, appId, id: endUserId } = endUser;
  return { kind: 'end_user', organizationId, appId, endUserId };
}
