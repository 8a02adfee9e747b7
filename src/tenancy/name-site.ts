import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { allOf } from '../platform/db/select-page.js';
import { findNamed, type Wanted } from '../platform/find-named.js';
import { chooseApp } from './choose-app.js';
import { listApps, listDomains, type Domain, type SiteApp } from './sites.repository.js';
import { listViewsOf, type View } from './views.repository.js';

// Look-up of apps, domains and views for the command line. Each function refuses as findNamed does.

/** An app; default: the first one. */
export async function getAppNamed(
  app: App,
  actor: Actor,
  name: string | undefined,
  { whole }: Wanted = {},
): Promise<SiteApp> {
  const member = requirePermission(actor, 'administer');
  if (name === undefined) return (await chooseApp(app, member, {})).app;
  const among = await listApps(app, member.organizationId);
  const namesOf = (one: SiteApp) => ({ id: one.id, names: [one.name] });
  return findNamed(name, { thing: 'app', among, namesOf, whole });
}

/** The id of the app that limits a list or report. */
export async function appIdNamed(
  app: App,
  actor: Actor,
  name: string | undefined,
): Promise<number | undefined> {
  return name === undefined ? undefined : (await getAppNamed(app, actor, name)).id;
}

export async function getDomainNamed(
  app: App,
  actor: Actor,
  name: string,
  { whole }: Wanted = {},
): Promise<Domain> {
  const { organizationId } = requirePermission(actor, 'administer');
  const among = await listDomains(app, organizationId);
  const namesOf = ({ id, host }: Domain) => ({ id, names: [host] });
  return findNamed(name, { thing: 'domain', among, namesOf, whole });
}

/**
 * The host name for commands that accept any host, because entries may wait for an unregistered domain. A text with a
 * dot is a whole host name. Without a matching registered domain, the text stays unchanged.
 */
export async function hostNamed<T extends string | undefined>(
  app: App,
  actor: Actor,
  name: T,
): Promise<string | T> {
  if (name === undefined || name.includes('.') || name === '') return name;
  const { organizationId } = requirePermission(actor, 'administer');
  const domains = await listDomains(app, organizationId);
  const isKnown = domains.some(({ host }) => host.startsWith(name.toLowerCase()));
  return isKnown || /^\d+$/.test(name) ? (await getDomainNamed(app, actor, name)).host : name;
}

export async function getViewNamed(
  app: App,
  actor: Actor,
  name: string,
  { whole }: Wanted = {},
): Promise<View> {
  const { organizationId } = requirePermission(actor, 'administer');
  const { items: among } = await listViewsOf(app, organizationId, allOf);
  const namesOf = ({ id, path }: View) => ({ id, names: [path] });
  return findNamed(name, { thing: 'view', among, namesOf, whole });
}
