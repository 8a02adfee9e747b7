import { recordChange } from '../audit/record-change.js';
import { countBatchesOfApp } from '../ingestion/batches/batches.repository.js';
import { countEntriesBoundTo } from '../knowledge/entry-lists.repository.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { getApp } from '../tenancy/manage-apps.js';
import { deleteAppRow, listDomainsOf } from '../tenancy/sites-admin.repository.js';
import { presentApp } from '../tenancy/tenancy.schema.js';
import { listViewIds } from '../tenancy/views.repository.js';

/**
 * Deletes an app with its views, widget keys and end users; conversations and requests stay with the organization.
 * Refuses with `not_found`, and `conflict`, saying what is left, while it has entries, batches or domains.
 */
export async function deleteApp(app: App, actor: Actor, id: number): Promise<void> {
  await inTransaction(app, async (app) => {
    const site = await getApp(app, actor, id);
    const left = await whatIsLeft(app, site.organizationId, id);
    if (left.length > 0) {
      throw new AppError(
        'conflict',
        `The app ${site.name} still has ${left.join(', ')}. Delete or move them first.`,
      );
    }
    await deleteAppRow(app, id);
    await recordChange(app, actor, {
      organizationId: site.organizationId,
      action: 'app.delete',
      subject: `app:${id}`,
      before: presentApp(site),
    });
  });
}

async function whatIsLeft(app: App, organizationId: number, appId: number): Promise<string[]> {
  const { total: domains } = await listDomainsOf(app, organizationId, { appId, page: 1, limit: 1 });
  // Entries that wait for a domain may be bound to a view of this app.
  const viewIds = await listViewIds(app, appId);
  return [
    ...counted(await countEntriesBoundTo(app, { appId, viewIds }), 'entry', 'entries'),
    ...counted(await countBatchesOfApp(app, appId), 'ingestion batch', 'ingestion batches'),
    ...counted(domains, 'domain', 'domains'),
  ];
}

function counted(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}
