import type { App } from '../platform/app.js';
import type { Visibility } from '../platform/actor.js';
import { timestamp } from '../platform/clock.js';
import { insertRow } from '../platform/db/insert-row.js';

/** An organization owns everything below it. */
export interface Organization {
  id: number;
  name: string;
  slug: string;
}

/** One application of an organization, with its knowledge, domains and keys. */
export interface SiteApp {
  id: number;
  organizationId: number;
  name: string;
  defaultKnowledgeVisibility: Visibility | null;
  createdAt: string;
  updatedAt: string;
}

/** A host name that an app has registered. */
export interface Domain {
  id: number;
  organizationId: number;
  appId: number;
  host: string;
  createdAt: string;
  updatedAt: string;
}

export interface AppRow {
  id: number;
  organization_id: number;
  name: string;
  default_knowledge_visibility: Visibility | null;
  created_at: string;
  updated_at: string;
}

export interface DomainRow {
  id: number;
  organization_id: number;
  app_id: number;
  host: string;
  created_at: string;
  updated_at: string;
}

interface ClaimedRow extends DomainRow {
  app_organization_id: number;
  app_name: string;
  app_default_visibility: Visibility | null;
  app_created_at: string;
  app_updated_at: string;
}

type Store = Pick<App, 'db' | 'clock'>;

export async function insertOrganization(
  app: Store,
  fields: { name: string; slug: string },
): Promise<Organization> {
  const row = { ...fields, ...created(app) };
  return { id: await insertRow(app.db.write, 'organizations', row), ...fields };
}

export async function findOrganization(app: Store, id: number): Promise<Organization | undefined> {
  return app.db.read<Organization>('organizations').where({ id }).first('id', 'name', 'slug');
}

/** The organization with this slug; default: the first one. */
export async function findOrganizationBySlug(
  app: Store,
  slug: string | undefined,
): Promise<Organization | undefined> {
  const query = app.db.read<Organization>('organizations').orderBy('id');
  if (slug !== undefined) void query.where({ slug });
  return query.first('id', 'name', 'slug');
}

export async function listOrganizations(app: Store): Promise<Organization[]> {
  return app.db.read<Organization>('organizations').select('id', 'name', 'slug').orderBy('id');
}

export async function insertApp(
  app: Store,
  fields: { organizationId: number; name: string; defaultKnowledgeVisibility: Visibility | null },
): Promise<SiteApp> {
  const row = {
    organization_id: fields.organizationId,
    name: fields.name,
    default_knowledge_visibility: fields.defaultKnowledgeVisibility,
    ...created(app),
  };
  return toApp({ id: await insertRow(app.db.write, 'apps', row), ...row });
}

/** The organization's apps, oldest first; the first one is the default. */
export async function listApps(app: Store, organizationId: number): Promise<SiteApp[]> {
  const rows = await app.db
    .read<AppRow>('apps')
    .where({ organization_id: organizationId })
    .orderBy('id')
    .select('*');
  return rows.map(toApp);
}

export async function findApp(app: Store, id: number): Promise<SiteApp | undefined> {
  const row = await app.db.read<AppRow>('apps').where({ id }).first();
  return row === undefined ? undefined : toApp(row);
}

export async function insertDomain(
  app: Store,
  fields: Pick<Domain, 'organizationId' | 'appId' | 'host'>,
): Promise<Domain> {
  const row = {
    organization_id: fields.organizationId,
    app_id: fields.appId,
    host: fields.host,
    ...created(app),
  };
  return toDomain({ id: await insertRow(app.db.write, 'domains', row), ...row });
}

/** The domains whose names end with a dot and this one, including wildcards. */
export async function findDomainsBelow(app: Store, name: string): Promise<Domain[]> {
  const pattern = `%.${name.replaceAll('_', '\\_')}`;
  const rows = await app.db
    .read<DomainRow>('domains')
    .whereRaw("host like ? escape '\\'", [pattern])
    .select('*');
  return rows.map(toDomain);
}

/**
 * The registered domains among these names with their apps, in no order. A single query, because the first words of an
 * answer wait for it.
 */
export async function findClaims(
  app: Store,
  hosts: string[],
): Promise<{ domain: Domain; app: SiteApp }[]> {
  const rows: ClaimedRow[] = await app.db
    .read('domains as d')
    .join('apps as a', 'a.id', 'd.app_id')
    .whereIn('d.host', hosts)
    .select('d.*', {
      app_organization_id: 'a.organization_id',
      app_name: 'a.name',
      app_default_visibility: 'a.default_knowledge_visibility',
      app_created_at: 'a.created_at',
      app_updated_at: 'a.updated_at',
    });
  return rows.map((row) => ({
    domain: toDomain(row),
    app: {
      id: row.app_id,
      organizationId: row.app_organization_id,
      name: row.app_name,
      defaultKnowledgeVisibility: row.app_default_visibility,
      createdAt: row.app_created_at,
      updatedAt: row.app_updated_at,
    },
  }));
}

export async function listDomains(app: Store, organizationId: number): Promise<Domain[]> {
  const rows = await app.db
    .read<DomainRow>('domains')
    .where({ organization_id: organizationId })
    .orderBy('id')
    .select('*');
  return rows.map(toDomain);
}

function created(app: Store): { created_at: string; updated_at: string } {
  const now = timestamp(app.clock);
  return { created_at: now, updated_at: now };
}

export function toApp(row: AppRow): SiteApp {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    defaultKnowledgeVisibility: row.default_knowledge_visibility,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toDomain(row: DomainRow): Domain {
  return {
    id: row.id,
    organizationId: row.organization_id,
    appId: row.app_id,
    host: row.host,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
