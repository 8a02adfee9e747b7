import { mostRedirects } from './fetch-answer.js';
import { pageAddress, pageKey } from './page-address.js';
import type { Waiting } from './address-queue.js';
import type { CrawlReport, KnownPage, LeftOut, LeftOutReason, SitePage } from './site-page.js';
import type { Visit } from './visit-page.js';

export interface LedgerHooks {
  /** What earlier crawls know of the site; empty for the first one. */
  known: Iterable<KnownPage>;
  /** Takes a page. The crawl goes on when it is stored. Returns why it is left out, if so. */
  onPage: (page: SitePage) => Promise<Omit<LeftOut, 'address'> | undefined>;
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
  /** True when redirects lead from `to` back to an address, both by their keys. */
  isCircle: (from: string, to: string) => boolean;
  leaveOut(address: string, reason: LeftOutReason, detail?: string): void;
  /**
   * Call it at the end, with addresses that were not visited: the next crawl tries them. Lost pages that are at no other
   * address are gone, which is certain once all was visited.
   */
  close(left: readonly Waiting[]): Promise<void>;
}

/** The most listed addresses of a report. */
const mostListed = 1000;
/** A page with one of these reasons is no longer a page; with any other, it may be there again the next time. */
const lasting = new Set<LeftOutReason>(['not_found', 'noindex']);
/** In milliseconds: a page that was not found for so long is gone, even if no crawl reads all of the site. */
const mostLostMs = 14 * 86_400_000;
/** What is kept of an address without a page. */
const noPage = {
  isPage: false,
  etag: null,
  lastModified: null,
  bodyHash: null,
  contentHash: null,
  textHash: null,
};

