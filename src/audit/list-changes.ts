import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timesOf, type DaySpan } from '../platform/day-span.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { pageOfChanges } from './audit-log.repository.js';
import type { ChangeFilter, RecordedChange } from './recorded-change.js';

/** A page of the changes in the actor's organization, newest first. Refuses with `invalid_request` a `to` before `from`. */
export async function listChanges(
  app: App,
  actor: Actor,
  input: Page & ChangeFilter & DaySpan,
): Promise<Paged<RecordedChange>> {
  const { organizationId } = requirePermission(actor, 'administer');
  return pageOfChanges(app, organizationId, { ...input, ...timesOf(input) }, input);
}
