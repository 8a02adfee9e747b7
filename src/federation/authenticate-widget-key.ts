import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { findActiveKey } from './widget-keys.repository.js';

/** Who a widget key speaks for. Refuses with `unauthenticated` a key that is unknown or revoked. */
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
