import type { Store } from '../platform/app.js';
import type { Visibility } from '../platform/actor.js';
import { timestamp } from '../platform/clock.js';
import { insertRow, plain, type RecordOf, table } from '../platform/db/record.js';

/** An organization owns everything below it. */
export interface Organization {
  id: number;
  name: string;
  slug: string;
}

export const apps = table('apps', {
  id: plain<number>(),
  organizationId: plain<number>(),
  name: plain<string>(),
  defaultKnowledgeVisibility: plain<Visibility | null>(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

/** One application of an organization, with its knowledge, domains and keys. */
export type SiteApp = RecordOf<typeof apps>;

export const domains = table('domains', {
  id: plain<number>(),
  organizationId: plain<number>(),
  appId: plain<number>(),
  host: plain<string>(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

/** A host name that an app has registered. */
export type Domain = RecordOf<typeof domains>;

/** A domain's row, with the columns of its app. */
interface ClaimedRow {
  app_id: number;
  app_organization_id: number;
  app_name: string;
  app_default_visibility: Visibility | null;
  app_created_at: string;
  app_updated_at: string;
}

export async function insertOrganization(
  app: Store,
  fields: { name: string; slug: string },
): Promise<Organization> {
  const now = timestamp(app.clock);
  const row = { ...fields, created_at: now, updated_at: now };
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

/** The organization's apps, oldest first; the first one is the default. */
export async function listApps(app: Store, organizationId: number): Promise<SiteApp[]> {
  return apps.all(app.db.read('apps').where({ organization_id: organizationId }).orderBy('id'));
}

export async function findApp(app: Store, id: number): Promise<SiteApp | undefined> {
  return apps.find(app, { id });
}

/** The domains whose names end with a dot and this one, including wildcards. */
export async function findDomainsBelow(app: Store, name: string): Promise<Domain[]> {
  const pattern = `%.${name.replaceAll('_', '\\_')}`;
  return domains.all(app.db.read('domains').whereRaw("host like ? escape '\\'", [pattern]));
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
    domain: domains.read(row),
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
  return domains.all(
    app.db.read('domains').where({ organization_id: organizationId }).orderBy('id'),
  );
}
