import { crawlSite } from '../src/sources/site/crawl-site.js';
import { defaultCrawlOptions, type KnownPage } from '../src/sources/site/site-page.js';
import { observe } from './event-loop.js';
import { round, type Measure, type Row } from './measure.js';
import { startDocumentationSite } from './server-process.js';

const kinds = {
  map: 'dates in the site map',
  etag: 'ETags',
  none: 'neither',
} as const;
const sampleMs = 20;

/** What reading a documentation site of 2,000 pages takes without a pause between requests, and reading it again. */
export async function measureSite(): Promise<Measure> {
  const rows: Row[] = [];
  // The first crawl compiles the code and loads packages.
  await crawlBoth('none', 200);
  for (const kind of ['map', 'etag', 'none'] as const) rows.push(...(await crawlBoth(kind, 2000)));
  return {
    name: 'site',
    about:
      'a documentation site of 2,000 pages of 20 kB on loopback, served by a process of its own, read without a pause between requests, nothing stored; and read again without a change. A whole run stores each page as drafts too, so that its first takes some 20 times as long. MB more: resident memory over that before, sampled. Event loop: delay of the reading process in ms. CPU: of the reading process, which the load of the machine hardly changes. Target: again in under a tenth of the first time, where the site tells what has changed by dates in its map',
    rows,
  };
}

async function crawlBoth(kind: keyof typeof kinds, mostPages: number): Promise<Row[]> {
  const server = await startDocumentationSite(kind);
  try {
    const known = new Map<string, KnownPage>();
    const once = async (run: string) => {
      globalThis.gc?.();
      const before = process.memoryUsage().rss;
      const cpu = process.cpuUsage();
      let most = before;
      const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), sampleMs);
      let requests = 0;
      let bytes = 0;
      let pages = 0;
      const seen = await observe(async () => {
        const options = {
          ...defaultCrawlOptions,
          mostPages,
          requestsPerSecond: 1_000_000,
          userAgent: 'Assistant/1.0',
          allowPrivate: true,
        };
        const report = await crawlSite(`${server.url}/docs/`, options, {
          known: [...known.values()],
          now: () => new Date(),
          signal: new AbortController().signal,
          onPage: () => Promise.resolve(undefined),
          remember(page) {
            known.set(page.address, page);
            return Promise.resolve();
          },
        });
        ({ requests, bytes } = report);
        pages = report.pages.new + report.pages.unchanged;
      });
      clearInterval(timer);
      const { user, system } = process.cpuUsage(cpu);
      const cpuSeconds = (user + system) / 1e6;
      const received = round(bytes / 1e6);
      const more = Math.round((most - before) / 2 ** 20);
      const { seconds, p99 } = seen;
      return {
        'the site has': kinds[kind],
        run,
        pages,
        seconds,
        cpuSeconds,
        requests,
        received,
        more,
        p99,
      };
    };
    const first = await once('first');
    const again = await once('again');
    return [first, again].map(({ cpuSeconds, received, more, p99, ...row }) => ({
      ...row,
      'MB received': received,
      'MB more': more,
      'event loop p99': p99,
      'of first': round(row.seconds / first.seconds),
      'CPU s': round(cpuSeconds),
      'CPU of first': round(cpuSeconds / first.cpuSeconds),
    }));
  } finally {
    await server.stop();
  }
}
