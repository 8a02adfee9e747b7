import { recordChange } from '../audit/record-change.js';
import { nameOf, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { getApp } from '../tenancy/manage-apps.js';
import { getDomain } from '../tenancy/read-domains.js';
import { deleteDomainRow, setDomainApp } from '../tenancy/sites-admin.repository.js';
import type { Domain } from '../tenancy/sites.repository.js';
import { presentDomain } from '../tenancy/tenancy.schema.js';
import { followClaims } from './move-entries.js';

/**
 * Gives a domain to another app of the organization, with its entries. Answers the domain. Refuses with `not_found`
 * a domain or app that the organization does not have.
 */
export async function moveDomain(
  app: App,
  actor: Actor,
  id: number,
  input: { appId?: number | undefined },
): Promise<Domain> {
  return inTransaction(app, async (app) => {
    const before = await getDomain(app, actor, id);
    const { id: appId } = await getApp(app, actor, input.appId ?? before.appId);
    if (appId === before.appId) return before;
    await setDomainApp(app, id, appId);
    const after = await getDomain(app, actor, id);
    const entries = await followClaims(app, after, nameOf(actor));
    await recordChange(app, actor, {
      organizationId: before.organizationId,
      action: 'domain.update',
      subject: `domain:${id}`,
      before: presentDomain(before),
      after: { ...presentDomain(after), entries },
    });
    return after;
  });
}

/**
 * Gives a domain up. Its entries wait, unseen, from now on, save those that another claim of the organization
 * covers: they go to that claim's app. Answers how many entries moved. Refuses with `not_found`.
 */
export async function releaseDomain(app: App, actor: Actor, id: number): Promise<number> {
  return inTransaction(app, async (app) => {
    const domain = await getDomain(app, actor, id);
    await deleteDomainRow(app, id);
    const entries = await followClaims(app, domain, nameOf(actor));
    await recordChange(app, actor, {
      organizationId: domain.organizationId,
      action: 'domain.delete',
      subject: `domain:${id}`,
      before: { ...presentDomain(domain), entries },
    });
    return entries;
  });
}
