import { randomBytes } from 'node:crypto';
import { recorderOf } from '../audit/record-change.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError, refusedField } from '../platform/errors.js';
import { mayBePublic } from '../platform/http/public-address.js';
import { parseUrl } from '../platform/text/parse-url.js';
import { presentWebhook, presentDelivery } from './notifications.schema.js';
import {
  changeWebhook,
  webhooks,
  findWebhook,
  insertWebhook,
  listWebhooksOf,
  type Webhook,
  type WebhookWithSecret,
} from './webhooks.repository.js';
import { findDelivery, listDeliveriesOf, resetDelivery } from './deliveries.repository.js';
import type { Delivery, DeliveryChannel, DeliveryStatus } from './notification.js';

const recordWebhook = recorderOf('webhook', presentWebhook);
const recordDelivery = recorderOf('delivery', presentDelivery);

/** A page of the organization's webhooks, oldest first. */
export async function listWebhooks(app: App, actor: Actor, page: Page): Promise<Paged<Webhook>> {
  const { organizationId } = requirePermission(actor, 'administer');
  return listWebhooksOf(app, organizationId, page);
}

/** One webhook of the organization. Errors: `not_found`. */
export async function getWebhook(app: App, actor: Actor, id: number): Promise<WebhookWithSecret> {
  const { organizationId } = requirePermission(actor, 'administer');
  const found = await findWebhook(app, organizationId, id);
  if (found === undefined) throw new AppError('not_found', `There is no webhook ${id}.`);
  return found;
}

/** Adds a webhook, with the secret that signs its messages. Errors: `invalid_request` for an invalid address. */
export async function createWebhook(
  app: App,
  actor: Actor,
  input: { url: string },
): Promise<WebhookWithSecret> {
  const { organizationId } = requirePermission(actor, 'administer');
  const url = checkAddress(app, input.url);
  return inTransaction(app, async (app) => {
    const id = await insertWebhook(app, { organizationId, url, secret: newSecret() });
    const webhook = await getWebhook(app, actor, id);
    await recordWebhook(app, actor, 'create', { after: webhook });
    return webhook;
  });
}

/** Changes the address of a webhook, or enables or disables it. Errors: `not_found` or `invalid_request`. */
export async function updateWebhook(
  app: App,
  actor: Actor,
  id: number,
  input: { url?: string | undefined; disabled?: boolean | undefined },
): Promise<Webhook> {
  const url = input.url === undefined ? undefined : checkAddress(app, input.url);
  return changed(app, actor, id, 'update', { url, disabled: input.disabled });
}

/** Replaces a webhook's secret. The new one signs from now on, including retries of older messages. */
export async function rotateWebhookSecret(
  app: App,
  actor: Actor,
  id: number,
): Promise<WebhookWithSecret> {
  return changed(app, actor, id, 'rotate_secret', { secret: newSecret() });
}

/** Deletes a webhook. Its unsent messages end as dead. Errors: `not_found`. */
export async function deleteWebhook(app: App, actor: Actor, id: number): Promise<void> {
  await inTransaction(app, async (app) => {
    const webhook = await getWebhook(app, actor, id);
    await webhooks.delete(app, id);
    await recordWebhook(app, actor, 'delete', { before: webhook });
  });
}

async function changed(
  app: App,
  actor: Actor,
  id: number,
  verb: string,
  change: Parameters<typeof changeWebhook>[2],
): Promise<WebhookWithSecret> {
  return inTransaction(app, async (app) => {
    const before = await getWebhook(app, actor, id);
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    if (given.every(([field, value]) => before[field as keyof typeof change] === value)) {
      return before;
    }
    await changeWebhook(app, id, change);
    const after = await getWebhook(app, actor, id);
    await recordWebhook(app, actor, verb, { before, after });
    return after;
  });
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Refuses addresses that can never be reached. A host's addresses may change, so each delivery checks them. */
function checkAddress({ config }: App, text: string): string {
  const url = parseUrl(text);
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol) && url.hostname !== '';
  const isPlain = isWeb && url.username === '' && url.password === '';
  if (isPlain && (config.webhooks.allow_private || mayBePublic(url))) return url.href;
  const message = isPlain
    ? 'must be on the public internet, unless the operator sets webhooks.allow_private'
    : 'must be an http(s) address without a user or password in it';
  throw refusedField('url', message, 'invalid_request', {
    is: isPlain ? 'webhook_private' : 'webhook_address',
  });
}

/** A page of the organization's deliveries (sent, pending and `dead`), newest first. */
export async function listDeliveries(
  app: App,
  actor: Actor,
  input: Page & {
    status?: DeliveryStatus | undefined;
    channel?: DeliveryChannel | undefined;
    /** Only those to this webhook. */
    webhookId?: number | undefined;
  },
): Promise<Paged<Delivery>> {
  const { organizationId } = requirePermission(actor, 'administer');
  const { status, webhookId } = input;
  if (webhookId === undefined) {
    return listDeliveriesOf(app, organizationId, { ...input, status, channel: input.channel });
  }
  const target = String(webhookId);
  return listDeliveriesOf(app, organizationId, { ...input, status, channel: 'webhook', target });
}

/** Sends a delivery again, now. Errors: `not_found`; `conflict` for a delivered one. */
export async function retryDelivery(app: App, actor: Actor, id: number): Promise<Delivery> {
  const { organizationId } = requirePermission(actor, 'administer');
  const retried = await inTransaction(app, async (app) => {
    const before = await findDelivery(app, organizationId, id);
    if (before === undefined) throw new AppError('not_found', `There is no delivery ${id}.`);
    if (before.status === 'delivered') {
      throw new AppError('conflict', 'It has been delivered already, so it is not sent again.', {
        reason: { is: 'delivered_already' },
      });
    }
    await resetDelivery(app, id);
    const after = (await findDelivery(app, organizationId, id)) ?? before;
    await recordDelivery(app, actor, 'retry', { before, after });
    return after;
  });
  app.jobs.wake();
  return retried;
}
