import type { Knex } from 'knex';
import type { WidgetKeyKind } from '../platform/actor.js';
import type { Store } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow, plain, table } from '../platform/db/record.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { findActiveSecrets } from './widget-secrets.repository.js';
import type { WidgetKey } from './widget-key.js';

export const widgetKeys = table('widget_keys', {
  id: plain<number>(),
  organizationId: plain<number>(),
  appId: plain<number>(),
  key: plain<string>(),
  kind: plain<WidgetKeyKind>(),
  name: plain<string>(),
  revokedAt: plain<string | null>(),
  createdAt: plain<string>(),
});

export async function insertWidgetKey(
  app: Store,
  fields: Pick<WidgetKey, 'organizationId' | 'appId' | 'key' | 'kind' | 'name'>,
): Promise<number> {
  const row = widgetKeys.columns({ ...fields, createdAt: timestamp(app.clock) });
  return insertRow(app.db.write, 'widget_keys', row);
}

/** A page of the organization's keys, of one app or all, the oldest first. */
export async function listWidgetKeysOf(
  app: Store,
  organizationId: number,
  { appId, ...page }: Page & { appId?: number | undefined },
): Promise<Paged<WidgetKey>> {
  const query = app.db.read('widget_keys').where({ organization_id: organizationId });
  if (appId !== undefined) void query.where({ app_id: appId });
  const { items, total } = await widgetKeys.page(query, [{ column: 'id' }], page);
  return { items: await withSecrets(app, items), total };
}

export async function findWidgetKey(
  app: Store,
  organizationId: number,
  id: number,
): Promise<WidgetKey | undefined> {
  const query = app.db.read('widget_keys').where({ organization_id: organizationId, id });
  const [found] = await withSecrets(app, await widgetKeys.all(query));
  return found;
}

/** The key with this text, unless it was revoked. */
export async function findActiveKey(
  app: Store,
  key: string,
): Promise<Pick<WidgetKey, 'id' | 'organizationId' | 'appId' | 'kind'> | undefined> {
  return widgetKeys.first(app.db.read('widget_keys').where({ key }).whereNull('revoked_at'));
}

/** True when this key belongs to the app and was not revoked. */
export async function isKeyActive(app: Store, id: number, appId: number): Promise<boolean> {
  return (await activeKey(app, id, appId).first()) !== undefined;
}

/** A subquery: this key, if it belongs to the app and was not revoked. */
export function activeKey(app: Store, id: number, appId: number): Knex.QueryBuilder {
  const own: Knex.QueryBuilder = app.db.read('widget_keys').where({ id, app_id: appId });
  return own.whereNull('revoked_at').select('id');
}

async function withSecrets(app: Store, found: Omit<WidgetKey, 'secrets'>[]): Promise<WidgetKey[]> {
  const standing = found.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
  const secrets = await findActiveSecrets(app, standing);
  return found.map((key) => ({
    ...key,
    secrets: secrets
      .filter((secret) => secret.keyId === key.id)
      .map(({ id, createdAt, expiresAt }) => ({ id, createdAt, expiresAt })),
  }));
}
