import { recordChange } from '../audit/record-change.js';
import { type Actor, requirePermission } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError, refusedField } from '../platform/errors.js';
import { isTimeZone } from '../platform/time-zone.js';
import { requiredText } from '../platform/validate.js';
import { organizations, type OrganizationRecord } from './sites-admin.repository.js';
import { presentOrganization } from './tenancy.schema.js';

/** The organizations that the caller administers: only its own. */
export async function listOwnOrganizations(
  app: App,
  actor: Actor,
  { page }: Page,
): Promise<Paged<OrganizationRecord>> {
  const { organizationId } = requirePermission(actor, 'administer');
  const own = await getOrganization(app, actor, organizationId);
  return { items: page === 1 ? [own] : [], total: 1 };
}

/** The caller's organization. Errors: `not_found` for any other. */
export async function getOrganization(
  app: App,
  actor: Actor,
  id: number,
): Promise<OrganizationRecord> {
  const { organizationId } = requirePermission(actor, 'administer');
  const found = id === organizationId ? await organizations.find(app, { id }) : undefined;
  if (found !== undefined) return found;
  throw new AppError('not_found', `There is no organization ${id} that you administer.`);
}

/**
 * Changes the name or the time zone of the caller's organization. The slug stays, because addresses contain it. Refuses
 * as getOrganization does, and with `invalid_request` an unknown time zone.
 */
export async function updateOrganization(
  app: App,
  actor: Actor,
  id: number,
  input: { name?: string | undefined; timeZone?: string | null | undefined },
): Promise<OrganizationRecord> {
  return inTransaction(app, async (app) => {
    const before = await getOrganization(app, actor, id);
    const name = input.name === undefined ? before.name : requiredText('name', input.name);
    const { timeZone = before.timeZone } = input;
    if (name === before.name && timeZone === before.timeZone) return before;
    if (timeZone !== null && !isTimeZone(timeZone)) {
      throw refusedField('time_zone', 'is no known time zone; write it as Europe/Madrid');
    }
    await organizations.change(app, id, { name, timeZone });
    const after = await getOrganization(app, actor, id);
    await recordChange(app, actor, {
      organizationId: id,
      action: 'organization.update',
      subject: `organization:${id}`,
      before: presentOrganization(before),
      after: presentOrganization(after),
    });
    return after;
  });
}
