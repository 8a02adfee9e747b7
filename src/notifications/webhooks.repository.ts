import type { Store } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow, flag, plain, type RecordOf, table } from '../platform/db/record.js';
import type { Page, Paged } from '../platform/db/select-page.js';

export const webhooks = table('webhook_endpoints', {
  id: plain<number>(),
  organizationId: plain<number>(),
  url: plain<string>(),
  disabled: flag(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

/** An address of the organization that receives events. */
export type Webhook = RecordOf<typeof webhooks>;

/** With the secret that signs its messages: `whsec_` and base64. Stored in clear text, because signing needs it. */
export interface WebhookWithSecret extends Webhook {
  secret: string;
}

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
    .read<{ organization_id: number; id: number; secret: string }>('webhook_endpoints')
    .where({ organization_id: organizationId, id })
    .first();
  return row === undefined ? undefined : { ...webhooks.read(row), secret: row.secret };
}

export async function listWebhooksOf(
  app: Store,
  organizationId: number,
  page: Page,
): Promise<Paged<Webhook>> {
  const query = app.db.read('webhook_endpoints').where({ organization_id: organizationId });
  return webhooks.page(query, [{ column: 'id' }], page);
}

export async function listEnabledWebhooks(app: Store, organizationId: number): Promise<Webhook[]> {
  const query = app.db.read('webhook_endpoints');
  return webhooks.all(query.where({ organization_id: organizationId, disabled: false }));
}

export async function changeWebhook(
  app: Store,
  id: number,
  change: { url?: string | undefined; disabled?: boolean | undefined; secret?: string },
): Promise<void> {
  await app.db
    .write('webhook_endpoints')
    .where({ id })
    .update({ ...change, updated_at: timestamp(app.clock) });
}
