import { setImmediate as breathe } from 'node:timers/promises';
import { AppError } from '../../platform/errors.js';
import type { pause } from '../../platform/retry.js';
import { createQueue, type Waiting } from './address-queue.js';
import {
  type Answer,
  type AnswerTimer,
  connectToSite,
  mostAtOnce,
  mostRedirects,
  redirectOf,
  type SiteConnection,
} from './fetch-answer.js';
import { pageAddress, pageKey, siteScope } from './page-address.js';
import { readRobots, type RobotRules } from './read-robots.js';
import { type MappedPage, readSitemaps } from './read-sitemaps.js';
import { createLedger, type LedgerHooks, type SiteLedger } from './site-ledger.js';
import { createRenderer, type PageRenderer } from './render-page.js';
import type { CrawlOptions, CrawlReport, KnownPage } from './site-page.js';
import { startAddress, visitPage, type SiteVisit, type Visit } from './visit-page.js';

export interface CrawlHooks extends LedgerHooks {
  onProgress?: (visited: number, waiting: number) => void;
  signal: AbortSignal;
  /** Replaced in tests. */
  pause?: typeof pause;
  /** The time limit of one answer. Replaced in tests. */
  timeout?: AnswerTimer;
}

/** After as many failures in a row, a site is down. */
const mostFailures = 10;
/** In bytes: of one script, or one answer to it. */
const mostScriptBytes = 10 * 1024 * 1024;

/**
 * Reads a site page by page: those of its map first, then those that pages link to, the nearest to the start first.
 * Honours robots.txt, and asks for one page at a time, or for several that it knows. Errors: `invalid_request` for an address that can't be crawled;
 * `unprocessable` when already the start address can't be read.
 */
export async function crawlSite(
  written: string,
  options: CrawlOptions,
  hooks: CrawlHooks,
): Promise<CrawlReport> {
  const start = startAddress(written);
  if (start === undefined) {
    const sentence = `${written.slice(0, 200)} is no address of a website. Write it as in https://docs.example.com/guide/.`;
    throw new AppError('invalid_request', sentence);
  }
  const over = new AbortController();
  const signal = AbortSignal.any([hooks.signal, over.signal]);
  const timeout: AnswerTimer = (isOver) => {
    const timer = setTimeout(isOver, options.pageTimeoutMs);
    return () => clearTimeout(timer);
  };
  const connection = await connectToSite({ timeout, ...options, ...hooks, signal });
  let renderer: PageRenderer | undefined;
  try {
    const opened = await openSite(connection, start, options);
    if (options.browser !== '') {
      const ask = (url: URL, accept: string | undefined) =>
        askForScripts(connection, opened, url, accept);
      renderer = createRenderer({ ...options, signal: hooks.signal, ask });
    }
    return await crawl(connection, opened, renderer, options, hooks);
  } finally {
    // Ends what is still asked for when the crawl ends early.
    over.abort();
    await renderer?.close();
    await connection.close();
  }
}

interface OpenedSite {
  start: URL;
  robots: RobotRules;
}

/** Finds where a site is: many lead from http to https, and from one name to the same with `www.`. */
async function openSite(
  connection: SiteConnection,
  written: URL,
  { userAgent }: CrawlOptions,
): Promise<OpenedSite> {
  let start = written;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const robots = await readRobots(connection, start.origin, userAgent);
    if (robots.failure !== undefined) {
      const sentence = `The robots.txt of ${start.origin} can’t be read: ${robots.failure}.`;
      throw unreadable(sentence);
    }
    if (!robots.allows(start)) {
      const sentence = `The robots.txt of ${start.origin} does not let programs read ${start.href}.`;
      throw unreadable(sentence);
    }
    const answer = await connection.ask(start, { mostBytes: 1024, cut: true });
    if (answer.failure !== undefined) {
      const sentence = `${start.href} can’t be read: ${answer.detail}.`;
      throw unreadable(sentence);
    }
    const target = redirectOf(answer, start);
    if (target === undefined) {
      const { status } = answer;
      if (status === 200) return { start, robots };
      const why = status === 401 || status === 403 ? ': it asks for a sign-in' : '';
      throw unreadable(`${start.href} answers ${status}${why}.`);
    }
    if (target.origin === start.origin) return { start, robots };
    if (bareHost(target) !== bareHost(start)) {
      const sentence = `${start.href} leads to ${target.origin}${target.pathname}. If that is the site, name its address.`;
      throw unreadable(sentence);
    }
    start = target;
  }
  throw unreadable(`${written.href} redirects without an end.`);
}

