import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { isRefusal } from '../../platform/errors.js';
import type { ServerEvent } from '../../platform/http/event-stream.js';
import { pause } from '../../platform/retry.js';
import { presentBatch } from '../batches/batch.schema.js';
import { getBatchState } from './review-batch.js';
import type { Batch, CountedBatch } from '../batches/batch.js';

/**
 * The intervals for reading the database, since another process may do the work. They grow with time: short ones at
 * first, so that a client with hundreds of small files does not wait for them.
 */
const pauses = { firstMs: 15, longestMs: 300, growth: 1.5 };

/**
 * The states of a batch as they change, the present one first, until it is completed or failed, or `signal` aborts.
 * Errors: `not_found` before the first state.
 */
async function watchBatch(
  app: App,
  actor: Actor,
  id: string,
  signal: AbortSignal,
): Promise<AsyncIterable<CountedBatch>> {
  const first = await getBatchState(app, actor, id);
  return untilEnded(first, () => getBatchState(app, actor, id), signal);
}

/** The changing states of a batch from `ask`, beginning with `first`, until it has ended or `signal` aborts. */
export async function* untilEnded<B extends Pick<Batch, 'status' | 'updatedAt'>>(
  first: B,
  ask: () => Promise<B>,
  signal: AbortSignal,
  wait: (ms: number) => Promise<void> = (ms) => pause(ms, signal),
): AsyncGenerator<B, void, undefined> {
  let batch = first;
  yield batch;
  let ms = pauses.firstMs;
  while (batch.status === 'processing' && !signal.aborted) {
    await wait(ms);
    ms = Math.min(pauses.longestMs, ms * pauses.growth);
    const next = await ask();
    if (next.updatedAt === batch.updatedAt && next.status === batch.status) continue;
    batch = next;
    yield batch;
  }
}

/**
 * The same as server-sent events: `progress` while it works, then `completed` or `failed`. The events end before the
 * first one that `identify` refuses, because the reader's credential or right has ended.
 */
export async function batchEvents(
  app: App,
  actor: Actor,
  id: string,
  signal: AbortSignal,
  identify: () => Promise<Actor>,
): Promise<AsyncIterable<ServerEvent>> {
  const batches = await watchBatch(app, actor, id, signal);
  const mayRead = async () => {
    try {
      await identify();
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  };
  return (async function* () {
    for await (const batch of batches) {
      if (!(await mayRead())) return;
      const event = batch.status === 'processing' ? 'progress' : batch.status;
      yield { event, data: presentBatch(batch) };
    }
  })();
}
