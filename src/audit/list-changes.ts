import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timesOf, type DaySpan } from '../platform/day-span.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { pageOfChanges } from './audit-log.repository.js';

/** A change on record. */
export interface RecordedChange {
  id: number;
  /** `operator`, or `user:<id>`. */
  actor: string;
  action: string;
  subject: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  createdAt: string;
}

/** What to look for: all that is given must fit. */
export interface ChangeFilter {
  actor?: string | undefined;
  /** `batch.approve`, or `batch` for all that happened to batches. */
  action?: string | undefined;
  subject?: string | undefined;
}

/** A page of the changes in the actor's organization, newest first. Refuses with `invalid_request` a `to` before `from`. */
export async function listChanges(
  app: App,
  actor: Actor,
  input: Page & ChangeFilter & DaySpan,
): Promise<Paged<RecordedChange>> {
  const { organizationId } = requirePermission(actor, 'administer');
  return pageOfChanges(app, organizationId, { ...input, ...timesOf(input) }, input);
}
