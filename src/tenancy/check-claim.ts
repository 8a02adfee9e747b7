import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { findDomainOf } from './find-site.js';
import { findClaims, findDomainsBelow } from './sites.repository.js';

/** Names of a machine or a network, which mean something else in each. */
const local = /\.(localhost|local|internal)$/;

/**
 * Refuses a claim of the actor's organization on a host in its normal form: with `invalid_request` a public suffix
 * such as com or github.io, with `forbidden` names that only the operator of the installation may give away, with
 * `conflict` one that is registered already, lies under a wildcard of another organization, or would cover its names.
 */
export async function checkClaim(
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
    throw new AppError('invalid_request', `host: ${message}`, {
      problems: [{ path: 'host', message }],
    });
  }
  // Nobody can say whose an address, a name without a dot or a local name is; a wildcard takes many at once.
  const isAnybodys = domain === null || local.test(name);
  if (actor.kind !== 'operator' && (host !== name || isAnybodys)) {
    const sentence = `Only the operator of this installation can register ${host}: assistant domains create --host "${host}" --app <app>`;
    throw new AppError('forbidden', sentence);
  }
  const taken = (await findClaims(app, [host]))[0]?.domain;
  const above = taken ?? (await findDomainOf(app, name));
  const below = host === name ? [] : await findDomainsBelow(app, name);
  const foreign = [above, ...below].find((one) => one && one.organizationId !== organizationId);
  if (taken === undefined && foreign === undefined) return;
  if (foreign === undefined) {
    throw new AppError('conflict', `The domain ${host} is registered by an app already.`);
  }
  const how = foreign.host === host ? 'is registered' : 'is above or below one that is registered';
  throw new AppError('conflict', `The domain ${host} ${how} by another organization already.`);
}
