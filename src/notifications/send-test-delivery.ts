import { randomUUID } from 'node:crypto';
import { recordChange } from '../audit/record-change.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import type { ConcurrencyLimit } from '../platform/concurrency-limit.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { allOf } from '../platform/db/select-page.js';
import { messageOf, tooMany } from '../platform/errors.js';
import { findNamed } from '../platform/find-named.js';
import { getWebhook, listWebhooks } from './manage-webhooks.js';
import { presentTestDelivery } from './notifications.schema.js';
import { postEvent } from './post-event.js';
import type { Webhook, WebhookWithSecret } from './webhooks.repository.js';

export interface TestDelivery {
  delivered: boolean;
  /** The HTTP status of the answer; null without one. */
  answerStatus: number | null;
  /** Why it was not delivered; null otherwise. */
  error: string | null;
}

declare module '../platform/app.js' {
  interface App {
    /** One at a time for each organization: a slow webhook must not hold many connections. */
    testDeliveries: ConcurrencyLimit;
  }
}

/**
 * Sends an event of the type `webhook.test` to a webhook at once, also to a disabled one, and returns what it answered.
 * It is not retried, and no delivery is stored. Errors: `not_found`; `rate_limited` while another one is sent.
 */
export async function sendTestDelivery(app: App, actor: Actor, id: number): Promise<TestDelivery> {
  const { organizationId } = requirePermission(actor, 'administer');
  const webhook = await getWebhook(app, actor, id);
  const who = String(organizationId);
  if (!app.testDeliveries.take(who)) throw tooMany('test deliveries at once: one is being sent');
  const tried = await send(app, webhook).finally(() => app.testDeliveries.leave(who));
  await inTransaction(app, (app) =>
    recordChange(app, actor, {
      organizationId,
      action: 'webhook.test',
      subject: `webhook:${id}`,
      after: presentTestDelivery(tried),
    }),
  );
  return tried;
}

async function send(app: App, webhook: WebhookWithSecret): Promise<TestDelivery> {
  const event = { type: 'webhook.test', timestamp: timestamp(app.clock), data: {} };
  try {
    const answerStatus = await postEvent(app, webhook, { messageId: randomUUID(), event });
    const delivered = answerStatus >= 200 && answerStatus <= 299;
    const error = delivered ? null : `The webhook answered ${answerStatus}.`;
    return { delivered, answerStatus, error };
  } catch (error) {
    return { delivered: false, answerStatus: null, error: messageOf(error) };
  }
}

/** Finds a webhook by its number, or the beginning of its address. Errors: those of findNamed. */
export async function getWebhookNamed(app: App, actor: Actor, name: string): Promise<Webhook> {
  const { items: among } = await listWebhooks(app, actor, allOf);
  const namesOf = ({ id, url }: Webhook) => ({ id, names: [url] });
  return findNamed(name, { thing: 'webhook', among, namesOf });
}
