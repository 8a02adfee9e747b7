import { groupBy } from '../platform/group-by.js';
import { LRUCache } from 'lru-cache';
import type { Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { ReadNamed } from '../platform/db/recent-reads.js';
import { findRevision, listPlaces, type Place } from './page.repository.js';

/** The number of entries of each tier. */
export type TierCounts = Map<Visibility, number>;

/** The places of an app with published entries, and their numbers. A page query reads these before any entry. */
export interface AppPlaces {
  appId: number;
  revision: number;
  counts: TierCounts;
  byView: Map<number, Place[]>;
  /** By registered host name; null for entries without a domain. */
  byDomain: Map<string | null, DomainPlaces>;
}

export interface DomainPlaces {
  /** Of all entries of the domain, whatever their scope. */
  counts: TierCounts;
  /** Places bound to neither a view nor a pattern. */
  general: Place[];
  patterns: PatternIndex;
  byPattern: Map<string, Place[]>;
}

/** The most apps whose places are cached. */
const mostRemembered = 500;

declare module '../platform/db/database.js' {
  interface DatabaseMemory {
    appPlaces?: LRUCache<number, AppPlaces>;
  }
}

/**
 * The present places of an app. They are read again only when the app's revision has changed. Database triggers
 * increase the revision with every change by any process, so the cache is never staler than the revision, of which `read` decides the age.
 */
export async function placesOf(
  app: App,
  appId: number,
  read: ReadNamed = (_, now) => now(),
): Promise<AppPlaces> {
  const known = (app.db.memory.appPlaces ??= new LRUCache({ max: mostRemembered }));
  // Read the revision before the places: after a change in between, the next reader sees another revision.
  const revision = await read(`revision ${appId}`, () => findRevision(app, appId));
  const present = known.get(appId);
  if (present?.revision === revision) return present;
  const arranged = arrange(appId, revision, await listPlaces(app, appId));
  known.set(appId, arranged);
  return arranged;
}

/** The page's domains with entries, and the places without a domain, whose patterns may match any domain. */
export function domainsWithPatterns(
  { byDomain }: AppPlaces,
  domains: readonly string[],
): DomainPlaces[] {
  return [...domains, null].flatMap((domain) => byDomain.get(domain) ?? []);
}

function arrange(appId: number, revision: number, places: Place[]): AppPlaces {
  const inViews = places.filter(({ scope }) => scope === 'view');
  const domains = groupBy(places, ({ domain }) => domain);
  return {
    appId,
    revision,
    counts: countTiers(places),
    byView: groupBy(inViews, ({ viewId }) => viewId ?? 0),
    byDomain: new Map([...domains].map(([domain, own]) => [domain, arrangeDomain(own)])),
  };
}

function arrangeDomain(places: Place[]): DomainPlaces {
  const underPatterns = places.filter(({ scope }) => scope === 'url_pattern');
  const byPattern = groupBy(underPatterns, ({ urlPattern }) => urlPattern ?? '');
  return {
    counts: countTiers(places),
    general: places.filter(({ scope }) => scope === 'domain_global' || scope === 'app_global'),
    patterns: new PatternIndex(byPattern.keys()),
    byPattern,
  };
}

function countTiers(places: Place[]): TierCounts {
  const counts: TierCounts = new Map();
  for (const { visibility, entries } of places) {
    counts.set(visibility, (counts.get(visibility) ?? 0) + entries);
  }
  return counts;
}

/** URL patterns as a tree of segments, so that a page finds its patterns without testing the others. */
export class PatternIndex {
  readonly #root: PatternNode = { children: new Map() };

  constructor(patterns: Iterable<string>) {
    for (const pattern of patterns) this.#add(pattern);
  }

  /** The patterns that match a normalised path, by the rules of matchesPattern, in no order. */
  matching(path: string): string[] {
    const found: string[] = [];
    collect(this.#root, path.split('/'), 0, found);
    return found;
  }

  #add(pattern: string): void {
    let node = this.#root;
    for (const segment of pattern.split('/')) {
      if (segment === '*') {
        (node.rest ??= []).push(pattern);
        return;
      }
      // A `:name` matches any one segment, whatever its name is.
      const isName = segment.startsWith(':') && segment.length > 1;
      const next = isName
        ? (node.name ??= { children: new Map() })
        : (node.children.get(segment) ?? { children: new Map() });
      if (!isName) node.children.set(segment, next);
      node = next;
    }
    (node.ends ??= []).push(pattern);
  }
}

interface PatternNode {
  children: Map<string, PatternNode>;
  /** The node below a `:name` segment. */
  name?: PatternNode;
  /** Patterns whose next segment is `*`. */
  rest?: string[];
  /** Patterns that end here. */
  ends?: string[];
}

function collect(node: PatternNode, parts: string[], index: number, found: string[]): void {
  if (node.rest !== undefined) found.push(...node.rest);
  const part = parts[index];
  if (part === undefined) {
    if (node.ends !== undefined) found.push(...node.ends);
    return;
  }
  const literal = node.children.get(part);
  if (literal !== undefined) collect(literal, parts, index + 1, found);
  if (node.name !== undefined && part !== '') collect(node.name, parts, index + 1, found);
}
