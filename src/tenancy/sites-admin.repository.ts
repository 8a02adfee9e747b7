import type { Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { selectPage, type Page, type Paged } from '../platform/db/select-page.js';
import {
  toApp,
  toDomain,
  type AppRow,
  type Domain,
  type DomainRow,
  type Organization,
  type SiteApp,
} from './sites.repository.js';

export interface OrganizationRecord extends Organization {
  createdAt: string;
  updatedAt: string;
}

interface OrganizationRow extends Organization {
  created_at: string;
  updated_at: string;
}

type Store = Pick<App, 'db' | 'clock'>;

export async function findOrganizationRecord(
  app: Store,
  id: number,
): Promise<OrganizationRecord | undefined> {
  const row = await app.db.read<OrganizationRow>('organizations').where({ id }).first();
  return row === undefined ? undefined : toRecord(row);
}

/** A page of all organizations of the installation, in order of creation. */
export async function listOrganizationRecords(
  app: Store,
  page: Page,
): Promise<Paged<OrganizationRecord>> {
  const query = app.db.read('organizations');
  return selectPage<OrganizationRow, OrganizationRecord>(query, [{ column: 'id' }], page, toRecord);
}

export async function renameOrganization(app: Store, id: number, name: string): Promise<void> {
  await app.db
    .write('organizations')
    .where({ id })
    .update({ name, updated_at: timestamp(app.clock) });
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
  return selectPage<AppRow, SiteApp>(query, [{ column: 'id' }], page, toApp);
}

export async function updateAppRow(
  app: Store,
  id: number,
  fields: { name: string; defaultKnowledgeVisibility: Visibility | null },
): Promise<void> {
  await app.db
    .write('apps')
    .where({ id })
    .update({
      name: fields.name,
      default_knowledge_visibility: fields.defaultKnowledgeVisibility,
      updated_at: timestamp(app.clock),
    });
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
  return selectPage<DomainRow, Domain>(query, [{ column: 'host' }], page, toDomain);
}

export async function findDomainOfOrganization(
  app: Store,
  organizationId: number,
  id: number,
): Promise<Domain | undefined> {
  const row = await app.db
    .read<DomainRow>('domains')
    .where({ organization_id: organizationId, id })
    .first();
  return row === undefined ? undefined : toDomain(row);
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

function toRecord(row: OrganizationRow): OrganizationRecord {
  const { created_at: createdAt, updated_at: updatedAt, ...organization } = row;
  return { ...organization, createdAt, updatedAt };
}
