import { nameOf, requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { chooseApp } from '../tenancy/choose-app.js';
import { findDomainOf } from '../tenancy/find-site.js';
import { claimsOn, normalizeHost } from '../tenancy/page-address.js';
import { findDomains, insertDomain, type Domain } from '../tenancy/sites.repository.js';
import { findWaitingEntries } from './entry-lists.repository.js';
import type { Entry } from './entry.js';
import { assignToApp } from './store-entries.js';

/**
 * Registers a domain for an app of the organization, and gives the app the entries that waited for it.
 * Answers how many. Refuses with `conflict` a domain that is registered already, by whomever.
 */
export async function claimDomain(
  app: App,
  actor: Actor,
  input: { host: string; appId: number },
): Promise<{ domain: Domain; adopted: number }> {
  const member = requirePermission(actor, 'administer');
  const host = normalizeHost(input.host);
  const { app: site } = await chooseApp(app, member, { appId: input.appId });
  return inTransaction(app, async (app) => {
    const { organizationId } = member;
    const [taken] = await findDomains(app, [host]);
    // A wildcard of another organization claims this name too: nobody takes a part of it away.
    const above = taken ?? (await findDomainOf(app, host.replace(/^\*\./, '')));
    if (above !== undefined && (above === taken || above.organizationId !== organizationId)) {
      const owner = above.organizationId === organizationId ? 'an app' : 'another organization';
      throw new AppError('conflict', `The domain ${host} is registered by ${owner} already.`);
    }
    const domain = await insertDomain(app, { organizationId, appId: site.id, host });
    const candidates = await findWaitingEntries(app, organizationId, (name) =>
      claimsOn(name).includes(host),
    );
    const waiting: Entry[] = [];
    for (const entry of candidates) {
      // A name below a new wildcard may have a nearer claim: the nearest one is whose entry it is.
      const claim = entry.domain === null ? undefined : await findDomainOf(app, entry.domain);
      if (claim?.id === domain.id) waiting.push(entry);
    }
    await assignToApp(app, waiting, site.id, nameOf(actor));
    return { domain, adopted: waiting.length };
  });
}
