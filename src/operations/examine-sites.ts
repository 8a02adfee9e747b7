import type { Store } from '../platform/app.js';
import { counted } from '../platform/text/counted.js';
import { listWidgetKeysOf } from '../federation/widget-keys.repository.js';
import {
  listApps,
  listDomains,
  listOrganizations,
  type SiteApp,
} from '../tenancy/sites.repository.js';
import type { Check } from './doctor.schema.js';

/** True for a finding about an organization or one of its apps. */
export function isAboutSites({ name }: Pick<Check, 'name'>): boolean {
  return name.startsWith('organization ') || name.startsWith('keys of ');
}

/** Checks for each organization whether pages find its knowledge and may show its widget. */
export async function examineSites(app: Store): Promise<Check[]> {
  const organizations = await listOrganizations(app);
  if (organizations.length === 0) {
    const remedy = 'Set one up with: assistant init';
    const said = { code: 'no_organization', finding: 'there is none', remedy };
    return [{ name: 'organization', status: 'failed', ...said }];
  }
  const checks: Check[] = [];
  for (const { id, slug, name: title } of organizations) {
    // Commands act in the first organization unless another is named.
    const inside = organizations.length === 1 ? '' : ` --org ${slug}`;
    const apps = await listApps(app, id);
    const domains = await listDomains(app, id);
    const name = `organization ${title}`;
    const hosts = domains.map(({ host }) => host).join(', ');
    const finding = `${counted(apps.length, 'app')}, domains: ${hosts || 'none'}`;
    const remedy = `Without a domain no page finds its knowledge. Register one with: assistant domains create --host docs.example.com${inside}`;
    const values = { apps: apps.length, domains: hosts, inside };
    checks.push(
      domains.length > 0
        ? { name, status: 'ok', code: 'organization', values, finding }
        : { name, status: 'warning', code: 'no_domain', values, finding, remedy },
      ...(await examineKeys(app, id, apps, inside)),
    );
  }
  return checks;
}

/** Apps for which no widget can be shown. An organization without apps already has a warning. */
async function examineKeys(
  app: Store,
  organizationId: number,
  apps: SiteApp[],
  inside: string,
): Promise<Check[]> {
  return (await listWithoutKey(app, organizationId, apps)).map(
    ({ id: appId, name: title, areRevoked }) => ({
      name: `keys of ${title}`,
      status: 'warning',
      code: areRevoked ? 'keys_revoked' : 'no_keys',
      values: { app: appId, inside },
      finding: areRevoked ? 'all are revoked' : 'there is none',
      remedy: `No page can show its widget. Create one with: assistant keys create --app ${appId}${inside}`,
    }),
  );
}

/** The apps that have no widget key, or only revoked ones. */
export async function listWithoutKey(
  app: Store,
  organizationId: number,
  apps: readonly SiteApp[],
): Promise<(SiteApp & { areRevoked: boolean })[]> {
  const found = [];
  for (const one of apps) {
    const most = { appId: one.id, page: 1, limit: 100 };
    const { items } = await listWidgetKeysOf(app, organizationId, most);
    if (items.some(({ revokedAt }) => revokedAt === null)) continue;
    found.push({ ...one, areRevoked: items.length > 0 });
  }
  return found;
}
