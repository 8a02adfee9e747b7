import { listUsers } from '../accounts/users/accounts.repository.js';
import { listWidgetKeys } from '../federation/manage-widget-keys.js';
import type { App } from '../platform/app.js';
import type { Config } from '../platform/config/schema.js';
import { databaseExists, nameOfDatabase } from '../platform/db/require-database.js';
import { normalizeHost } from '../tenancy/page-address.js';
import { listApps, listDomains, listOrganizations } from '../tenancy/sites.repository.js';
import { openApp } from './open-app.js';
import type { Step } from './write-config.js';

export const usualNames = {
  organization: 'My organization',
  app: 'Documentation',
  domain: 'localhost',
};

interface Named {
  organization?: string | undefined;
  app?: string | undefined;
  domain?: string | undefined;
  email?: string | undefined;
}

/**
 * Lists what a set-up would find and create. Creates nothing, not even the database. Errors: `database_outdated` for a
 * database that needs a migration first.
 */
export async function planSetUp(config: Config, named: Named): Promise<Step[]> {
  const exists = databaseExists(config.database);
  const what = `Database ${nameOfDatabase(config.database)}`;
  const database: Step = { what, done: false, exists };
  if (!exists) return [database, ...(await planSites(undefined, named))];
  const settings = { ...config.database, auto_migrate: false };
  const app = await openApp({ ...config, database: settings });
  try {
    return [database, ...(await planSites(app, named))];
  } finally {
    await app.close();
  }
}

async function planSites(app: App | undefined, named: Named): Promise<Step[]> {
  const step = (what: string, present: string | undefined, wanted: string): Step => ({
    what: `${what} ${present ?? wanted}`,
    done: false,
    exists: present !== undefined,
  });
  const [organization] = app === undefined ? [] : await listOrganizations(app);
  const id = organization?.id;
  const of = async <T>(list: (app: App, id: number) => Promise<T[]>): Promise<T[]> =>
    app === undefined || id === undefined ? [] : list(app, id);
  const [site] = await of(listApps);
  const hosts = (await of(listDomains)).map(({ host }) => host);
  const wanted = named.domain === undefined ? undefined : normalizeHost(named.domain);
  const keys = await of(async (app, organizationId) => {
    if (site === undefined) return [];
    const operator = { kind: 'operator', organizationId } as const;
    return (await listWidgetKeys(app, operator, { appId: site.id, page: 1, limit: 100 })).items;
  });
  const admin = (await of(listUsers)).find(({ role }) => role === 'admin');
  const host = hosts.find((one) => wanted === undefined || one === wanted);
  return [
    step('Organization', organization?.name, named.organization ?? usualNames.organization),
    step('App', site?.name, named.app ?? usualNames.app),
    step('Domain', host, wanted ?? usualNames.domain),
    step('Widget key', keys.find(({ revokedAt }) => revokedAt === null)?.key, 'for the app'),
    step('Administrator', admin?.email, named.email ?? '(--email)'),
  ];
}
