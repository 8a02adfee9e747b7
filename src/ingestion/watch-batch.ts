import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { ServerEvent } from '../platform/http/event-stream.js';
import { presentBatch } from './batch.schema.js';
import { getBatchState } from './review-batch.js';
import type { CountedBatch } from './batch.js';

/** How often the database is asked: another process may be the one that works. */
const everyMs = 300;

/**
 * The states of a batch as they change, the present one first, until it is completed or failed, or until
 * `signal` says that nobody listens. Refuses with `not_found`, before the first.
 */
export async function watchBatch(
  app: App,
  actor: Actor,
  id: string,
  signal: AbortSignal,
): Promise<AsyncIterable<CountedBatch>> {
  const first = await getBatchState(app, actor, id);
  return states(app, actor, first, signal);
}

async function* states(
  app: App,
  actor: Actor,
  first: CountedBatch,
  signal: AbortSignal,
): AsyncGenerator<CountedBatch, void, undefined> {
  let batch = first;
  yield batch;
  while (batch.status === 'processing' && !signal.aborted) {
    await pause(signal);
    const next = await getBatchState(app, actor, first.id);
    if (next.updatedAt === batch.updatedAt && next.status === batch.status) continue;
    batch = next;
    yield batch;
  }
}

/** The same as server-sent events: `progress` while it works, then `completed` or `failed`. */
export async function batchEvents(
  app: App,
  actor: Actor,
  id: string,
  signal: AbortSignal,
): Promise<AsyncIterable<ServerEvent>> {
  const batches = await watchBatch(app, actor, id, signal);
  return (async function* () {
    for await (const batch of batches) {
      const event = batch.status === 'processing' ? 'progress' : batch.status;
      yield { event, data: presentBatch(batch) };
    }
  })();
}

async function pause(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, everyMs);
    signal.addEventListener('abort', done, { once: true });
  });
}
