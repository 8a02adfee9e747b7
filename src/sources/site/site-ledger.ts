import { mostRedirects } from './fetch-answer.js';
import { pageAddress, pageKey } from './page-address.js';
import type { Waiting } from './address-queue.js';
import type { CrawlReport, KnownPage, LeftOutReason, SitePage } from './site-page.js';
import type { Visit } from './visit-page.js';

export interface LedgerHooks {
  /** What earlier crawls know of the site; empty for the first one. */
  known: Iterable<KnownPage>;
  /** Takes a page. The crawl goes on when it is stored. Returns why it can't be stored, if so. */
  onPage: (page: SitePage) => Promise<string | undefined>;
  /** Keeps what is known of an address for the next crawl, once its page is stored. */
  remember: (known: KnownPage) => Promise<void>;
  now: () => Date;
}

/** Compares what a crawl finds with what is known of the site, and reports it. */
export interface SiteLedger {
  known: ReadonlyMap<string, KnownPage>;
  report: CrawlReport;
  /** Notes what an address brought. Returns the addresses that it leads to. */
  enter(item: Waiting, visit: Visit | { kind: 'fresh' }): Promise<Waiting[]>;
  leaveOut(address: string, reason: LeftOutReason, detail?: string): void;
}

/** The most listed addresses of a report. */
const mostListed = 1000;
/** A page with one of these reasons is no longer a page; with any other, it may be there again the next time. */
const lasting = new Set<LeftOutReason>(['not_found', 'noindex']);

export function createLedger(start: URL, hooks: LedgerHooks): SiteLedger {
  const known = new Map<string, KnownPage>();
  /** The page with each content. */
  const holders = new Map<string, string>();
  const moved = new Map<string, string>();
  for (const page of hooks.known) {
    const url = pageAddress(page.address);
    if (url === undefined) continue;
    known.set(pageKey(url), page);
    if (page.isPage && page.contentHash !== null) holders.set(page.contentHash, page.address);
  }
  const report: CrawlReport = {
    start: start.href,
    pages: { new: 0, changed: 0, unchanged: 0, gone: 0 },
    requests: 0,
    bytes: 0,
    counts: {},
    leftOut: [],
    endedBy: undefined,
  };

  function leaveOut(address: string, reason: LeftOutReason, detail?: string): void {
    report.counts[reason] = (report.counts[reason] ?? 0) + 1;
    if (report.leftOut.length >= mostListed) return;
    report.leftOut.push({ address, reason, ...(detail === undefined ? undefined : { detail }) });
  }

  /** Hands a page over. Returns false when it can't be stored. */
  async function bring(
    page: Partial<SitePage> & Pick<SitePage, 'address' | 'status'>,
  ): Promise<boolean> {
    const nothing = { bytes: null, contentType: null, title: null, etag: null, lastModified: null };
    const refusal = await hooks.onPage({ ...nothing, reason: undefined, ...page });
    if (refusal === undefined) report.pages[page.status]++;
    else leaveOut(page.address, 'refused', refusal);
    return refusal === undefined;
  }

  /** Notes that an address brought no page. */
  async function missPage(
    { url, depth, sitemapDate }: Waiting,
    before: KnownPage | undefined,
    reason: LeftOutReason,
    isForGood: boolean,
  ): Promise<void> {
    if (before?.isPage === true) {
      if (!isForGood) return;
      if (before.contentHash !== null) holders.delete(before.contentHash);
      await bring({ address: before.address, status: 'gone', reason });
    }
    const address = before?.address ?? url.href;
    const empty = { isPage: false, etag: null, lastModified: null, contentHash: null };
    await hooks.remember({ address, depth, sitemapDate, ...empty, checkedAt: hooks.now() });
  }

  async function enterPage(
    item: Waiting,
    before: KnownPage | undefined,
    visit: Extract<Visit, { kind: 'page' }>,
  ): Promise<void> {
    const { contentHash, etag, lastModified } = visit;
    // The address that its entries have stays, if only a final slash came or went.
    const address = before?.isPage === true ? before.address : visit.address.href;
    const holder = holders.get(contentHash);
    if (holder !== undefined && holder !== address) {
      leaveOut(item.url.href, 'duplicate', holder);
      await missPage(item, before, 'duplicate', true);
      return;
    }
    const { title, bytes, contentType } = visit;
    const isSame = before?.isPage === true && before.contentHash === contentHash;
    if (isSame) await bring({ address, status: 'unchanged', title });
    else {
      const status = before?.isPage === true ? 'changed' : 'new';
      const page = { address, status, title, bytes, contentType, etag, lastModified } as const;
      if (!(await bring(page))) {
        await missPage(item, before, 'refused', false);
        return;
      }
    }
    holders.set(contentHash, address);
    const { depth, sitemapDate } = item;
    const facts = { address, depth, sitemapDate, isPage: true, etag, lastModified, contentHash };
    await hooks.remember({ ...facts, checkedAt: hooks.now() });
  }

  /** True when redirects lead from `to` back to an address. */
  function isCircle(from: string, to: string): boolean {
    let next: string | undefined = to;
    for (let hops = 0; next !== undefined && hops <= moved.size; hops++) {
      if (next === from) return true;
      next = moved.get(next);
    }
    return false;
  }

  return {
    known,
    report,
    leaveOut,
    async enter(item, visit) {
      const { url, depth } = item;
      const key = pageKey(url);
      const before = known.get(key);
      const follow = (links: readonly URL[]) =>
        links.map((link) => ({ url: link, depth: depth + 1, redirects: 0, sitemapDate: null }));
      if (visit.kind === 'fresh' || visit.kind === 'unchanged') {
        if (before === undefined) return [];
        await bring({ address: before.address, status: 'unchanged' });
        if (visit.kind === 'fresh') return [];
        const sitemapDate = item.sitemapDate ?? before.sitemapDate;
        await hooks.remember({ ...before, sitemapDate, checkedAt: hooks.now() });
        return [];
      }
      if (visit.kind === 'page') {
        await enterPage(item, before, visit);
        return follow(visit.links);
      }
      if (visit.kind === 'left_out') {
        const { reason, detail, links } = visit;
        leaveOut(url.href, reason, detail);
        await missPage(item, before, reason, lasting.has(reason));
        return follow(links);
      }
      const { to, reason, isForGood } = visit;
      if (reason === 'canonical') leaveOut(url.href, 'canonical', to.href);
      await missPage(item, before, reason, isForGood);
      moved.set(key, pageKey(to));
      if (item.redirects >= mostRedirects || isCircle(key, pageKey(to))) {
        if (reason === 'redirects') leaveOut(url.href, 'redirects', to.href);
        return [];
      }
      return [{ url: to, depth, redirects: item.redirects + 1, sitemapDate: null }];
    },
  };
}
