import { recordChangeBy } from '../audit/record-change.js';
import { forgetPastUndo } from '../ingestion/batches/reshaped.repository.js';
import type { App } from '../platform/app.js';
import { dayMs } from '../platform/clock.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import {
  repeatUntilStopped,
  type BackgroundWorker,
} from '../platform/workers/repeat-until-stopped.js';
import { listOrganizations } from '../tenancy/sites.repository.js';
import { monthOf } from '../usage/payer.js';
import { sumUpOldestDay } from '../usage/usage.repository.js';
import { rewriteIfDue } from './erase-person.js';
import { retentionOf } from './manage-retention.js';
import { retentionKinds, type RetentionKind } from './retention.js';
import { removeOld } from './retention.repository.js';

/** The interval of the worker, in milliseconds. Retention ends once a day, so most runs find nothing. */
const lookMs = 3_600_000;
/** Rows per transaction, so that other writers get a turn: a conversation takes 4 ms. */
const sliceRows = 100;

/** Deletes data after its retention, and rewrites the file after an erasure that could not, until stopped. */
export function startRetentionWorker(app: App): BackgroundWorker {
  const complaint = 'what is kept for too long is not removed';
  const step = (signal: AbortSignal) => enforceRetention(app, signal);
  return repeatUntilStopped(app, { pollMs: lookMs, complaint, step });
}

/**
 * Deletes all data that is due now, slice by slice with records of changes, and rewrites the file if an erasure could
 * not. Returns the number of deleted rows. Retention counts days in UTC. Drafts that were kept for an undo go without a
 * record: they hold no data of people, and their time is nobody's choice.
 */
export async function enforceRetention(app: App, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  for (const { id } of await listOrganizations(app)) {
    const retention = await retentionOf(app, id);
    for (const kind of retentionKinds) {
      const { days } = retention[kind];
      if (days === 0) continue;
      const before = cutoff(app, kind, days);
      for (let rows = 1; rows > 0 && signal?.aborted !== true;) {
        rows = await removeSlice(app, id, kind, before);
        removed += rows;
      }
    }
  }
  for (let rows = 1; rows > 0 && signal?.aborted !== true;) {
    rows = await forgetPastUndo(app, sliceRows);
    removed += rows;
  }
  if (signal?.aborted !== true) await rewriteIfDue(app);
  return removed;
}

async function removeSlice(
  app: App,
  organizationId: number,
  kind: RetentionKind,
  before: string,
): Promise<number> {
  return inTransaction(app, async (app) => {
    const rows =
      kind === 'usage'
        ? await sumUpOldestDay(app, organizationId, before)
        : await removeOld(app, organizationId, kind, { before, limit: sliceRows });
    if (rows === 0) return 0;
    await recordChangeBy(app, 'retention', {
      organizationId,
      action: 'retention.remove',
      subject: `organization:${organizationId}`,
      after: { kind, before, rows },
    });
    return rows;
  });
}

/** The time before which rows are due. Quotas need the details of the present month. */
function cutoff(app: App, kind: RetentionKind, days: number): string {
  const now = app.clock.now();
  const before = `${new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)}T00:00:00.000Z`;
  const { start } = monthOf(now);
  return kind === 'usage' && start < before ? start : before;
}
