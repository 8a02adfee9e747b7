/** Why an address of a site brought no page. */
export type LeftOutReason =
  /** robots.txt forbids it. */
  | 'robots'
  /** The page asks not to be indexed. */
  | 'noindex'
  /** 401, 403, a page that only asks for a password, or a redirect to a page for signing in. */
  | 'sign_in'
  /** Nearly no text, but scripts. */
  | 'client_rendered'
  /** The page names another one as the canonical one. */
  | 'canonical'
  /** The same content as a page before it. */
  | 'duplicate'
  /** A redirect out of the site. */
  | 'other_site'
  /** More redirects than allowed, or a circle of them. */
  | 'redirects'
  | 'not_found'
  /** Any other status than 200. */
  | 'http_status'
  | 'content_type'
  | 'too_large'
  | 'timeout'
  /** No connection, a broken answer, or an address that is not on the public internet. */
  | 'unreachable'
  /** The page has no text of its own, as a list of links. */
  | 'no_text'
  /** What stores pages did not take it. */
  | 'refused'
  /** A further page whose address differs only in its query. */
  | 'query';

/** What people should look at. Of other reasons, the site wants or does it so. */
export const failures: readonly LeftOutReason[] = [
  'redirects',
  'http_status',
  'too_large',
  'timeout',
  'unreachable',
  'refused',
];

export interface LeftOut {
  address: string;
  reason: LeftOutReason;
  /** A status, a content type, or the other address. */
  detail?: string;
}

/** What is known of an address from an earlier crawl. */
export interface KnownPage {
  address: string;
  /** Links from the start address. */
  depth: number;
  /** False when it brought no page. */
  isPage: boolean;
  etag: string | null;
  lastModified: string | null;
  /** SHA-256 of the bytes as the site sent them. */
  bodyHash: string | null;
  /** SHA-256 of what a reader sees of the page. */
  contentHash: string | null;
  /** SHA-256 of its text alone, which stays when its links lead to new addresses. */
  textHash: string | null;
  /** The date of the site's map, as written there. */
  sitemapDate: string | null;
  /** When the site was last asked for it. */
  checkedAt: Date;
}

/** `moved`: at another address than before, with the same text or another. */
export const pageStatuses = ['new', 'changed', 'moved', 'unchanged', 'gone'] as const;
export type PageStatus = (typeof pageStatuses)[number];

export interface SitePage {
  /** Canonical: without fragment and tracking parameters, as the site names it. */
  address: string;
  status: PageStatus;
  /** Where a page was that has moved; null for any other. */
  movedFrom: string | null;
  title: string | null;
  /** Null for a page that is as it was and for one that is gone, as is `contentType`. */
  bytes: Uint8Array | null;
  /** Without parameters: `text/html`. */
  contentType: string | null;
  /** Why it is gone; undefined for a page that is there. */
  reason: LeftOutReason | undefined;
}

export interface CrawlOptions {
  /** The most links from the start address; the pages of a site map are one link away. */
  depth: number;
  /** Patterns of paths, in which `*` stands for any characters; empty for all below the start address. */
  include: readonly string[];
  exclude: readonly string[];
  /** The most addresses that are asked for. */
  mostPages: number;
  requestsPerSecond: number;
  /** The name and a contact, as in `Assistant/1.0 (+https://example.com)`. */
  userAgent: string;
  /** Allows addresses that are not on the public internet. */
  allowPrivate: boolean;
  mostPageBytes: number;
  mostBytes: number;
  /** The path of a browser that runs the scripts of pages which are empty without them; empty for none. */
  browser: string;
  /** For all of the crawl, in milliseconds. */
  mostMs: number;
  /** For one answer, in milliseconds. */
  pageTimeoutMs: number;
  /**
   * How long the unchanged date of a page in the site map is taken for an unchanged page, in milliseconds. Then the page
   * is asked for all the same, since some sites never change these dates.
   */
  trustSitemapMs: number;
}

export const defaultCrawlOptions = {
  depth: 5,
  include: [],
  exclude: [],
  mostPages: 1000,
  requestsPerSecond: 2,
  mostPageBytes: 50 * 1024 * 1024,
  browser: '',
  mostBytes: 2 * 1024 * 1024 * 1024,
  mostMs: 4 * 3_600_000,
  pageTimeoutMs: 60_000,
  trustSitemapMs: 7 * 86_400_000,
} as const satisfies Partial<CrawlOptions>;

export interface CrawlReport {
  /** The start address, after redirects. */
  start: string;
  pages: Record<PageStatus, number>;
  requests: number;
  bytes: number;
  /** Addresses without a page, by reason. */
  counts: Partial<Record<LeftOutReason, number>>;
  /** The first of them, in the order in which they were met. */
  leftOut: LeftOut[];
  /** Set when the crawl ended early. `failures`: the site failed to answer ten times in a row. */
  endedBy: 'pages' | 'bytes' | 'time' | 'cancelled' | 'failures' | undefined;
}