function unreadable(sentence: string): AppError {
  return new AppError('unprocessable', sentence, { reason: { is: 'site_unreadable' } });
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^www\./, '');
}

/** Asks for what a page loads in a browser; of the site itself, only for what robots.txt allows. */
function askForScripts(
  connection: SiteConnection,
  { start, robots }: OpenedSite,
  url: URL,
  accept = '*/*',
): Promise<Answer> {
  if (url.origin === start.origin && !robots.allows(url)) {
    return Promise.resolve({ failure: 'robots', detail: url.pathname });
  }
  return connection.ask(url, { mostBytes: mostScriptBytes, headers: { accept } });
}

async function crawl(
  connection: SiteConnection,
  { start, robots }: OpenedSite,
  renderer: PageRenderer | undefined,
  options: CrawlOptions,
  hooks: CrawlHooks,
): Promise<CrawlReport> {
  const scope = siteScope(start, options);
  const visit: SiteVisit = {
    connection,
    scope,
    allows: (url) => robots.allows(url),
    robotName: robotNameOf(options.userAgent),
    mostPageBytes: options.mostPageBytes,
    render: renderer?.render,
  };
  const ledger = createLedger(start, hooks);
  const { known, report } = ledger;
  // What is known comes first: only then is it certain which pages are new, and which have moved.
  const queue = createQueue(options.depth, (key) => known.get(key)?.isPage === true);
  const add = (item: Waiting) => {
    if (scope.includes(item.url) && !queue.add(item)) ledger.leaveOut(item.url.href, 'query');
  };
  const endsAt = performance.now() + options.mostMs;
  let failures = 0;
  const reasonToEnd = (): CrawlReport['endedBy'] => {
    if (connection.bytes() > options.mostBytes) return 'bytes';
    if (performance.now() > endsAt) return 'time';
    return failures >= mostFailures ? 'failures' : undefined;
  };
  try {
    add({ url: start, depth: 0, redirects: 0, sitemapDate: null });
    const isOver = () => reasonToEnd() !== undefined;
    for (const { url, date } of await readMaps(visit, start, robots, { ...options, isOver })) {
      add({ url: scope.ownScheme(url), depth: 1, redirects: 0, sitemapDate: date });
    }
    // The links of a page that is unchanged are not read again. They lead to addresses that are known.
    for (const { address, depth } of known.values()) {
      const url = pageAddress(address);
      if (url !== undefined) add({ url, depth, redirects: 0, sitemapDate: null });
    }
    /** Visits under way, in the order of the queue, in which they are entered too. */
    const visits: { item: Waiting; found: Promise<Visit | { kind: 'fresh' }> }[] = [];
    let begun = 0;
    const beginVisits = () => {
      while (visits.length < mostAtOnce && begun < options.mostPages) {
        const item = queue.take(visits.length > 0);
        if (item === undefined) return;
        const before = known.get(pageKey(item.url));
        const found = isFresh(item, before, options, hooks.now())
          ? Promise.resolve({ kind: 'fresh' as const })
          : visitPage(visit, item.url, before);
        // Nothing waits for it when the crawl ends before its turn.
        found.catch(() => undefined);
        visits.push({ item, found });
        begun++;
      }
    };
    const left: Waiting[] = [];
    for (let visited = 0; ;) {
      hooks.signal.throwIfAborted();
      beginVisits();
      const next = visits.shift();
      if (next !== undefined) report.endedBy = reasonToEnd();
      else if (queue.size() > 0) report.endedBy = 'pages';
      if (report.endedBy !== undefined) {
        if (next !== undefined) left.push(next.item);
        left.push(...visits.map(({ item }) => item));
        for (let item = queue.take(); item !== undefined; item = queue.take()) left.push(item);
      }
      if (next === undefined || report.endedBy !== undefined) break;
      const { item } = next;
      const found = await next.found;
      failures = isFailure(found) ? failures + 1 : 0;
      const entered = (await findInCircle(visit, ledger, item, found)) ?? ([item, found] as const);
      for (const link of await ledger.enter(...entered)) add(link);
      visited++;
      // Of pages that are not asked for, thousands would come in one go.
      if (found.kind === 'fresh') await breathe();
      hooks.onProgress?.(visited, queue.size() + visits.length);
    }
    await ledger.close(left.slice(0, options.mostPages));
  } catch (error) {
    if (!hooks.signal.aborted) throw error;
    report.endedBy = 'cancelled';
  }
  report.requests = connection.requests();
  report.bytes = connection.bytes();
  return report;
}

