import { countAcceptable } from '../../knowledge/entry-lists.repository.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError, codeOf } from '../../platform/errors.js';
import { batchesMatching, countBatches } from '../batches/batch-lists.repository.js';
import { findBatchesById } from '../batches/batches.repository.js';
import { approveBatch } from './approve-batch.js';

/** The documents of a source, or those of them that were sent within a span of time, as by one run. */
export interface OfSource {
  source: string;
  from?: string | undefined;
  /** Null while the run lasts. */
  to?: string | null | undefined;
}

/** Drafts that wait, without those that somebody took back: they are decided one by one. */
export interface Waiting {
  drafts: number;
  /** Their numbers by batch, the batch with the oldest drafts first. */
  batches: Map<string, number>;
}

/** The drafts of a source that can be approved. Documents that are still being read are left out. */
export async function countWaiting(app: App, actor: Actor, which: OfSource): Promise<Waiting> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const isRead = ['completed', 'failed'] as const;
  const query = batchesMatching(app, organizationId, { ...which, statuses: isRead });
  const batches = await countAcceptable(app, organizationId, query.select('id'));
  return { batches, drafts: [...batches.values()].reduce((sum, drafts) => sum + drafts, 0) };
}

/** As countWaiting. Errors: `not_found` when no document has this source. */
export async function countWaitingOf(app: App, actor: Actor, source: string): Promise<Waiting> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  if ((await countBatches(app, organizationId, { source }, 1)) === 0) {
    const sentence = `No document has the source ${source}. See: assistant batches list`;
    throw new AppError('not_found', sentence);
  }
  return countWaiting(app, actor, { source });
}

/** The names of the first documents, by the ids of their batches. */
export async function nameWaiting(
  app: App,
  actor: Actor,
  { batches }: Waiting,
  most: number,
): Promise<{ id: string; fileName: string }[]> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const ids = [...batches.keys()].slice(0, most);
  const found = await findBatchesById(app, organizationId, ids);
  return found.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

/**
 * Publishes the drafts that were counted, one document after another, each as approveBatch does. Documents that were
 * deleted or are read again by now are passed over. Returns the number of published drafts; fewer than were counted if
 * `lastingMs` milliseconds were not enough.
 */
export async function approveWaiting(
  app: App,
  actor: Actor,
  { batches }: Waiting,
  { lastingMs = Infinity }: { lastingMs?: number } = {},
): Promise<number> {
  const end = app.clock.elapsed() + lastingMs;
  let approved = 0;
  for (const batchId of batches.keys()) {
    if (app.clock.elapsed() > end) break;
    try {
      approved += (await approveBatch(app, actor, { batchId, entryIds: 'all' })).approved;
    } catch (error) {
      if (!['not_found', 'conflict'].includes(codeOf(error))) throw error;
    }
  }
  return approved;
}
