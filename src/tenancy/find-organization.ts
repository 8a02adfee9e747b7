import type { App } from '../platform/app.js';
import type { Organization } from './sites.repository.js';

/** The organization of this number. */
export async function findOrganization(
  app: Pick<App, 'db'>,
  id: number,
): Promise<Organization | undefined> {
  return app.db.read<Organization>('organizations').where({ id }).first('id', 'name', 'slug');
}
