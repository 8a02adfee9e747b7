import { randomUUID } from 'node:crypto';
import type { App } from '../platform/app.js';
import { insertDeliveries } from './deliveries.repository.js';
import type { News, NotificationKind, Recipient } from './notification.js';
import { insertNotification } from './notifications.repository.js';
import { listEnabledWebhooks } from './webhooks.repository.js';

export interface NotifyInput {
  organizationId: number;
  appId: number | null;
  /** The conversation of the question. */
  conversationId: string | null;
  recipient: Recipient;
  /** The recipient's e-mail address, if known. */
  email: string | null;
  /** Identifies the cause: the database refuses a second notification of one resolution. */
  dedupeKey: string;
  kind: NotificationKind;
  request: News;
}

/**
 * Notifies a person in the product and, through the outbox, by e-mail; a resolved request also notifies the
 * organization's webhooks. Runs inside the transaction of the event, so that neither exists without the other. The
 * worker sends the outbox; wake it after the transaction.
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
