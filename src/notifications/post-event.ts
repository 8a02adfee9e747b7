import type { App } from '../platform/app.js';
import { lookUpPublic, mayBePublic } from '../platform/http/public-address.js';
import type { WebhookWithSecret } from './webhooks.repository.js';

/**
 * Posts one event to a webhook, signed by Standard Webhooks (standardwebhooks.com), and returns the status of its answer.
 * Connects only to public addresses unless the operator allows others, follows no redirect, and does not read the
 * answer's body. Throws when there is no answer.
 */
export async function postEvent(
  app: App,
  webhook: Pick<WebhookWithSecret, 'url' | 'secret'>,
  { messageId, event }: { messageId: string; event: object },
): Promise<number> {
  const { Webhook } = await import('standardwebhooks');
  const sentAt = app.clock.now();
  const body = JSON.stringify(event);
  return post(app, webhook.url, {
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'assistant-webhooks',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(webhook.secret).sign(messageId, sentAt, body),
    },
  });
}

/**
 * The status of a webhook's answer. Connection errors appear only in the log, so that nobody can explore this machine's
 * network with webhooks.
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
