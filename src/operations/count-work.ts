import { countBatches } from '../ingestion/batches/batch-lists.repository.js';
import { countDraftsToReview } from '../knowledge/entry-lists.repository.js';
import { countDeadDeliveries } from '../notifications/deliveries.repository.js';
import { may, requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { countWaitingRequests } from '../requests/requests.repository.js';

/** More than this is "1,000+": an exact count of many takes longer than a page may. */
export const mostWork = 1000;

/** The work that waits for staff. A number above `mostWork` means at least that many. */
export interface Work {
  drafts: number;
  questions: number;
  failedDocuments: number;
  /** Messages that were given up; 0 for those who may not see them. */
  deadDeliveries: number;
}

/** Counts what waits in the organization, by one query each. */
export async function countWork(app: App, actor: Actor): Promise<Work> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const most = mostWork + 1;
  const [drafts, questions, failedDocuments, deadDeliveries] = await Promise.all([
    countDraftsToReview(app, organizationId, most),
    countWaitingRequests(app, organizationId, most),
    countBatches(app, organizationId, { status: 'failed' }, most),
    may(actor, 'administer') ? countDeadDeliveries(app, organizationId, most) : 0,
  ]);
  return { drafts, questions, failedDocuments, deadDeliveries };
}
