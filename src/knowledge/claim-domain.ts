import { recordChange } from '../audit/record-change.js';
import { nameOf, requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { checkClaim } from '../tenancy/check-claim.js';
import { getApp } from '../tenancy/manage-apps.js';
import { normalizeHost } from '../tenancy/page-address.js';
import { insertDomain, type Domain } from '../tenancy/sites.repository.js';
import { presentDomain } from '../tenancy/tenancy.schema.js';
import { followClaims } from './move-entries.js';

/**
 * Registers a domain for an app of the organization, and gives the app the entries that waited for it, and those
 * that a wider claim of the organization had for it. Answers how many. Refuses with `invalid_request` what is no
 * host name, `not_found` an app of another organization, and what checkClaim refuses.
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
    await checkClaim(app, actor, organizationId, host);
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
