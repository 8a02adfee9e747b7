import { countDraftsToReview } from '../knowledge/entry-lists.repository.js';
import { countDeadDeliveries } from '../notifications/deliveries.repository.js';
import { may, requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';

/** More than this is "1,000+": an exact count of many takes longer than a page may. */
export const mostWork = 1000;

/** The work that waits for staff and is not listed as a whole. A number above `mostWork` means at least that many. */
export interface Work {
  drafts: number;
  /** Messages that were given up; 0 for those who may not see them. */
  deadDeliveries: number;
}

/** Counts what waits in the organization, by one query each. */
export async function countWork(app: App, actor: Actor): Promise<Work> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const most = mostWork + 1;
  const [drafts, deadDeliveries] = await Promise.all([
    countDraftsToReview(app, organizationId, most),
    may(actor, 'administer') ? countDeadDeliveries(app, organizationId, most) : 0,
  ]);
  return { drafts, deadDeliveries };
}
