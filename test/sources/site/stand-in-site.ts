import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa, { type Context } from 'koa';
import { crawlSite, type CrawlHooks } from '../../../src/sources/site/crawl-site.js';
import {
  defaultCrawlOptions,
  type CrawlOptions,
  type CrawlReport,
  type KnownPage,
  type SitePage,
} from '../../../src/sources/site/site-page.js';

export interface StandInPage {
  body?: string | Uint8Array;
  status?: number;
  headers?: Record<string, string>;
}

type Answering = string | StandInPage | ((ctx: Context) => void | Promise<void>);

export interface StandInSite {
  /** Ends with a slash. */
  url: string;
  port: number;
  /** By path and query; change it between two crawls. */
  pages: Record<string, Answering>;
  asked: { path: string; headers: IncomingHttpHeaders }[];
  /** The asked paths, without robots.txt and site map. */
  paths(): string[];
  close(): Promise<void>;
}

/** A website on loopback. It answers 404 for all that is not in `pages`; a page with an ETag may be unchanged. */
export async function startSite(pages: Record<string, Answering>): Promise<StandInSite> {
  const asked: StandInSite['asked'] = [];
  const koa = new Koa();
  koa.silent = true;
  koa.use(async (ctx) => {
    asked.push({ path: ctx.url, headers: ctx.req.headers });
    const page = site.pages[ctx.url];
    if (typeof page === 'function') return page(ctx);
    if (page === undefined) return;
    const { body, status = 200, headers = {} } = typeof page === 'string' ? { body: page } : page;
    ctx.status = status;
    ctx.set({ 'content-type': 'text/html; charset=utf-8', ...headers });
    const isSame =
      (headers['etag'] ?? '-') === ctx.get('if-none-match') ||
      (headers['last-modified'] ?? '-') === ctx.get('if-modified-since');
    if (isSame) ctx.status = 304;
    else ctx.body = typeof body === 'string' ? body : body === undefined ? '' : Buffer.from(body);
  });
  const handle = koa.callback();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const site: StandInSite = {
    url: `http://127.0.0.1:${port}/`,
    port,
    pages,
    asked,
    paths: () =>
      asked.map(({ path }) => path).filter((path) => !/^\/(robots\.txt|sitemap\.xml)$/.test(path)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return site;
}

/** A page of some text with links. */
export function page(title: string, ...links: string[]): string {
  const list = links.map((link) => `<a href="${link}">${link}</a>`).join(' ');
  return `<!doctype html><title>${title}</title><h1>${title}</h1><p>${title} is described here in words.</p>${list}`;
}

export interface Crawl {
  report: CrawlReport;
  pages: SitePage[];
  /** Status and path of each page. */
  brought: string[];
  /** Reason and path of each address without a page. */
  leftOut: string[];
  known: KnownPage[];
  /** The pauses that the crawl made, in milliseconds. */
  pauses: number[];
}

export interface CrawlSetting extends Partial<CrawlOptions>, Partial<Pick<CrawlHooks, 'signal'>> {
  known?: readonly KnownPage[];
  now?: Date;
  timeout?: CrawlHooks['timeout'];
  /** Called with each page that is brought. Returns why it can't be stored, if so. */
  onPage?: (page: SitePage) => string | undefined;
}

/** Crawls without waiting, and keeps what is known of the site. */
export async function crawl(address: string, setting: CrawlSetting = {}): Promise<Crawl> {
  const { known: before = [], signal, now, timeout, onPage, ...options } = setting;
  const known = new Map(before.map((one) => [one.address, one]));
  const pages: SitePage[] = [];
  const pauses: number[] = [];
  const report = await crawlSite(
    address,
    {
      ...defaultCrawlOptions,
      requestsPerSecond: 100_000,
      userAgent: 'Assistant/1.0 (+https://assistant.example)',
      allowPrivate: true,
      ...options,
    },
    {
      known: before,
      signal: signal ?? new AbortController().signal,
      now: () => now ?? new Date(),
      pause: (ms) => {
        pauses.push(Math.round(ms));
        return Promise.resolve();
      },
      ...(timeout && { timeout }),
      onPage(one) {
        pages.push(one);
        if (one.status === 'gone') known.delete(one.address);
        if (one.movedFrom !== null) known.delete(one.movedFrom);
        const detail = onPage?.(one);
        return Promise.resolve(detail === undefined ? undefined : { reason: 'refused', detail });
      },
      remember(one) {
        known.set(one.address, one);
        return Promise.resolve();
      },
    },
  );
  const path = (text: string) => text.replace(/^https?:\/\/[^/]+/, '');
  return {
    report,
    pages,
    brought: pages.map(({ status, address }) => `${status} ${path(address)}`),
    leftOut: report.leftOut.map(({ reason, address }) => `${reason} ${path(address)}`),
    known: [...known.values()],
    pauses,
  };
}