/** The page of a circle that would end because it calls an address its own that leads back to it. */
async function findInCircle(
  visit: SiteVisit,
  { isCircle }: SiteLedger,
  item: Waiting,
  found: Visit | { kind: 'fresh' },
): Promise<[Waiting, Visit] | undefined> {
  if (found.kind !== 'moved' || !isCircle(pageKey(item.url), pageKey(found.to))) return undefined;
  const url = found.reason === 'canonical' ? item.url : found.to;
  const page = await visitPage({ ...visit, inPlace: true }, url, undefined);
  return page.kind === 'page' ? [{ ...item, url }, page] : undefined;
}

/** The pages of the maps that robots.txt names, else of the one at the usual place. */
async function readMaps(
  { connection, scope }: SiteVisit,
  start: URL,
  robots: RobotRules,
  limits: { mostPages: number; isOver: () => boolean },
): Promise<MappedPage[]> {
  const named = robots.sitemaps.flatMap((address) => pageAddress(address, start) ?? []);
  const maps = named.length === 0 ? [new URL('/sitemap.xml', start)] : named;
  return readSitemaps(maps, {
    ...limits,
    connection,
    // robots.txt may name maps on other hosts. What a map names on other hosts is not asked for.
    allows: (url) =>
      scope.isSameSite(url) ? robots.allows(url) : maps.some(({ href }) => href === url.href),
    wants: (url) => scope.includes(scope.ownScheme(url)),
  });
}

/** True when the site map says that a page is as it was when it was last read, which was not long ago. */
function isFresh(
  { sitemapDate }: Waiting,
  known: KnownPage | undefined,
  { trustSitemapMs }: CrawlOptions,
  now: Date,
): boolean {
  if (known?.isPage !== true || sitemapDate === null || known.sitemapDate !== sitemapDate)
    return false;
  // A date without a time can be any moment of its day.
  const changedBy = Date.parse(sitemapDate) + (sitemapDate.length <= 10 ? 86_400_000 : 0);
  const checkedAt = known.checkedAt.getTime();
  return checkedAt >= changedBy && now.getTime() - checkedAt < trustSitemapMs;
}

/** True when the site itself failed, not only a page. */
function isFailure(found: Visit | { kind: 'fresh' }): boolean {
  if (found.kind !== 'left_out') return false;
  const { reason, detail = '' } = found;
  const isStatus = reason === 'http_status' && /^(429|5\d\d)$/.test(detail);
  return isStatus || reason === 'unreachable' || reason === 'timeout';
}

/** The name in `Assistant/1.0 (…)`, by which robots.txt and pages address the robot. */
function robotNameOf(userAgent: string): string {
  return userAgent.replace(/[\s/].*$/s, '').toLowerCase();
}
