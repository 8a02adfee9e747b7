import type { Visibility } from '../platform/actor.js';
import type { Store } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { plain, record, type RecordOf } from '../platform/db/record.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { apps, domains, type Domain, type SiteApp } from './sites.repository.js';

const organizations = record({
  id: plain<number>(),
  name: plain<string>(),
  slug: plain<string>(),
  /** A name of the IANA database; null for the server's zone. */
  timeZone: plain<string | null>(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

export type OrganizationRecord = RecordOf<typeof organizations>;

export async function findOrganizationRecord(
  app: Store,
  id: number,
): Promise<OrganizationRecord | undefined> {
  return organizations.first(app.db.read('organizations').where({ id }));
}

/** A page of all organizations of the installation, in order of creation. */
export async function listOrganizationRecords(
  app: Store,
  page: Page,
): Promise<Paged<OrganizationRecord>> {
  return organizations.page(app.db.read('organizations'), [{ column: 'id' }], page);
}

export async function changeOrganization(
  app: Store,
  id: number,
  change: Pick<OrganizationRecord, 'name' | 'timeZone'>,
): Promise<void> {
  await app.db
    .write('organizations')
    .where({ id })
    .update(organizations.changes({ ...change, updatedAt: timestamp(app.clock) }));
}

export async function deleteOrganizationRow(app: Store, id: number): Promise<void> {
  await app.db.write('organizations').where({ id }).delete();
}

/** A page of the organization's apps, in order of creation. */
export async function listAppsOf(
  app: Store,
  organizationId: number,
  page: Page,
): Promise<Paged<SiteApp>> {
  const query = app.db.read('apps').where({ organization_id: organizationId });
  return apps.page(query, [{ column: 'id' }], page);
}

export async function updateAppRow(
  app: Store,
  id: number,
  fields: { name: string; defaultKnowledgeVisibility: Visibility | null },
): Promise<void> {
  await app.db
    .write('apps')
    .where({ id })
    .update(apps.changes({ ...fields, updatedAt: timestamp(app.clock) }));
}

export async function deleteAppRow(app: Store, id: number): Promise<void> {
  await app.db.write('apps').where({ id }).delete();
}

/** A page of the organization's domains, of one app or all, by name. */
export async function listDomainsOf(
  app: Store,
  organizationId: number,
  { appId, ...page }: Page & { appId?: number | undefined },
): Promise<Paged<Domain>> {
  const query = app.db.read('domains').where({ organization_id: organizationId });
  if (appId !== undefined) void query.where({ app_id: appId });
  return domains.page(query, [{ column: 'host' }], page);
}

export async function findDomainOfOrganization(
  app: Store,
  organizationId: number,
  id: number,
): Promise<Domain | undefined> {
  return domains.first(app.db.read('domains').where({ organization_id: organizationId, id }));
}

export async function setDomainApp(app: Store, id: number, appId: number): Promise<void> {
  await app.db
    .write('domains')
    .where({ id })
    .update({ app_id: appId, updated_at: timestamp(app.clock) });
}

export async function deleteDomainRow(app: Store, id: number): Promise<void> {
  await app.db.write('domains').where({ id }).delete();
}
