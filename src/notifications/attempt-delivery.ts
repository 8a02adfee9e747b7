import type { App } from '../platform/app.js';
import { messageOf } from '../platform/errors.js';
import { maskPersonalData } from '../platform/text/mask-personal-data.js';
import { shorten } from '../platform/text/shorten.js';
import type { LeasedDelivery, Outcome } from './deliveries.repository.js';
import { DeliveryRefused } from './delivery-refused.js';
import { sendMail } from './send-mail.js';
import { sendWebhook } from './send-webhook.js';

/** The longest wait between two attempts: 6 hours. */
const longestRetryMs = 21_600_000;
/** Characters of an error that are kept. */
const errorLength = 500;
/** The part of its lease that a message may take: beyond the lease another sender would send it as well. */
const shareOfLease = 0.75;

/**
 * Sends one message and answers how that ended; never throws.
 *
 * Between a message that was sent and the row that says so a crash leaves it to be sent again: that gap can't be
 * closed from here. It carries the same id then, by which mail servers and webhooks know it.
 */
export async function attemptDelivery(app: App, delivery: LeasedDelivery): Promise<Outcome> {
  const { id, channel, attempts } = delivery;
  const { max_attempts } = app.config.notifications;
  if (attempts > max_attempts) {
    return { error: 'The sender stopped at every attempt.', retryInMs: undefined };
  }
  try {
    await withinLease(
      app,
      channel === 'mail' ? sendMail(app, delivery) : sendWebhook(app, delivery),
    );
    app.log.info({ delivery_id: id, channel, attempts }, 'a notification was delivered');
    return { delivered: true };
  } catch (error) {
    const isLast = error instanceof DeliveryRefused || attempts >= max_attempts;
    const reason = describe(error);
    // Mail servers repeat the address that they refuse: that is for the organization's admin, not for the log.
    const logged = maskPersonalData(reason).text;
    app.log.warn(
      { delivery_id: id, channel, attempts, is_last: isLast, reason: logged },
      'not delivered',
    );
    return { error: reason, retryInMs: isLast ? undefined : backoffMs(app, attempts) };
  }
}

/** A server that dribbles never trips a timeout for silence. */
async function withinLease(app: App, sending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const limit = Math.floor(app.config.notifications.lease_ms * shareOfLease);
    timer = setTimeout(() => reject(new Error(`It took longer than ${limit} ms.`)), limit);
  });
  try {
    await Promise.race([sending, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Doubles with each attempt, and varies by a quarter, so that what failed together is not tried together. */
function backoffMs(app: App, attempts: number): number {
  const doubled = app.config.notifications.first_retry_ms * 2 ** (attempts - 1);
  return Math.round(Math.min(doubled, longestRetryMs) * (0.75 + Math.random() / 2));
}

/** In words that can be stored and shown, whatever the other server sent. */
function describe(error: unknown): string {
  // fetch says "fetch failed", and why only in the cause.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  const reason =
    cause === undefined || error instanceof DeliveryRefused ? '' : `: ${cause.message}`;
  return shorten(`${messageOf(error)}${reason}`.replaceAll(/\p{Cc}/gu, ' '), errorLength);
}
