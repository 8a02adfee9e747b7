import type { App } from '../platform/app.js';
import {
  type BackgroundWorker,
  nextChance,
  runUntilStopped,
} from '../platform/workers/run-until-stopped.js';
import { attemptDelivery } from './attempt-delivery.js';
import { claimDelivery, settleDelivery } from './deliveries.repository.js';

/**
 * Sends what stands in the outbox as it falls due, until stopped. Several at once (notifications.senders), so that a
 * server that hangs does not hold up what goes to the others.
 */
export function startDeliveryWorker(app: App): BackgroundWorker {
  const { senders } = app.config.notifications;
  return runUntilStopped((signal) =>
    Promise.all(Array.from({ length: senders }, () => run(app, signal))),
  );
}

/** Sends what is due now, one message after another, and answers how many attempts that took. */
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
      // Of the database most likely: each message's own failure is written down with it.
      app.log.error({ err: error }, 'the outbox could not be looked through');
    }
    await nextChance(app.jobs, app.config.notifications.poll_ms, signal);
  }
}
