import { recorderOf } from '../audit/record-change.js';
import { type Actor, nameOf, requirePermission } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError, refusedField } from '../platform/errors.js';
import { findDomainOf } from './find-site.js';
import { getApp } from './manage-apps.js';
import { normalizeHost } from './page-address.js';
import { listDomainsOf } from './sites-admin.repository.js';
import { type Domain, findClaims, domains, findDomainsBelow } from './sites.repository.js';
import { presentDomain } from './tenancy.schema.js';

export type { Domain };

/** A domain, with the number of entries that followed its change. */
const recordDomain = recorderOf('domain', (one: Domain & { entries?: number }) => ({
  ...presentDomain(one),
  entries: one.entries,
}));

/** Local names, which mean another machine in each network. */
const local = /\.(localhost|local|internal)$/;

/**
 * Checks a claim on a normalized host. Errors: `invalid_request` for a public suffix such as com or github.io;
 * `forbidden` for names that only the operator of the installation may assign; `conflict` for a registered host, one
 * under another organization's wildcard, or a wildcard that covers another organization's names.
 */
async function checkClaim(
  app: App,
  actor: Actor,
  organizationId: number,
  host: string,
): Promise<void> {
  const name = host.replace(/^\*\./, '');
  const { parse } = await import('tldts');
  const { domain, publicSuffix, isIcann, isPrivate } = parse(name, { allowPrivateDomains: true });
  if ((isIcann === true || isPrivate === true) && publicSuffix === name) {
    const message = `must not be ${host}, below which anybody can register names`;
    throw refusedField('host', message, 'invalid_request', { is: 'domain_public', host });
  }
  // An address, a name without a dot or a local name has no owner, and a wildcard covers many of them.
  const isAnybodys = domain === null || local.test(name);
  if (actor.kind !== 'operator' && (host !== name || isAnybodys)) {
    const sentence = `Only the operator of this installation can register ${host}: assistant domains create --host "${host}" --app <app>`;
    throw new AppError('forbidden', sentence, { reason: { is: 'domain_operators', host } });
  }
  const taken = (await findClaims(app, [host]))[0]?.domain;
  const above = taken ?? (await findDomainOf(app, name));
  const below = host === name ? [] : await findDomainsBelow(app, name);
  const foreign = [above, ...below].find((one) => one && one.organizationId !== organizationId);
  if (taken === undefined && foreign === undefined) return;
  if (foreign === undefined) {
    throw new AppError('conflict', `The domain ${host} is registered by an app already.`, {
      reason: { is: 'domain_taken', host },
    });
  }
  const how = foreign.host === host ? 'is registered' : 'is above or below one that is registered';
  throw new AppError('conflict', `The domain ${host} ${how} by another organization already.`, {
    reason: { is: 'domain_foreign', host },
  });
}

/** A page of the organization's domains, by name. Errors: `not_found` for an app of another organization. */
export async function listDomainsPage(
  app: App,
  actor: Actor,
  query: Page & { appId?: number | undefined },
): Promise<Paged<Domain>> {
  const { organizationId } = requirePermission(actor, 'administer');
  if (query.appId !== undefined) await getApp(app, actor, query.appId);
  return listDomainsOf(app, organizationId, query);
}

/** A domain of the organization. Errors: `not_found` for any other. */
export async function getDomain(app: App, actor: Actor, id: number): Promise<Domain> {
  const { organizationId } = requirePermission(actor, 'administer');
  const found = await domains.find(app, { organizationId, id });
  if (found !== undefined) return found;
  throw new AppError('not_found', `There is no domain ${id} in this organization.`);
}

/**
 * Registers a domain for an app, and moves to the app the entries that waited for the domain, or that a wider claim of
 * the organization had. Returns their number. Errors: `invalid_request` for an invalid host name; `not_found` for an
 * app of another organization; those of checkClaim.
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
    const domain = await domains.insert(app, { organizationId, appId: site.id, host });
    const adopted = await app.siteContents.followClaims(app, domain, nameOf(actor));
    await recordDomain(app, actor, 'create', { after: { ...domain, entries: adopted } });
    return { domain, adopted };
  });
}

/**
 * Moves a domain with its entries to another app of the organization. Returns the domain. Errors: `not_found` for a
 * domain or app of another organization.
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
    await domains.change(app, id, { appId });
    const after = await getDomain(app, actor, id);
    const entries = await app.siteContents.followClaims(app, after, nameOf(actor));
    await recordDomain(app, actor, 'update', { before, after: { ...after, entries } });
    return after;
  });
}

/**
 * Releases a domain. Its entries wait and are invisible, unless another claim of the organization covers them: those
 * move to that claim's app. Returns the number of moved entries. Errors: `not_found`.
 */
export async function releaseDomain(app: App, actor: Actor, id: number): Promise<number> {
  return inTransaction(app, async (app) => {
    const domain = await getDomain(app, actor, id);
    await domains.delete(app, id);
    const entries = await app.siteContents.followClaims(app, domain, nameOf(actor));
    await recordDomain(app, actor, 'delete', { before: { ...domain, entries } });
    return entries;
  });
}
