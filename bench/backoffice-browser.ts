import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../test/browser/support/find-browser.js';

/** What a browser sees of a page. */
export interface Seen {
  /** The sum of what moved without an input. */
  shift: number;
  /** Milliseconds of the longest task of the page's main thread, by the clock and by its processor time. */
  task: number;
  taskCpu: number;
}

interface Visit {
  url: string;
  cookies: ReadonlyMap<string, string>;
}

const watchShifts = `window.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** From a key to the painted frame in which the next draft has the focus. */
const watchDrafts = `window.drafts = [];
  let pressed;
  addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), { capture: true });
  addEventListener('focusin', () => {
    const from = pressed;
    pressed = undefined;
    if (from !== undefined)
      requestAnimationFrame(() => setTimeout(() => window.drafts.push(performance.now() - from)));
  }, { capture: true });`;

/** Opens each page in a browser, the style sheet and the script in its cache. */
export async function seePages(
  { url, cookies }: Visit,
  paths: readonly string[],
): Promise<Map<string, Seen>> {
  return withPage({ url, cookies }, async (page, cdp) => {
    await page.addInitScript({ content: watchShifts });
    await page.goto(url + (paths[0] ?? '/backoffice/'));
    const seen = new Map<string, Seen>();
    for (const path of paths) {
      const stopTracing = await traceTasks(cdp);
      await page.goto(url + path, { waitUntil: 'load' });
      // What moves late moves after the script has done its work.
      await page.evaluate(
        'new Promise((done) => requestIdleCallback(() => setTimeout(done, 100)))',
      );
      seen.set(path, {
        shift: await page.evaluate<number>('window.shift'),
        ...(await stopTracing()),
      });
    }
    return seen;
  });
}

/** Milliseconds from a key that accepts a draft until the next one is painted, as many times. */
export async function timeDrafts(visit: Visit, path: string, times: number): Promise<number[]> {
  return withPage(visit, async (page) => {
    await page.addInitScript({ content: watchDrafts });
    await page.goto(visit.url + path, { waitUntil: 'load' });
    for (let n = 1; n <= times; n += 1) {
      await page.keyboard.press('a');
      // As a function: the pages' policy runs no text.
      const isNext = (n: number) => (globalThis as unknown as { drafts: [] }).drafts.length === n;
      await page.waitForFunction(isNext, n, { timeout: 10_000 });
    }
    return page.evaluate<number[]>('window.drafts');
  });
}

async function withPage<T>(
  { url, cookies }: Visit,
  use: (page: Page, cdp: CDPSession) => Promise<T>,
): Promise<T> {
  const browser: Browser = await launchBrowser();
  try {
    const context = await browser.newContext({ locale: 'en-GB' });
    await context.addCookies(
      [...cookies].map(([name, value]) => ({ name, value, url: `${url}/backoffice/` })),
    );
    const page = await context.newPage();
    return await use(page, await context.newCDPSession(page));
  } finally {
    await browser.close();
  }
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Follows the tasks of the page's main thread by the browser's own books. */
async function traceTasks(cdp: CDPSession) {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown[] }) => void events.push(...(value as TraceEvent[]));
  cdp.on('Tracing.dataCollected', collect);
  const complete = new Promise<void>((resolve) =>
    cdp.once('Tracing.tracingComplete', () => resolve()),
  );
  await cdp.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
    transferMode: 'ReportEvents',
  });
  return async () => {
    await cdp.send('Tracing.end');
    await complete;
    cdp.off('Tracing.dataCollected', collect);
    const main = new Set(
      events
        .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    );
    const tasks = events.filter(
      ({ name, pid, tid }) => name.endsWith('RunTask') && main.has(`${pid} ${tid}`),
    );
    const longest = (of: 'dur' | 'tdur') =>
      Math.max(0, ...tasks.map((one) => (one[of] ?? 0) / 1000));
    return { task: longest('dur'), taskCpu: longest('tdur') };
  };
}
