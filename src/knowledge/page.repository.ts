import type { Knex } from 'knex';
import type { Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Entry } from './entry.js';
import { toEntry, type EntryRow } from './entries.repository.js';

/** What may be seen at a page: an app's published entries of these tiers, bound to any of these names or none. */
export interface PageScope {
  appId: number;
  tiers: Visibility[];
  domains: string[];
}

/** What binds an entry to the page: its view, or one of the patterns that match, the most specific first. */
export interface PageMatch {
  viewId: number | undefined;
  patterns: string[];
}

/** The distinct URL patterns that stand on the page's domain. */
export async function listPatterns(app: App, scope: PageScope): Promise<string[]> {
  const rows: { url_pattern: string }[] = await visible(app, scope)
    .where('scope', 'url_pattern')
    .whereIn('domain', scope.domains)
    .distinct('url_pattern');
  return rows.map((row) => row.url_pattern);
}

/** The entries of the page, best first; among equals the one that was changed last. */
export async function listVisible(
  app: App,
  scope: PageScope,
  match: PageMatch,
  limit: number,
): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const narrow of [...boundToPage(scope, match), ...general(scope)]) {
    if (found.length >= limit) break;
    const query = narrow(visible(app, scope)).orderBy('updated_at', 'desc').orderBy('id');
    const rows = (await query.limit(limit - found.length).select('*')) as EntryRow[];
    found.push(...rows.map(toEntry));
  }
  return found;
}

/** How many entries the caller sees: in the whole app, on the domain, bound to the very page. */
export async function countVisible(
  app: App,
  scope: PageScope,
  match: PageMatch,
): Promise<{ app: number; domain: number; scoped: number }> {
  const [ofApp, ofDomain, ...ofPage] = await Promise.all([
    count(visible(app, scope)),
    count(visible(app, scope).whereIn('domain', scope.domains)),
    ...boundToPage(scope, match).map((narrow) => count(narrow(visible(app, scope)))),
  ]);
  return { app: ofApp, domain: ofDomain, scoped: ofPage.reduce((sum, one) => sum + one, 0) };
}

type Narrowing = (query: Knex.QueryBuilder) => Knex.QueryBuilder;

/** What is bound to the very page: its view's entries, then those of each pattern. */
function boundToPage(scope: PageScope, { viewId, patterns }: PageMatch): Narrowing[] {
  const byView: Narrowing[] =
    viewId === undefined ? [] : [(query) => query.where({ scope: 'view', view_id: viewId })];
  const byPattern = patterns.map(
    (pattern): Narrowing =>
      (query) =>
        query
          .where({ scope: 'url_pattern', url_pattern: pattern })
          .whereIn('domain', scope.domains),
  );
  return [...byView, ...byPattern];
}

/** What is there for every page: the domain's entries, then the app's. */
function general(scope: PageScope): Narrowing[] {
  return [
    (query) => query.where('scope', 'domain_global').whereIn('domain', scope.domains),
    (query) => query.where('scope', 'app_global'),
  ];
}

function visible(app: App, scope: PageScope): Knex.QueryBuilder {
  return app.db
    .read('knowledge_entries')
    .where({ app_id: scope.appId, status: 'published' })
    .whereIn('visibility', scope.tiers);
}

async function count(query: Knex.QueryBuilder): Promise<number> {
  const row = (await query.count({ count: '*' }).first()) as { count: number };
  return row.count;
}
