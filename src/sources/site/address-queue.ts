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
  /**
   * The next one: of those that are first, then of the others, the nearest to the start. `meanwhile`: only one that is
   * first and that nothing can come before which the addresses taken last may still add.
   */
  take(meanwhile?: boolean): Waiting | undefined;
  size(): number;
}

/** The addresses of a crawl. Each is taken once; those whose keys `isFirst` names are taken before all others. */
export function createQueue(deepest: number, isFirst: (key: string) => boolean): AddressQueue {
  const levels: Waiting[][] = Array.from({ length: 2 * (deepest + 1) }, () => []);
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
      // What a redirect leads to is its page, and comes as soon.
      const own = isFirst(key) || item.redirects > 0 ? item.depth : deepest + 1 + item.depth;
      // It may belong to a level that is done.
      levels[Math.max(own, level)]?.push(item);
      waiting++;
      return true;
    },
    take(meanwhile = false) {
      for (;;) {
        const next = levels[level]?.[at];
        if (meanwhile && (next === undefined || !isFirst(pageKey(next.url)))) return undefined;
        if (next !== undefined) {
          at++;
          waiting--;
          return next;
        }
        if (level === levels.length - 1) return undefined;
        level++;
        at = 0;
      }
    },
    size: () => waiting,
  };
}
