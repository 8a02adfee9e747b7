import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow } from '../platform/db/insert-row.js';
import { selectPage, type Page, type Paged } from '../platform/db/select-page.js';

/** An address of the organization that receives events. */
export interface Webhook {
  id: number;
  organizationId: number;
  url: string;
  disabled: boolean;
  createdAt: string;
  updatedAt: string;
}

/** With the secret that signs its messages: `whsec_` and base64. Stored in clear text, because signing needs it. */
export interface WebhookWithSecret extends Webhook {
  secret: string;
}

interface WebhookRow {
  id: number;
  organization_id: number;
  url: string;
  secret: string;
  disabled: number | boolean;
  created_at: string;
  updated_at: string;
}

type Store = Pick<App, 'db' | 'clock'>;

export async function insertWebhook(
  app: Store,
  fields: { organizationId: number; url: string; secret: string },
): Promise<number> {
  const now = timestamp(app.clock);
  return insertRow(app.db.write, 'webhook_endpoints', {
    organization_id: fields.organizationId,
    url: fields.url,
    secret: fields.secret,
    disabled: false,
    created_at: now,
    updated_at: now,
  });
}

export async function findWebhook(
  app: Store,
  organizationId: number,
  id: number,
): Promise<WebhookWithSecret | undefined> {
  const row = await app.db
    .read<WebhookRow>('webhook_endpoints')
    .where({ organization_id: organizationId, id })
    .first();
  return row === undefined ? undefined : { ...toWebhook(row), secret: row.secret };
}

export async function listWebhooksOf(
  app: Store,
  organizationId: number,
  page: Page,
): Promise<Paged<Webhook>> {
  const query = app.db.read('webhook_endpoints').where({ organization_id: organizationId });
  return selectPage<WebhookRow, Webhook>(query, [{ column: 'id' }], page, toWebhook);
}

export async function listEnabledWebhooks(app: Store, organizationId: number): Promise<Webhook[]> {
  const rows = await app.db
    .read<WebhookRow>('webhook_endpoints')
    .where({ organization_id: organizationId, disabled: false })
    .select('*');
  return rows.map(toWebhook);
}

export async function changeWebhook(
  app: Store,
  id: number,
  change: { url?: string | undefined; disabled?: boolean | undefined; secret?: string },
): Promise<void> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  await app.db
    .write('webhook_endpoints')
    .where({ id })
    .update({ ...Object.fromEntries(given), updated_at: timestamp(app.clock) });
}

export async function deleteWebhookById(app: Store, id: number): Promise<void> {
  await app.db.write('webhook_endpoints').where({ id }).delete();
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    organizationId: row.organization_id,
    url: row.url,
    disabled: Boolean(row.disabled),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
