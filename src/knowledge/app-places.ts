import { LRUCache } from 'lru-cache';
import type { Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { findRevision, listPlaces, type Place } from './page.repository.js';
/** How many entries there are of each tier. */
export type TierCounts = Map<Visibility, number>;

/** Where an app has published entries, and how many: what a page query knows before it reads an entry. */
export interface AppPlaces {
  appId: number;
  revision: number;
  counts: TierCounts;
  byView: Map<number, Place[]>;
  /** By host name as it is registered; under null what is bound to no domain. */
  byDomain: Map<string | null, DomainPlaces>;
}

export interface DomainPlaces {
  /** Of all the domain's entries, whatever their scope. */
  counts: TierCounts;
  /** Bound to neither a view nor a pattern. */
  general: Place[];
  patterns: PatternIndex;
  byPattern: Map<string, Place[]>;
}

/** Apps whose places are remembered. */
const mostRemembered = 500;

declare module '../platform/db/database.js' {
  interface DatabaseMemory {
    appPlaces?: LRUCache<number, AppPlaces>;
  }
}

/**
 * The places of an app as they are now. They are read again only when the app's revision has changed, which the
 * database raises itself with each change, by whatever process: nothing that is remembered can be out of date.
 */
export async function placesOf(app: App, appId: number): Promise<AppPlaces> {
  const known = (app.db.memory.appPlaces ??= new LRUCache({ max: mostRemembered }));
  // Read before the places: should they change in between, the next reader sees another revision.
  const revision = await findRevision(app, appId);
  const present = known.get(appId);
  if (present?.revision === revision) return present;
  const read = arrange(appId, revision, await listPlaces(app, appId));
  known.set(appId, read);
  return read;
}

/** Those of a page's domains that hold something, and what stands on no domain: a pattern may stand on any of them. */
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

function groupBy<T, K>(items: T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** URL patterns by their segments, so that a page meets those that match it without trying the others. */
export class PatternIndex {
  readonly #root: PatternNode = { children: new Map() };

  constructor(patterns: Iterable<string>) {
    for (const pattern of patterns) this.#add(pattern);
  }

  /** The patterns that match a normalised path, as matchesPattern has it, in no order. */
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
      // However it is named, a `:name` stands for the same: any one segment.
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
  /** Below a `:name` segment. */
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