export function createLedger(start: URL, hooks: LedgerHooks): SiteLedger {
  const known = new Map<string, KnownPage>();
  /** The page with each content. */
  const holders = new Map<string, string>();
  const redirects = new Map<string, string>();
  /** Pages that the site has moved for good, by the keys of the addresses that it leads to. */
  const leaving = new Map<string, KnownPage>();
  /** Pages that are no longer there, by their texts: they may be at another address. */
  const lost = new Map<string, KnownPage>();
  /** What is reported of them unless they turn up. */
  const missed = new Map<KnownPage, LeftOut>();
  for (const page of hooks.known) {
    const url = pageAddress(page.address);
    if (url === undefined) continue;
    known.set(pageKey(url), page);
    if (page.isPage && page.contentHash !== null) holders.set(page.contentHash, page.address);
  }
  const report: CrawlReport = {
    start: start.href,
    pages: { new: 0, changed: 0, moved: 0, unchanged: 0, gone: 0 },
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
    const nothing = { bytes: null, contentType: null, title: null, movedFrom: null };
    const refusal = await hooks.onPage({ ...nothing, reason: undefined, ...page });
    if (refusal === undefined) report.pages[page.status]++;
    else leaveOut(page.address, refusal.reason, refusal.detail);
    return refusal === undefined;
  }

  async function endPage(page: KnownPage, reason: LeftOutReason): Promise<void> {
    if (page.contentHash !== null) holders.delete(page.contentHash);
    await bring({ address: page.address, status: 'gone', reason });
    await hooks.remember({ ...page, ...noPage, checkedAt: hooks.now() });
  }

  /** Ends a page, unless its text may be found at another address. */
  async function losePage(page: KnownPage, reason: LeftOutReason): Promise<void> {
    const { textHash } = page;
    if (reason !== 'not_found' || textHash === null || lost.has(textHash)) {
      await endPage(page, reason);
    } else lost.set(textHash, page);
  }

  /** Notes that an address brought no page. */
  async function missPage(
    { url, depth, sitemapDate }: Waiting,
    before: KnownPage | undefined,
    reason: LeftOutReason,
    isForGood: boolean,
  ): Promise<void> {
    const key = pageKey(url);
    const arriving = leaving.get(key);
    if (arriving !== undefined && isForGood) {
      leaving.delete(key);
      await losePage(arriving, reason);
    }
    if (before?.isPage !== true) {
      const address = before?.address ?? url.href;
      await hooks.remember({ address, depth, sitemapDate, ...noPage, checkedAt: hooks.now() });
    } else if (isForGood) await losePage(before, reason);
  }

  /** Notes that the site leads from an address to another one for good. */
  async function movePage(
    item: Waiting,
    before: KnownPage | undefined,
    target: string,
    reason: LeftOutReason,
  ): Promise<void> {
    const key = pageKey(item.url);
    const page = before?.isPage === true ? before : leaving.get(key);
    leaving.delete(key);
    if (before?.isPage !== true) await missPage(item, before, reason, true);
    // A circle is a fault of the site.
    if (page === undefined || known.get(target) === page) return;
    // Two pages that become one are no page that has moved.
    const isTaken = known.get(target)?.isPage === true || leaving.has(target);
    if (isTaken) await endPage(page, reason);
    else leaving.set(target, page);
  }

  async function enterPage(
    item: Waiting,
    before: KnownPage | undefined,
    visit: Extract<Visit, { kind: 'page' }>,
  ): Promise<void> {
    const { contentHash, textHash, bodyHash, validators, title } = visit;
    const key = pageKey(item.url);
    const address = visit.address.href;
    const earlier =
      before?.isPage === true ? before : (leaving.get(key) ?? lost.get(textHash ?? ''));
    const holder = holders.get(contentHash);
    if (holder !== undefined && holder !== address && holder !== earlier?.address) {
      leaveOut(item.url.href, 'duplicate', holder);
      await missPage(item, before, 'duplicate', true);
      return;
    }
    const isMoved = earlier !== undefined && earlier.address !== address;
    const isSame = earlier?.contentHash === contentHash;
    const status = isMoved ? 'moved' : isSame ? 'unchanged' : earlier ? 'changed' : 'new';
    const movedFrom = isMoved ? earlier.address : null;
    const { bytes, contentType } = visit;
    const text = isSame ? undefined : { bytes, contentType };
    if (!(await bring({ address, status, title, movedFrom, ...text }))) {
      await missPage(item, before, 'refused', false);
      return;
    }
    leaving.delete(key);
    if (earlier !== undefined && lost.get(textHash ?? '') === earlier) lost.delete(textHash ?? '');
    holders.delete(earlier?.contentHash ?? '');
    holders.set(contentHash, address);
    const { depth, sitemapDate } = item;
    const facts = { address, depth, sitemapDate, isPage: true, bodyHash, contentHash, textHash };
    await hooks.remember({ ...facts, ...validators, checkedAt: hooks.now() });
  }

  /** Notes a page that the site, its map or its bytes say is unchanged. */
  async function keepPage(
    { sitemapDate }: Waiting,
    before: KnownPage,
    visit: Extract<Visit, { kind: 'unchanged' }> | undefined,
  ): Promise<void> {
    const address = visit?.address.href ?? before.address;
    const isMoved = address !== before.address;
    const status = isMoved ? 'moved' : 'unchanged';
    await bring({ address, status, movedFrom: isMoved ? before.address : null });
    if (visit === undefined) return;
    const found = { address, sitemapDate: sitemapDate ?? before.sitemapDate, ...visit.validators };
    await hooks.remember({ ...before, ...found, checkedAt: hooks.now() });
  }

  function isCircle(from: string, to: string): boolean {
    let next: string | undefined = to;
    for (let hops = 0; next !== undefined && hops <= redirects.size; hops++) {
      if (next === from) return true;
      next = redirects.get(next);
    }
    return false;
  }

  return {
    known,
    report,
    isCircle,
    leaveOut,
    async enter(item, visit) {
      const { url, depth } = item;
      const key = pageKey(url);
      const before = known.get(key);
      const follow = (links: readonly URL[]) =>
        links.map((link) => ({ url: link, depth: depth + 1, redirects: 0, sitemapDate: null }));
      if (visit.kind === 'fresh' || visit.kind === 'unchanged') {
        const answer = visit.kind === 'fresh' ? undefined : visit;
        if (before !== undefined) await keepPage(item, before, answer);
        return [];
      }
      if (visit.kind === 'page') {
        await enterPage(item, before, visit);
        return follow(visit.links);
      }
      if (visit.kind === 'left_out') {
        const { reason, detail, links } = visit;
        await missPage(item, before, reason, lasting.has(reason));
        if (before !== undefined && lost.get(before.textHash ?? '') === before) {
          missed.set(before, { address: url.href, reason, ...(detail && { detail }) });
        } else leaveOut(url.href, reason, detail);
        return follow(links);
      }
      const { to, reason, isForGood } = visit;
      const target = pageKey(to);
      if (reason === 'canonical') leaveOut(url.href, 'canonical', to.href);
      if (isForGood) await movePage(item, before, target, reason);
      else await missPage(item, before, reason, false);
      redirects.set(key, target);
      if (item.redirects >= mostRedirects || isCircle(key, target)) {
        if (reason === 'redirects') leaveOut(url.href, 'redirects', to.href);
        return [];
      }
      return [{ url: to, depth, redirects: item.redirects + 1, sitemapDate: null }];
    },
    async close(left) {
      for (const { url, depth, sitemapDate } of left) {
        if (known.has(pageKey(url))) continue;
        const { href: address } = url;
        await hooks.remember({ address, depth, sitemapDate, ...noPage, checkedAt: hooks.now() });
      }
      for (const page of lost.values()) {
        const { address = '', reason, detail } = missed.get(page) ?? {};
        if (reason !== undefined) leaveOut(address, reason, detail);
        const lostMs = hooks.now().getTime() - page.checkedAt.getTime();
        if (left.length === 0 || lostMs > mostLostMs) await endPage(page, 'not_found');
      }
    },
  };
}
