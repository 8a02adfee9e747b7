import { createUser } from '../accounts/create-user.js';
import { listUsers } from '../accounts/accounts.repository.js';
import { claimDomain } from '../knowledge/claim-domain.js';
import type { App } from '../platform/app.js';
import { createApp } from '../tenancy/create-app.js';
import { createOrganization } from '../tenancy/create-organization.js';
import { normalizeHost } from '../tenancy/page-address.js';
import { listApps, listDomains, listOrganizations } from '../tenancy/sites.repository.js';
import type { Step } from './write-config.js';

/** What a set-up needs to know; asked for only when it is needed. */
export interface SetUpAnswers {
  organization(): Promise<string>;
  app(): Promise<string>;
  domain(): Promise<string>;
  /** A domain that is to be registered even where there is one already. */
  newDomain: string | undefined;
  email(): Promise<string>;
  password(): Promise<string>;
}

/** Makes what is missing of a first organization, and leaves what exists as it is. Answers each step. */
export async function setUp(app: App, answers: SetUpAnswers): Promise<Step[]> {
  const steps: Step[] = [];
  const [present] = await listOrganizations(app);
  const organization =
    present ?? (await createOrganization(app, { name: await answers.organization() }));
  steps.push({ what: `Organization ${organization.name}`, done: present === undefined });
  const operator = { kind: 'operator', organizationId: organization.id } as const;

  const [firstApp] = await listApps(app, organization.id);
  const site = firstApp ?? (await createApp(app, operator, { name: await answers.app() }));
  steps.push({ what: `App ${site.name}`, done: firstApp === undefined });

  const domains = await listDomains(app, organization.id);
  const wanted = answers.newDomain === undefined ? undefined : normalizeHost(answers.newDomain);
  const known = domains.find(({ host }) => wanted === undefined || host === wanted);
  if (known === undefined) {
    const host = wanted ?? (await answers.domain());
    const { domain } = await claimDomain(app, operator, { host, appId: site.id });
    steps.push({ what: `Domain ${domain.host}`, done: true });
  } else steps.push({ what: `Domain ${known.host}`, done: false });

  const admin = (await listUsers(app, organization.id)).find(({ role }) => role === 'admin');
  if (admin === undefined) {
    const [email, password] = [await answers.email(), await answers.password()];
    const user = await createUser(app, operator, { email, password, role: 'admin' });
    steps.push({ what: `Administrator ${user.email}`, done: true });
  } else steps.push({ what: `Administrator ${admin.email}`, done: false });
  return steps;
}
