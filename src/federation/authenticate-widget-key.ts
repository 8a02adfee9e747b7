import type { Actor, WidgetKeyKind } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';

interface WidgetKeyRow {
  organization_id: number;
  app_id: number;
  key: string;
  kind: WidgetKeyKind;
  revoked_at: string | null;
}

/** Who a widget key speaks for. Refuses with `unauthenticated` a key that is unknown or revoked. */
export async function authenticateWidgetKey(app: App, key: string): Promise<Actor> {
  const row = await app.db
    .read<WidgetKeyRow>('widget_keys')
    .where({ key })
    .whereNull('revoked_at')
    .first('organization_id', 'app_id', 'kind');
  if (row === undefined) {
    throw new AppError('unauthenticated', 'The widget key is unknown or revoked.');
  }
  return {
    kind: 'widget_key',
    organizationId: row.organization_id,
    appId: row.app_id,
    keyKind: row.kind,
  };
}
