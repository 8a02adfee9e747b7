import { LRUCache } from 'lru-cache';
import { tiersAt, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { ReadNamed } from '../platform/db/recent-reads.js';
import type { Language } from '../language/language-pack.js';
import { claimFinder, findSite, type Site } from '../tenancy/find-site.js';
import { claimsOn, normalizeViewPath } from '../tenancy/page-address.js';
import { findView } from '../tenancy/views.repository.js';
import {
  domainsWithPatterns,
  placesOf,
  type AppPlaces,
  type DomainPlaces,
  type TierCounts,
} from './app-places.js';
import { compareSpecificity } from './match-pattern.js';
import type { PageEntry } from './entry.js';
import { listEntriesAt, type Place } from './page.repository.js';
import { pageOfLink, showLinks } from './show-links.js';

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
  return readPage(app, await locatePage(app, actor, input));
}

/** Everything that decides which knowledge a page shows. */
export interface LocatedPage {
  url: string;
  site: Site;
  language: Language | undefined;
  /** Undefined for an unregistered page. */
  found: { places: AppPlaces; tiers: Visibility[]; viewId: number | undefined } | undefined;
}

/** Finds the places of a page that the actor may see. `read` decides how old the rows may be; default: not at all. */
export async function locatePage(
  app: App,
  actor: Actor,
  { url, ownOnly, language, ...named }: PageQuery,
  read: ReadNamed = (_, now) => now(),
): Promise<LocatedPage> {
  const claimOn = claimFinder(app);
  const claimed = await findSite(app, url, 'url', (host) =>
    read(`claim ${host}`, () => claimOn(host)),
  );
  const isOwn = 'organizationId' in actor && actor.organizationId === claimed.app?.organizationId;
  const site = ownOnly && !isOwn ? { ...claimed, domain: undefined, app: undefined } : claimed;
  if (site.app === undefined) return { url, site, language, found: undefined };
  const { organizationId, id: appId } = site.app;
  const tiers = tiersAt(actor, { organizationId, appId });
  const [view, places] = await Promise.all([
    viewOf(app, appId, named, read),
    placesOf(app, appId, read),
  ]);
  return {
    url,
    site,
    language,
    found: { places, tiers, viewId: view?.id },
  };
}

/** The knowledge at the places of a page. */
export async function readPage(app: App, page: LocatedPage): Promise<PageResult> {
  const { url, site, language, found } = page;
  if (found === undefined) {
    return { url, site, entries: [], stats: { app: 0, domain: 0, scoped: 0 } };
  }
  const { places, tiers } = found;
  const ranked = rankPlaces(site, found);
  const ranks = [...ranked.bound, ...ranked.general];
  return {
    url,
    site,
    // The number of entries in one language is unknown.
    entries: await entriesAt(app, site.app?.organizationId ?? 0, found, {
      ranks: language ? ranks : enough(ranks),
      language,
    }),
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

interface RankedPlaces {
  domains: DomainPlaces[];
  bound: Place[][];
  general: Place[][];
}

/** The places of a page, best first, in ranks of equals; only the caller's tiers. */
export function rankPlaces(
  site: Site,
  { places, tiers, viewId }: NonNullable<LocatedPage['found']>,
): RankedPlaces {
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
  organizationId: number,
  { places: { appId, revision }, tiers }: NonNullable<LocatedPage['found']>,
  { ranks, language }: { ranks: Place[][]; language: Language | undefined },
): Promise<PageEntry[]> {
  const shown = (app.db.memory.pageEntries ??= new LRUCache({
    maxSize: mostCharacters,
    sizeCalculation: sizeOf,
  }));
  const keys = ranks.map((rank) => rank.map(({ key }) => key).join());
  const key = `${appId} ${revision} ${tiers.join()} ${language ?? ''} ${keys.join(';')}`;
  const known = shown.get(key);
  if (known !== undefined) return known;
  const entries = await showLinks(
    app,
    { organizationId, appId, tiers, drafts: false },
    shortened(await listEntriesAt(app, ranks, mostEntries, language)),
    pageOfLink,
  );
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
  { viewPath, viewId: id }: Pick<PageQuery, 'viewPath' | 'viewId'>,
  read: ReadNamed,
): Promise<{ id: number } | undefined> {
  const by =
    viewPath === undefined ? id !== undefined && { id } : { path: normalizeViewPath(viewPath) };
  if (by === false) return undefined;
  return read(`view ${appId} ${JSON.stringify(by)}`, () => findView(app, appId, by));
}

function sizeOf(entries: PageEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.title.length + entry.content.length, 100);
}
