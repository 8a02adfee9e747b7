import type { App } from '../platform/app.js';
import { lookUpPublic, mayBePublic } from '../platform/http/public-address.js';
import { DeliveryRefused } from './delivery-refused.js';
import type { Delivery } from './notification.js';
import { findWebhook } from './webhooks.repository.js';

/**
 * Posts one event to a webhook, signed as Standard Webhooks has it (standardwebhooks.com): the id is the same at each
 * attempt, so that a receiver can tell a repetition. Only public addresses are connected to, unless the operator allows
 * others; redirects are not followed, and what is answered is not read. Throws what went wrong; DeliveryRefused where
 * the webhook is gone.
 */
export async function sendWebhook(app: App, delivery: Delivery): Promise<void> {
  const webhook = await findWebhook(app, delivery.organizationId, Number(delivery.target));
  if (webhook === undefined) throw new DeliveryRefused('The webhook has been removed.');
  if (webhook.disabled) throw new DeliveryRefused('The webhook is disabled.');
  const { Webhook } = await import('standardwebhooks');
  const { messageId } = delivery.payload;
  const sentAt = app.clock.now();
  const body = JSON.stringify(eventOf(delivery));
  const status = await post(app, webhook.url, {
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'assistant-webhooks',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(webhook.secret).sign(messageId, sentAt, body),
    },
  });
  if (status === 410) throw new DeliveryRefused('The webhook answered 410 Gone.');
  if (status < 200 || status > 299) throw new Error(`The webhook answered ${status}.`);
}

/**
 * The status that a webhook answers. Of what hinders a connection only the log tells, so that nobody learns from it what
 * there is in the network of this machine.
 */
async function post(
  app: App,
  url: string,
  request: { body: string; headers: Record<string, string> },
): Promise<number> {
  const { Agent, fetch } = await import('undici');
  const anywhere = app.config.webhooks.allow_private;
  const dispatcher = new Agent(anywhere ? {} : { connect: { lookup: lookUpPublic } });
  try {
    if (!anywhere && !mayBePublic(new URL(url))) throw new Error('It is not a public address.');
    const response = await fetch(url, {
      ...request,
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(app.config.notifications.webhook_timeout_ms),
      dispatcher,
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    app.log.info({ err: error, url: new URL(url).origin }, 'a webhook could not be reached');
    throw new Error('The webhook could not be reached, or did not answer in time.');
  } finally {
    await dispatcher.destroy();
  }
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
