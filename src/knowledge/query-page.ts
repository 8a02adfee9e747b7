import { LRUCache } from 'lru-cache';
import { tiersAt, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Language } from '../language/language-pack.js';
import { findSite, type Site } from '../tenancy/find-site.js';
import { claimsOn, normalizeViewPath } from '../tenancy/page-address.js';
import { findView } from '../tenancy/views.repository.js';
import { domainsWithPatterns, placesOf, type AppPlaces, type TierCounts } from './app-places.js';
import { compareSpecificity } from './match-pattern.js';
import type { PageEntry } from './entry.js';
import { listEntriesAt, type Place } from './page.repository.js';

export interface PageQuery {
  url: string;
  viewPath?: string | undefined;
  viewId?: number | undefined;
  /** Only entries in this language. The counts include all languages. */
  language?: Language | undefined;
  /** True: sites of other organizations count as unregistered. */
  ownOnly?: boolean | undefined;
}

export interface PageResult {
  url: string;
  site: Site;
  /** Best first: entries of the view, of URL patterns by specificity, of the domain, of the app. */
  entries: PageEntry[];
  stats: { app: number; domain: number; scoped: number };
}

const mostEntries = 50;
/** The most characters of all texts of a page: unread answers of fifty long texts each would fill the memory. */
const mostText = 500_000;

/** The knowledge of a page that the actor may see. The counts include only that. */
export async function queryPage(app: App, actor: Actor, input: PageQuery): Promise<PageResult> {
  const found = await findSite(app, input.url);
  const isOwn = 'organizationId' in actor && actor.organizationId === found.app?.organizationId;
  const site = input.ownOnly && !isOwn ? { ...found, domain: undefined, app: undefined } : found;
  if (site.app === undefined) {
    return { url: input.url, site, entries: [], stats: { app: 0, domain: 0, scoped: 0 } };
  }
  const { organizationId, id: appId } = site.app;
  const { language } = input;
  const tiers = tiersAt(actor, { organizationId, appId });
  const [view, places] = await Promise.all([viewOf(app, appId, input), placesOf(app, appId)]);
  const ranked = atPage(places, site, view?.id, tiers);
  const ranks = [...ranked.bound, ...ranked.general];
  return {
    url: input.url,
    site,
    // The number of entries in one language is unknown.
    entries: await entriesAt(app, places, language ? ranks : enough(ranks), language),
    stats: {
      app: sumOf([places.counts], tiers),
      domain: sumOf(
        ranked.domains.map(({ counts }) => counts),
        tiers,
      ),
      scoped: ranked.bound.flat().reduce((sum, { entries }) => sum + entries, 0),
    },
  };
}

/** The places of a page, best first, in ranks of equals; only the caller's tiers. */
function atPage(places: AppPlaces, site: Site, viewId: number | undefined, tiers: Visibility[]) {
  const seen = (places: Place[]) => places.filter(({ visibility }) => tiers.includes(visibility));
  const { byView, byDomain } = places;
  const claims = claimsOn(site.host);
  const domains = claims.flatMap((claim) => byDomain.get(claim) ?? []);
  const wholeApp = byDomain.get(null);
  const withPatterns = domainsWithPatterns(places, claims);
  const patterns = withPatterns.flatMap((domain) => domain.patterns.matching(site.path));
  const ranked = [...new Set(patterns)].sort(compareSpecificity);
  const inView = viewId === undefined ? [] : (byView.get(viewId) ?? []);
  return {
    domains,
    bound: [
      seen(inView),
      ...ranked.map((pattern) =>
        seen(withPatterns.flatMap(({ byPattern }) => byPattern.get(pattern) ?? [])),
      ),
    ],
    general: [seen(domains.flatMap(({ general }) => general)), seen(wholeApp?.general ?? [])],
  };
}

/** The most characters of cached text: at least 300 pages with fifty entries of a thousand characters each. */
const mostCharacters = 16_000_000;

declare module '../platform/db/database.js' {
  interface DatabaseMemory {
    pageEntries?: LRUCache<string, PageEntry[]>;
  }
}

/** Read once per revision of the app, because pages are requested far more often than knowledge changes. */
async function entriesAt(
  app: App,
  { appId, revision }: AppPlaces,
  ranks: Place[][],
  language: Language | undefined,
): Promise<PageEntry[]> {
  const shown = (app.db.memory.pageEntries ??= new LRUCache({
    maxSize: mostCharacters,
    sizeCalculation: sizeOf,
  }));
  const keys = ranks.map((rank) => rank.map(({ key }) => key).join());
  const key = `${appId} ${revision} ${language ?? ''} ${keys.join(';')}`;
  const known = shown.get(key);
  if (known !== undefined) return known;
  const entries = shortened(await listEntriesAt(app, ranks, mostEntries, language));
  shown.set(key, entries);
  return entries;
}

/** The best entries that have at most so many characters together. The best one is always among them. */
function shortened(entries: PageEntry[]): PageEntry[] {
  let characters = 0;
  return entries.filter(({ content }, index) => {
    characters += content.length;
    return index === 0 || characters <= mostText;
  });
}

/** The first ranks that together have as many entries as are shown. */
function enough(ranks: Place[][]): Place[][] {
  let entries = 0;
  return ranks.filter((rank) => {
    if (entries >= mostEntries) return false;
    entries += rank.reduce((sum, place) => sum + place.entries, 0);
    return true;
  });
}

function sumOf(counts: TierCounts[], tiers: Visibility[]): number {
  return counts
    .flatMap((one) => tiers.map((tier) => one.get(tier) ?? 0))
    .reduce((sum, count) => sum + count, 0);
}

async function viewOf(
  app: App,
  appId: number,
  input: PageQuery,
): Promise<{ id: number } | undefined> {
  if (input.viewPath !== undefined)
    return findView(app, appId, { path: normalizeViewPath(input.viewPath) });
  if (input.viewId !== undefined) return findView(app, appId, { id: input.viewId });
  return undefined;
}

function sizeOf(entries: PageEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.title.length + entry.content.length, 100);
}
