import { timingSafeEqual } from 'node:crypto';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { hashSecret } from '../platform/random-secret.js';
import { findActiveKey } from './widget-keys.repository.js';
import { findActiveSecrets } from './widget-secrets.repository.js';

/**
 * The backend of an app's host, by a widget key and one of its secrets. Refuses with `forbidden` whatever a browser
 * sends (its requests name their origin), whether the secret is right or not, and with `unauthenticated` a key
 * without its secret; it does not tell which of the two is wrong.
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
  // All are compared, each in constant time: how long it takes tells nothing about any of them.
  const matching = secrets.filter(({ hash }) => timingSafeEqual(Buffer.from(hash, 'hex'), given));
  if (key === undefined || matching.length === 0) {
    throw new AppError(
      'unauthenticated',
      'Send a widget key as X-Widget-Key with its secret as X-Widget-Secret; this pair does not hold.',
    );
  }
  const { organizationId, appId, id: keyId } = key;
  return { kind: 'host_backend', organizationId, appId, keyId };
}
