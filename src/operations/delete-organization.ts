import { recordChange } from '../audit/record-change.js';
import { listEntries } from '../knowledge/read-entries.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { getOrganizationNamed } from '../tenancy/all-organizations.js';
import { listAppsPage } from '../tenancy/manage-apps.js';
import {
  deleteOrganizationRow,
  type OrganizationRecord,
} from '../tenancy/sites-admin.repository.js';

/**
 * Deletes an organization with its people, conversations, requests and its log, for the operator alone. That it is
 * gone is written, by its number, into the log of the organization that the operator acts in: so that one can't be
 * deleted. Refuses with `not_found`, and `conflict`, saying what is left, while it has apps or entries.
 */
export async function deleteOrganization(
  app: App,
  actor: Actor,
  slug: string,
): Promise<OrganizationRecord> {
  return inTransaction(app, async (app) => {
    const found = await getOrganizationNamed(app, actor, slug, { whole: true });
    if (actor.kind !== 'operator' || actor.organizationId === found.id) {
      const sentence = `You are acting in ${slug}. Name another organization with --org to delete this one.`;
      throw new AppError('conflict', sentence);
    }
    const inside = { kind: 'operator', organizationId: found.id } as const;
    const { total: apps } = await listAppsPage(app, inside, { page: 1, limit: 1 });
    const { total: entries } = await listEntries(app, inside, { page: 1, limit: 1 });
    if (apps + entries > 0) {
      const sentence = `The organization ${found.name} still has apps (${apps}) or entries (${entries}). Delete them first.`;
      throw new AppError('conflict', sentence);
    }
    await deleteOrganizationRow(app, found.id);
    await recordChange(app, actor, {
      organizationId: actor.organizationId,
      action: 'organization.delete',
      subject: `organization:${found.id}`,
    });
    return found;
  });
}
