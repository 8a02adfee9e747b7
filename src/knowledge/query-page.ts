import { tiersAt, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { findSite, type Site } from '../tenancy/find-site.js';
import { claimsOn, normalizePath } from '../tenancy/page-address.js';
import { findView } from '../tenancy/sites.repository.js';
import type { Entry } from './entry.js';
import { compareSpecificity, matchesPattern } from './match-pattern.js';
import { countVisible, listPatterns, listVisible, type PageScope } from './page.repository.js';

export interface PageQuery {
  url: string;
  viewPath?: string | undefined;
  viewId?: number | undefined;
}

export interface PageResult {
  url: string;
  site: Site;
  /** Best first: the view's entries, URL patterns by specificity, the domain's, the app's. */
  entries: Entry[];
  stats: { app: number; domain: number; scoped: number };
}

const mostEntries = 50;

/** The knowledge of a page that the actor may see. Counts too count only that. */
export async function queryPage(app: App, actor: Actor, input: PageQuery): Promise<PageResult> {
  const site = await findSite(app, input.url);
  if (site.app === undefined) {
    return { url: input.url, site, entries: [], stats: { app: 0, domain: 0, scoped: 0 } };
  }
  const tiers: Visibility[] = tiersAt(actor, {
    organizationId: site.app.organizationId,
    appId: site.app.id,
  });
  const scope: PageScope = { appId: site.app.id, tiers, domains: claimsOn(site.host) };
  const view = await viewOf(app, site.app.id, input);
  const patterns = (await listPatterns(app, scope))
    .filter((pattern) => matchesPattern(pattern, site.path))
    .sort(compareSpecificity);
  const match = { viewId: view?.id, patterns };
  const [entries, stats] = await Promise.all([
    listVisible(app, scope, match, mostEntries),
    countVisible(app, scope, match),
  ]);
  return { url: input.url, site, entries, stats };
}

async function viewOf(
  app: App,
  appId: number,
  input: PageQuery,
): Promise<{ id: number } | undefined> {
  if (input.viewPath !== undefined)
    return findView(app, appId, { path: normalizePath(input.viewPath) });
  if (input.viewId !== undefined) return findView(app, appId, { id: input.viewId });
  return undefined;
}
