import { createUser } from '../accounts/users/create-user.js';
import { listUsers } from '../accounts/users/accounts.repository.js';
import { createWidgetKey, listWidgetKeys } from '../federation/manage-widget-keys.js';
import { claimDomain } from '../tenancy/manage-domains.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { createApp } from '../tenancy/manage-apps.js';
import { createOrganization } from '../tenancy/all-organizations.js';
import { normalizeHost } from '../tenancy/page-address.js';
import { listApps, listDomains, listOrganizations } from '../tenancy/sites.repository.js';
import type { Step } from './write-config.js';

/** The input of a set-up, requested only when needed. */
export interface SetUpAnswers {
  organization(): Promise<string>;
  app(): Promise<string>;
  domain(): Promise<string>;
  /** A domain to register even if there is one already. */
  newDomain: string | undefined;
  /** Names given as options, including unneeded ones. */
  named?: { organization: string | undefined; app: string | undefined };
  email(): Promise<string>;
  password(): Promise<string>;
}

export interface SetUpResult {
  steps: Step[];
  /** For the pages of the first app. */
  widgetKey: string;
  organizationId: number;
}

/** The answers; undefined for what already exists. */
interface Given {
  organization: string;
  app: string;
  domain: string | undefined;
  email: string;
  password: string;
}

/**
 * Creates the missing parts of a first organization and leaves existing ones unchanged. Returns each step. All
 * questions come first, and then everything is created or nothing, so that an aborted set-up can be repeated with other
 * names.
 */
export async function setUp(app: App, answers: SetUpAnswers): Promise<SetUpResult> {
  const given = await collect(app, answers);
  return inTransaction(app, (app) => make(app, given));
}

/**
 * Asks for the missing parts in the order of their creation. Errors: `conflict` for a new domain for an organization or
 * app other than the existing ones.
 */
async function collect(app: App, answers: SetUpAnswers): Promise<Given> {
  const [organization] = await listOrganizations(app);
  const id = organization?.id;
  const apps = id === undefined ? [] : await listApps(app, id);
  const domains = id === undefined ? [] : await listDomains(app, id);
  const host = answers.newDomain === undefined ? undefined : normalizeHost(answers.newDomain);
  if (host !== undefined && domains.every((domain) => domain.host !== host)) {
    requireSame(host, 'organization', answers.named?.organization, organization?.name);
    requireSame(host, 'app', answers.named?.app, apps[0]?.name);
  }
  const users = id === undefined ? [] : await listUsers(app, id);
  const needsDomain = domains.length === 0 && answers.newDomain === undefined;
  const hasAdmin = users.some(({ role }) => role === 'admin');
  return {
    organization: organization === undefined ? await answers.organization() : '',
    app: apps.length === 0 ? await answers.app() : '',
    domain: needsDomain ? await answers.domain() : answers.newDomain,
    email: hasAdmin ? '' : await answers.email(),
    password: hasAdmin ? '' : await answers.password(),
  };
}

/** A domain is registered for the existing app, and never for one that was not meant. */
function requireSame(
  host: string,
  what: 'organization' | 'app',
  given: string | undefined,
  present: string | undefined,
): void {
  if (given === undefined || present === undefined || given === present) return;
  throw new AppError(
    'conflict',
    `The first ${what} here is "${present}", not "${given}", so ${host} was not registered. Leave --${what} out to ` +
      'register it there; else: assistant orgs create, assistant apps create, assistant domains create.',
  );
}

async function make(app: App, given: Given): Promise<SetUpResult> {
  const steps: Step[] = [];
  const tell = (what: string, done: boolean) => steps.push({ what, done, exists: !done });
  const [present] = await listOrganizations(app);
  const organization = present ?? (await createOrganization(app, { name: given.organization }));
  tell(`Organization ${organization.name}`, present === undefined);
  const operator = { kind: 'operator', organizationId: organization.id } as const;

  const [firstApp] = await listApps(app, organization.id);
  const site = firstApp ?? (await createApp(app, operator, { name: given.app }));
  tell(`App ${site.name}`, firstApp === undefined);

  const domains = await listDomains(app, organization.id);
  const wanted = given.domain === undefined ? undefined : normalizeHost(given.domain);
  const known = domains.find(({ host }) => wanted === undefined || host === wanted);
  if (known === undefined && wanted !== undefined) {
    const { domain } = await claimDomain(app, operator, { host: wanted, appId: site.id });
    tell(`Domain ${domain.host}`, true);
  } else tell(`Domain ${known?.host ?? ''}`, false);

  const keys = await listWidgetKeys(app, operator, { appId: site.id, page: 1, limit: 100 });
  const standing = keys.items.find(({ revokedAt }) => revokedAt === null);
  // Its secret is not shown: a backend that needs one gets it by `assistant keys rotate`.
  const made =
    standing === undefined
      ? await createWidgetKey(app, operator, { appId: site.id, kind: 'public', name: site.name })
      : undefined;
  const key = standing?.key ?? made?.key.key ?? '';
  tell(`Widget key ${key}`, made !== undefined);

  const admin = (await listUsers(app, organization.id)).find(({ role }) => role === 'admin');
  if (admin === undefined) {
    const { email, password } = given;
    // Hashing takes a moment while the database is locked. During a set-up nobody else waits.
    const user = await createUser(app, operator, { email, password, role: 'admin' });
    tell(`Administrator ${user.email}`, true);
  } else tell(`Administrator ${admin.email}`, false);
  return { steps, widgetKey: key, organizationId: organization.id };
}

/** True when there is an organization; without one nothing can be stored or asked. */
export async function isSetUp(app: App): Promise<boolean> {
  return (await listOrganizations(app)).length > 0;
}
