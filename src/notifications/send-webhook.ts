import type { App } from '../platform/app.js';
import { DeliveryRefused } from './delivery-refused.js';
import type { Delivery } from './notification.js';
import { findWebhook } from './webhooks.repository.js';

/**
 * Posts one event to a webhook, signed as Standard Webhooks has it (standardwebhooks.com): the id is the same at each
 * attempt, so that a receiver can tell a repetition. Redirects are not followed, and what is answered is not read.
 * Throws what went wrong; DeliveryRefused where the webhook is gone.
 */
export async function sendWebhook(app: App, delivery: Delivery): Promise<void> {
  const webhook = await findWebhook(app, delivery.organizationId, Number(delivery.target));
  if (webhook === undefined) throw new DeliveryRefused('The webhook has been removed.');
  if (webhook.disabled) throw new DeliveryRefused('The webhook is disabled.');
  const { Webhook } = await import('standardwebhooks');
  const { messageId } = delivery.payload;
  const sentAt = app.clock.now();
  const body = JSON.stringify(eventOf(delivery));
  const response = await fetch(webhook.url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'assistant-webhooks',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(webhook.secret).sign(messageId, sentAt, body),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(app.config.notifications.webhook_timeout_ms),
  });
  await response.body?.cancel();
  if (response.status === 410) throw new DeliveryRefused('The webhook answered 410 Gone.');
  if (!response.ok) throw new Error(`The webhook answered ${response.status}.`);
}

function eventOf({ payload }: Delivery): object {
  const { request } = payload;
  return {
    type: 'knowledge_request.resolved',
    timestamp: request.resolvedAt,
    data: {
      id: request.requestId,
      status: 'resolved',
      question: request.question,
      response: request.response,
      url: request.url,
      knowledge_entry_id: request.entryId,
    },
  };
}
