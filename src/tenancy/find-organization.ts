import type { App } from '../platform/app.js';
import type { Organization } from './sites.repository.js';

/** The organization of this number. */
export async function findOrganization(
  app: Pick<App, 'db'>,
  id: number,
): Promise<Organization | undefined> {
  return app.db.read<Organization>('organizations').where({ id }).first('id', 'name', 'slug');
}

/** The organization with this slug, or the first one where none is named. */
export async function findOrganizationBySlug(
  app: Pick<App, 'db'>,
  slug: string | undefined,
): Promise<Organization | undefined> {
  const query = app.db.read<Organization>('organizations').orderBy('id');
  if (slug !== undefined) void query.where({ slug });
  return query.first('id', 'name', 'slug');
}
