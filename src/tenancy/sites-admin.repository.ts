import type { Store } from '../platform/app.js';
import { plain, type RecordOf, table } from '../platform/db/record.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { apps, domains, type Domain, type SiteApp } from './sites.repository.js';

export const organizations = table('organizations', {
  id: plain<number>(),
  name: plain<string>(),
  slug: plain<string>(),
  /** A name of the IANA database; null for the server's zone. */
  timeZone: plain<string | null>(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

export type OrganizationRecord = RecordOf<typeof organizations>;

/** A page of all organizations of the installation, in order of creation. */
export async function listOrganizationRecords(
  app: Store,
  page: Page,
): Promise<Paged<OrganizationRecord>> {
  return organizations.page(app.db.read('organizations'), [{ column: 'id' }], page);
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
