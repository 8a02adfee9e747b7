import { recordChange } from '../audit/record-change.js';
import { nameOf, requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { findDomainOf } from '../tenancy/find-site.js';
import { getApp } from '../tenancy/manage-apps.js';
import { normalizeHost } from '../tenancy/page-address.js';
import { findClaims, insertDomain, type Domain } from '../tenancy/sites.repository.js';
import { presentDomain } from '../tenancy/tenancy.schema.js';
import { followClaims } from './move-entries.js';

/**
 * Registers a domain for an app of the organization, and gives the app the entries that waited for it, and those
 * that a wider claim of the organization had for it. Answers how many. Refuses with `invalid_request` what is no
 * host name, `not_found` an app of another organization, `conflict` a domain that is registered already, by whomever.
 */
export async function claimDomain(
  app: App,
  actor: Actor,
  input: { host: string; appId: number },
): Promise<{ domain: Domain; adopted: number }> {
  const { organizationId } = requirePermission(actor, 'administer');
  const host = normalizeHost(input.host, 'host');
  return inTransaction(app, async (app) => {
    const site = await getApp(app, actor, input.appId);
    await refuseTaken(app, organizationId, host);
    const domain = await insertDomain(app, { organizationId, appId: site.id, host });
    const adopted = await followClaims(app, domain, nameOf(actor));
    await recordChange(app, actor, {
      organizationId,
      action: 'domain.create',
      subject: `domain:${domain.id}`,
      after: { ...presentDomain(domain), entries: adopted },
    });
    return { domain, adopted };
  });
}

async function refuseTaken(app: App, organizationId: number, host: string): Promise<void> {
  const taken = (await findClaims(app, [host]))[0]?.domain;
  // A wildcard of another organization claims this name too: nobody takes a part of it away.
  const above = taken ?? (await findDomainOf(app, host.replace(/^\*\./, '')));
  if (above !== undefined && (above === taken || above.organizationId !== organizationId)) {
    const owner = above.organizationId === organizationId ? 'an app' : 'another organization';
    throw new AppError('conflict', `The domain ${host} is registered by ${owner} already.`);
  }
}
