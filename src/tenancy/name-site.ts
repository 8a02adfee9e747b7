import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { didYouMean } from '../platform/did-you-mean.js';
import { chooseApp } from './choose-app.js';
import { getApp } from './manage-apps.js';
import { getDomain } from './read-domains.js';
import { listApps, listDomains, type Domain, type SiteApp } from './sites.repository.js';

const isNumber = /^\d{1,15}$/;

/**
 * The app of the organization that is called so: by its number or its name; without either, the first one. Refuses
 * with `not_found`, and a suggestion.
 */
export async function getAppNamed(
  app: App,
  actor: Actor,
  name: string | undefined,
): Promise<SiteApp> {
  const member = requirePermission(actor, 'administer');
  if (name === undefined) return (await chooseApp(app, member, {})).app;
  if (isNumber.test(name)) return getApp(app, actor, Number(name));
  const all = await listApps(app, member.organizationId);
  // Two names may differ in case alone.
  const isAlike = (site: SiteApp) => site.name.toLowerCase() === name.trim().toLowerCase();
  const found = all.find((site) => site.name === name) ?? all.find(isAlike);
  if (found !== undefined) return found;
  const names = all.map((site) => site.name);
  const sentence = `There is no app ${name} in this organization.${didYouMean(name, names)}`;
  throw new AppError('not_found', sentence);
}

/** The domain of the organization with this number or host name. Refuses with `not_found`, and a suggestion. */
export async function getDomainNamed(app: App, actor: Actor, name: string): Promise<Domain> {
  const { organizationId } = requirePermission(actor, 'administer');
  if (isNumber.test(name)) return getDomain(app, actor, Number(name));
  const all = await listDomains(app, organizationId);
  const found = all.find(({ host }) => host === name.trim().toLowerCase());
  if (found !== undefined) return found;
  const hosts = all.map(({ host }) => host);
  const sentence = `There is no domain ${name} in this organization.${didYouMean(name, hosts)}`;
  throw new AppError('not_found', sentence);
}
