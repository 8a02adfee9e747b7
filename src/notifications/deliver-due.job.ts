import type { App } from '../platform/app.js';
import {
  type BackgroundWorker,
  nextChance,
  runUntilStopped,
} from '../platform/workers/run-until-stopped.js';
import { attemptDelivery } from './attempt-delivery.js';
import { claimDelivery, settleDelivery } from './deliveries.repository.js';

/**
 * Sends due messages of the outbox until stopped. Several are sent in parallel (notifications.senders), so that a
 * hanging server does not delay messages to others.
 */
export function startDeliveryWorker(app: App): BackgroundWorker {
  const { senders } = app.config.notifications;
  return runUntilStopped((signal) =>
    Promise.all(Array.from({ length: senders }, () => run(app, signal))),
  );
}

/** Sends the messages that are due now, one after another. Returns the number of attempts. */
export async function runDueDeliveries(app: App, signal?: AbortSignal): Promise<number> {
  for (let attempts = 0; ; attempts++) {
    const delivery = signal?.aborted === true ? undefined : await claimDelivery(app);
    if (delivery === undefined) return attempts;
    await settleDelivery(app, delivery, await attemptDelivery(app, delivery));
  }
}

async function run(app: App, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await runDueDeliveries(app, signal);
    } catch (error) {
      // Probably an error of the database: a message's own failure is stored with it.
      app.log.error({ err: error }, 'the outbox could not be looked through');
    }
    await nextChance(app.jobs, app.config.notifications.poll_ms, signal);
  }
}
