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
  return (await visible(app, scope)
    .where('scope', 'url_pattern')
    .whereIn('domain', scope.domains)
    .distinct('url_pattern')
    .pluck('url_pattern')) as string[];
}

/** The entries of the page, best first; among equals the one that was changed last. */
export async function listVisible(
  app: App,
  scope: PageScope,
  match: PageMatch,
  limit: number,
): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const narrow of narrowings(scope, match)) {
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
  const ofApp = await count(visible(app, scope));
  const ofDomain = await count(visible(app, scope).whereIn('domain', scope.domains));
  const ofPage = await count(
    visible(app, scope).where((query) => {
      void query.where({ scope: 'view', view_id: match.viewId ?? null });
      void query.orWhere((other) => {
        void other.where('scope', 'url_pattern').whereIn('domain', scope.domains);
        void other.whereIn('url_pattern', match.patterns);
      });
    }),
  );
  return { app: ofApp, domain: ofDomain, scoped: ofPage };
}

type Narrowing = (query: Knex.QueryBuilder) => Knex.QueryBuilder;

function narrowings(scope: PageScope, match: PageMatch): Narrowing[] {
  const { viewId } = match;
  return [
    ...(viewId === undefined
      ? []
      : [(query: Knex.QueryBuilder) => query.where({ scope: 'view', view_id: viewId })]),
    ...match.patterns.map(
      (pattern): Narrowing =>
        (query) =>
          query
            .where({ scope: 'url_pattern', url_pattern: pattern })
            .whereIn('domain', scope.domains),
    ),
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
