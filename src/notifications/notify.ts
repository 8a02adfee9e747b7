import { randomUUID } from 'node:crypto';
import type { App } from '../platform/app.js';
import { insertDeliveries } from './deliveries.repository.js';
import type { News, NotificationKind, Recipient } from './notification.js';
import { insertNotification } from './notifications.repository.js';
import { listEnabledWebhooks } from './webhooks.repository.js';

export interface NotifyInput {
  organizationId: number;
  /** The app that it is about. */
  appId: number | null;
  /** That it comes from. */
  conversationId: string | null;
  recipient: Recipient;
  /** The recipient's e-mail address, where one is known. */
  email: string | null;
  /** Names what it is about, once: the second notification of one resolution is refused by the database. */
  dedupeKey: string;
  kind: NotificationKind;
  request: News;
}

/**
 * Tells a person something: in the product, and through the outbox by e-mail; of a resolved request the organization's
 * webhooks hear too. Runs inside the transaction of what it tells of, so that neither is there without the other; the
 * worker sends what stands in the outbox afterwards, and is to be woken when the transaction is through.
 */
export async function notify(app: App, input: NotifyInput): Promise<void> {
  const { organizationId, appId, conversationId, recipient, dedupeKey, kind, request } = input;
  const notificationId = await insertNotification(app, {
    organizationId,
    appId,
    conversationId,
    recipient,
    dedupeKey,
    kind,
    payload: request,
  });
  const mails = app.config.mail.host === '' || input.email === null ? [] : [input.email];
  const webhooks =
    kind === 'request_resolved' ? await listEnabledWebhooks(app, organizationId) : [];
  const targets = [
    ...mails.map((target) => ({ channel: 'mail' as const, target })),
    ...webhooks.map(({ id }) => ({ channel: 'webhook' as const, target: String(id) })),
  ];
  await insertDeliveries(
    app,
    targets.map((one) => ({
      ...one,
      organizationId,
      notificationId,
      payload: { messageId: randomUUID(), kind, request },
    })),
  );
}
