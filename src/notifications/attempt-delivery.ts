import type { App } from '../platform/app.js';
import { messageOf } from '../platform/errors.js';
import { retryDelay } from '../platform/retry.js';
import { maskPersonalData } from '../platform/text/mask-personal-data.js';
import { shorten } from '../platform/text/shorten.js';
import type { LeasedDelivery, Outcome } from './deliveries.repository.js';
import { DeliveryRefused, sendMail } from './send-mail.js';
import type { Delivery } from './notification.js';
import { postEvent } from './post-event.js';
import { findWebhook } from './webhooks.repository.js';

/** The longest wait between two attempts: 6 hours. */
const longestMs = 21_600_000;
/** The most stored characters of an error. */
const errorLength = 500;
/** The share of the lease that sending may take: after the lease, another sender would send the message again. */
const shareOfLease = 0.75;

/**
 * Sends one message and returns the result; never throws.
 *
 * A crash between sending and storing the result makes the message be sent again, which can't be prevented here. It
 * then has the same id, so that mail servers and webhooks recognize it.
 */
export async function attemptDelivery(app: App, delivery: LeasedDelivery): Promise<Outcome> {
  const { id, channel, attempts } = delivery;
  const { max_attempts, first_retry_ms: firstMs } = app.config.notifications;
  const delays = { firstMs, longestMs };
  if (attempts > max_attempts) {
    const error = 'The sender stopped at every attempt.';
    return { error, retryInMs: undefined, answerStatus: null };
  }
  // The answer to this attempt; null without one.
  let answerStatus: number | null = null;
  const onAnswer = (status: number) => {
    answerStatus = status;
  };
  try {
    await withinLease(
      app,
      channel === 'mail' ? sendMail(app, delivery) : sendWebhook(app, delivery, onAnswer),
    );
    app.log.info({ delivery_id: id, channel, attempts }, 'a notification was delivered');
    return { delivered: true, answerStatus };
  } catch (error) {
    const isLast = error instanceof DeliveryRefused || attempts >= max_attempts;
    const reason = describe(error);
    // Mail servers repeat the refused address. It is for the organization's admin, not for the log.
    const logged = maskPersonalData(reason).text;
    app.log.warn(
      { delivery_id: id, channel, attempts, is_last: isLast, reason: logged },
      'not delivered',
    );
    const retryInMs = isLast ? undefined : retryDelay(attempts, delays);
    return { error: reason, retryInMs, answerStatus };
  }
}

/** A server that sends single bytes never reaches an idle timeout. */
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

/** A reason that can be stored and shown, whatever the other server sent. */
function describe(error: unknown): string {
  // fetch reports only "fetch failed"; its cause has the reason.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  const reason =
    cause === undefined || error instanceof DeliveryRefused ? '' : `: ${cause.message}`;
  return shorten(`${messageOf(error)}${reason}`.replaceAll(/\p{Cc}/gu, ' '), errorLength);
}

/**
 * Posts one event to its webhook, as postEvent does. The id is the same at each attempt, so that a receiver detects
 * repetitions. Tells the status of the answer. Throws on failure; DeliveryRefused when the webhook is gone.
 */
export async function sendWebhook(
  app: App,
  delivery: Delivery,
  onAnswer?: (status: number) => void,
): Promise<void> {
  const webhook = await findWebhook(app, delivery.organizationId, Number(delivery.target));
  if (webhook === undefined) throw new DeliveryRefused('The webhook has been removed.');
  if (webhook.disabled) throw new DeliveryRefused('The webhook is disabled.');
  const { messageId } = delivery.payload;
  const status = await postEvent(app, webhook, { messageId, event: eventOf(delivery) });
  onAnswer?.(status);
  if (status === 410) throw new DeliveryRefused('The webhook answered 410 Gone.');
  if (status < 200 || status > 299) throw new Error(`The webhook answered ${status}.`);
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
