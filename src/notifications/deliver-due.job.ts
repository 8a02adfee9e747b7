import type { App } from '../platform/app.js';
import {
  type BackgroundWorker,
  repeatUntilStopped,
} from '../platform/workers/repeat-until-stopped.js';
import { attemptDelivery } from './attempt-delivery.js';
import { claimDelivery, settleDelivery } from './deliveries.repository.js';

/**
 * Sends due messages of the outbox until stopped. Several are sent in parallel (notifications.senders), so that a
 * hanging server does not delay messages to others.
 */
export function startDeliveryWorker(app: App): BackgroundWorker {
  const { senders: lanes, poll_ms: pollMs } = app.config.notifications;
  // Probably an error of the database: a message's own failure is stored with it.
  const complaint = 'messages are not sent';
  const step = (signal: AbortSignal) => runDueDeliveries(app, signal);
  return repeatUntilStopped(app, { pollMs, complaint, step, lanes });
}

/** Sends the messages that are due now, one after another. Returns the number of attempts. */
export async function runDueDeliveries(app: App, signal?: AbortSignal): Promise<number> {
  for (let attempts = 0; ; attempts++) {
    const delivery = signal?.aborted === true ? undefined : await claimDelivery(app);
    if (delivery === undefined) return attempts;
    await settleDelivery(app, delivery, await attemptDelivery(app, delivery));
  }
}
