import type { App } from '../platform/app.js';
import { messageOf } from '../platform/errors.js';
import { nextChance } from '../platform/workers/next-chance.js';
import {
  claimDelivery,
  settleDelivery,
  type LeasedDelivery,
  type Outcome,
} from './deliveries.repository.js';
import { DeliveryRefused } from './delivery-refused.js';
import { sendMail } from './send-mail.js';
import { sendWebhook } from './send-webhook.js';

/** The longest wait between two attempts: 6 hours. */
const longestRetryMs = 21_600_000;
/** Characters of an error that are kept. */
const errorLength = 500;

export interface DeliveryWorker {
  /** Resolves when the message under way has ended. */
  stop(): Promise<void>;
}

/** Sends what stands in the outbox as it falls due, until stopped. */
export function startDeliveryWorker(app: App): DeliveryWorker {
  const stopping = new AbortController();
  const running = run(app, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Sends what is due now, one message after another, and answers how many attempts that took. */
export async function runDueDeliveries(app: App, signal?: AbortSignal): Promise<number> {
  for (let attempts = 0; ; attempts++) {
    const delivery = signal?.aborted === true ? undefined : await claimDelivery(app);
    if (delivery === undefined) return attempts;
    await settleDelivery(app, delivery, await attempt(app, delivery));
  }
}

async function run(app: App, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await runDueDeliveries(app, signal);
    } catch (error) {
      // Of the database most likely: each message's own failure is written down with it.
      app.log.error({ err: error }, 'the outbox could not be looked through');
    }
    await nextChance(app.jobs, app.config.notifications.poll_ms, signal);
  }
}

/**
 * Between a message that was sent and the row that says so a crash leaves it to be sent again: that gap can't be
 * closed from here. It carries the same id then, by which mail servers and webhooks know it.
 */
async function attempt(app: App, delivery: LeasedDelivery): Promise<Outcome> {
  const { id, channel, attempts } = delivery;
  if (attempts > app.config.notifications.max_attempts) {
    return { error: 'The sender stopped at every attempt.', retryInMs: undefined };
  }
  try {
    await (channel === 'mail' ? sendMail(app, delivery) : sendWebhook(app, delivery));
    app.log.info({ delivery_id: id, channel, attempts }, 'a notification was delivered');
    return { delivered: true };
  } catch (error) {
    const isLast =
      error instanceof DeliveryRefused || attempts >= app.config.notifications.max_attempts;
    const reason = describe(error);
    app.log.warn({ delivery_id: id, channel, attempts, is_last: isLast, reason }, 'not delivered');
    return { error: reason, retryInMs: isLast ? undefined : backoffMs(app, attempts) };
  }
}

/** Doubles with each attempt, and varies by a quarter, so that what failed together is not tried together. */
function backoffMs(app: App, attempts: number): number {
  const doubled = app.config.notifications.first_retry_ms * 2 ** (attempts - 1);
  return Math.round(Math.min(doubled, longestRetryMs) * (0.75 + Math.random() / 2));
}

/** fetch says "fetch failed", and why only in the cause. */
function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  const reason =
    cause === undefined || error instanceof DeliveryRefused ? '' : `: ${cause.message}`;
  return `${messageOf(error)}${reason}`.slice(0, errorLength);
}
