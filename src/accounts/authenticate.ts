import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { findUser } from './accounts.repository.js';
import { verifyAccessToken } from './access-tokens.js';
import { isApiTokenActive } from './tokens.repository.js';

/**
 * Who a bearer token speaks for. The user is looked up each time: a disabled account, a changed role and a
 * revoked token count at once. Refuses with `unauthenticated`; an invalid credential is never nobody.
 */
export async function authenticateBearer(app: App, token: string): Promise<Actor> {
  const claims = await verifyAccessToken(app, token);
  const user = claims === undefined ? undefined : await findUser(app, claims.userId);
  const active = claims?.jti === undefined || (await isApiTokenActive(app, claims.jti));
  if (user === undefined || user.disabled || !active) {
    throw new AppError(
      'unauthenticated',
      'The bearer token is invalid, expired or revoked. Sign in again.',
    );
  }
  return { kind: 'user', organizationId: user.organizationId, userId: user.id, role: user.role };
}
