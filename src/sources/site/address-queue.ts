import { pageKey } from './page-address.js';

/** An address that waits for its visit. */
export interface Waiting {
  url: URL;
  /** Links from the start address. */
  depth: number;
  /** Redirects that led to it. */
  redirects: number;
  /** The date in the site map; null without one. */
  sitemapDate: string | null;
}

/** The most addresses of one path that differ only in the query: a calendar has any number of them. */
const mostQueries = 10;

export interface AddressQueue {
  /** False for one address too many of a path. True for all others, also for one that is known or too far away. */
  add(item: Waiting): boolean;
  /** The next one: the nearest to the start first. */
  take(): Waiting | undefined;
  size(): number;
}

/** The addresses of a crawl. Each is taken once. */
export function createQueue(deepest: number): AddressQueue {
  const levels: Waiting[][] = Array.from({ length: deepest + 1 }, () => []);
  const seen = new Map<string, Waiting>();
  const queries = new Map<string, number>();
  let waiting = 0;
  let level = 0;
  let at = 0;
  return {
    add(item) {
      if (item.depth > deepest) return true;
      const key = pageKey(item.url);
      const earlier = seen.get(key);
      if (earlier !== undefined) {
        earlier.sitemapDate ??= item.sitemapDate;
        return true;
      }
      seen.set(key, item);
      if (item.url.search !== '') {
        const count = (queries.get(item.url.pathname) ?? 0) + 1;
        queries.set(item.url.pathname, count);
        if (count > mostQueries) return false;
      }
      // A redirect may lead back to a level that is done.
      levels[Math.max(item.depth, level)]?.push(item);
      waiting++;
      return true;
    },
    take() {
      while (level <= deepest) {
        const next = levels[level]?.[at++];
        if (next !== undefined) {
          waiting--;
          return next;
        }
        if (level === deepest) {
          at--;
          return undefined;
        }
        level++;
        at = 0;
      }
      return undefined;
    },
    size: () => waiting,
  };
}
