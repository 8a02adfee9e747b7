import type { Knex } from 'knex';
import type { WidgetKeyKind } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow } from '../platform/db/insert-row.js';
import { selectPage, type Page, type Paged } from '../platform/db/select-page.js';
import { findActiveSecrets } from './widget-secrets.repository.js';
import type { WidgetKey } from './widget-key.js';

interface WidgetKeyRow {
  id: number;
  organization_id: number;
  app_id: number;
  key: string;
  kind: WidgetKeyKind;
  name: string;
  revoked_at: string | null;
  created_at: string;
}

type Store = Pick<App, 'db' | 'clock'>;

export async function insertWidgetKey(
  app: Store,
  fields: Pick<WidgetKey, 'organizationId' | 'appId' | 'key' | 'kind' | 'name'>,
): Promise<number> {
  return insertRow(app.db.write, 'widget_keys', {
    organization_id: fields.organizationId,
    app_id: fields.appId,
    key: fields.key,
    kind: fields.kind,
    name: fields.name,
    created_at: timestamp(app.clock),
  });
}

/** A page of the organization's keys, of one app or all, the oldest first. */
export async function listWidgetKeysOf(
  app: Store,
  organizationId: number,
  { appId, ...page }: Page & { appId?: number | undefined },
): Promise<Paged<WidgetKey>> {
  const query = app.db.read('widget_keys').where({ organization_id: organizationId });
  if (appId !== undefined) void query.where({ app_id: appId });
  const order = [{ column: 'id' }];
  const { items, total } = await selectPage(query, order, page, (row: WidgetKeyRow) => row);
  return { items: await withSecrets(app, items), total };
}

export async function findWidgetKey(
  app: Store,
  organizationId: number,
  id: number,
): Promise<WidgetKey | undefined> {
  const rows = await app.db
    .read<WidgetKeyRow>('widget_keys')
    .where({ organization_id: organizationId, id })
    .select('*');
  const [found] = await withSecrets(app, rows);
  return found;
}

/** The key with this text, unless it was revoked. */
export async function findActiveKey(
  app: Store,
  key: string,
): Promise<Pick<WidgetKey, 'id' | 'organizationId' | 'appId' | 'kind'> | undefined> {
  const row = await app.db
    .read<WidgetKeyRow>('widget_keys')
    .where({ key })
    .whereNull('revoked_at')
    .first();
  if (row === undefined) return undefined;
  return { id: row.id, organizationId: row.organization_id, appId: row.app_id, kind: row.kind };
}

/** True when this key belongs to the app and was not revoked. */
export async function isKeyActive(app: Store, id: number, appId: number): Promise<boolean> {
  return (await activeKey(app, id, appId).first()) !== undefined;
}

/** A subquery: this key, if it belongs to the app and was not revoked. */
export function activeKey(app: Store, id: number, appId: number): Knex.QueryBuilder {
  const keys: Knex.QueryBuilder = app.db.read('widget_keys');
  return keys.where({ id, app_id: appId }).whereNull('revoked_at').select('id');
}

export async function renameWidgetKeyRow(app: Store, id: number, name: string): Promise<void> {
  await app.db.write('widget_keys').where({ id }).update({ name });
}

export async function markKeyRevoked(app: Store, id: number): Promise<void> {
  const now = timestamp(app.clock);
  await app.db.write('widget_keys').where({ id }).update({ revoked_at: now });
}

async function withSecrets(app: Store, rows: WidgetKeyRow[]): Promise<WidgetKey[]> {
  const standing = rows.filter((row) => row.revoked_at === null).map(({ id }) => id);
  const secrets = await findActiveSecrets(app, standing);
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    appId: row.app_id,
    key: row.key,
    kind: row.kind,
    name: row.name,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
    secrets: secrets
      .filter((secret) => secret.keyId === row.id)
      .map(({ id, createdAt, expiresAt }) => ({ id, createdAt, expiresAt })),
  }));
}
