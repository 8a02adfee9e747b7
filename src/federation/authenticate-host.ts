import { timingSafeEqual } from 'node:crypto';
import { findBearer } from '../accounts/tokens/bearer.repository.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { hashSecret } from '../platform/random-secret.js';
import { type EndUser, findVouchedFor } from './end-users.repository.js';
import { verifyUserToken } from './user-tokens.js';
import { findActiveKey } from './widget-keys.repository.js';
import { findActiveSecrets } from './widget-secrets.repository.js';

/**
 * Authenticates a host's backend by a widget key and one of its secrets. Errors: `forbidden` for every browser request
 * (recognized by its Origin), whether or not the secret is right; `unauthenticated` for a wrong key or secret, without
 * telling which is wrong.
 */
export async function authenticateBackend(
  app: App,
  shown: { origin: string | undefined; key: string | undefined; secret: string | undefined },
): Promise<Extract<Actor, { kind: 'host_backend' }>> {
  if (shown.origin !== undefined) {
    throw new AppError(
      'forbidden',
      'Call this from your backend: no browser may have the secret of a widget key.',
    );
  }
  const given = Buffer.from(hashSecret(shown.secret ?? ''), 'hex');
  const key = shown.key === undefined ? undefined : await findActiveKey(app, shown.key);
  const secrets = key === undefined ? [] : await findActiveSecrets(app, [key.id]);
  // Compares with every secret in constant time, so that the duration reveals nothing.
  const matching = secrets.filter(({ hash }) => timingSafeEqual(Buffer.from(hash, 'hex'), given));
  if (key === undefined || matching.length === 0) {
    throw new AppError(
      'unauthenticated',
      'Send a widget key as X-Widget-Key with its secret as X-Widget-Secret; this pair is not valid.',
    );
  }
  const { organizationId, appId, id: keyId } = key;
  return { kind: 'host_backend', organizationId, appId, keyId };
}

/**
 * Authenticates the person of a widget's user token. The key that issued it is read each time, so that revoking the key
 * ends its tokens at once. The account of a signed-in person is read too, so that the end of their sessions ends the
 * token. Refuses an invalid token with `unauthenticated`, never as anonymous.
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

/** A person whom a host identifies has no account to check. */
async function isSignedIn(app: App, endUser: EndUser, session: string): Promise<boolean> {
  const { userId, organizationId } = endUser;
  if (userId === null) return true;
  const user = await findBearer(app, { userId, jti: undefined, session });
  return user?.organizationId === organizationId;
}

/** Authenticates a widget key. Errors: `unauthenticated` for an unknown or revoked key. */
export async function authenticateWidgetKey(
  app: App,
  key: string,
): Promise<Extract<Actor, { kind: 'widget_key' }>> {
  const found = await findActiveKey(app, key);
  if (found === undefined) {
    throw new AppError('unauthenticated', 'The widget key is unknown or revoked.');
  }
  const { organizationId, appId, kind: keyKind } = found;
  return { kind: 'widget_key', organizationId, appId, keyKind };
}
