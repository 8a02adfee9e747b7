import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { packageRoot } from '../src/platform/package-root.js';
import { launchBrowser } from '../test/browser/support/find-browser.js';
import { readHeap, roundsOf } from '../test/browser/support/heap.js';
import {
  openWidgetWorld,
  widgetOn,
  type WidgetWorld,
} from '../test/browser/support/widget-world.js';
import { median, round, type Measure, type Row } from './measure.js';

const visits = 20;
const rounds = 100;

/** What the widget costs a page: bytes to load, time of its main thread, and memory that stays. */
export async function measureWidget(): Promise<Measure> {
  const world = await openWidgetWorld();
  const browser = await launchBrowser();
  try {
    const seen: Visit[] = [];
    for (let n = 0; n < visits; n += 1) seen.push(await visit(browser, world));
    const heap = await measureHeap(browser, world);
    return {
      name: 'widget',
      about: `the script of the widget in a headless Chromium, ${visits} visits with an empty cache; bars: 30 ms of the main thread, no shift of the layout, no growth of the heap after ${rounds} rounds of init, open and destroy`,
      rows: [...(await sizes()), ...times(seen), ...heap],
    };
  } finally {
    await browser.close();
    await world.close();
  }
}

/** Milliseconds, but for the sum of layout shifts. */
interface Visit {
  evaluated: number;
  longestTask: number;
  visible: number;
  usable: number;
  shifts: number;
}

async function visit(browser: Browser, world: WidgetWorld): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-GB' });
  try {
    await context.addInitScript({ content: watching });
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const stopTracing = await trace(cdp);
    await page.goto(world.put('/', {}));
    await page.waitForFunction('window.measured.visible !== undefined');
    const { evaluated, longestTask } = await stopTracing();
    await widgetOn(page).launcher.click();
    await page.waitForFunction('window.measured.usable !== undefined');
    const { visible, usable, shifts } = await page.evaluate<Visit>('window.measured');
    return { evaluated, longestTask, visible, usable, shifts };
  } finally {
    await context.close();
  }
}

/*
 * Runs in the page. The button is visible once the frame after it was put there is painted; the panel is usable once its
 * composer has the focus and is painted. The script's own start is when the browser has loaded it.
 */
const watching = `(() => {
  const measured = (window.measured = { shifts: 0 });
  const painted = (note) => requestAnimationFrame(() => setTimeout(() => note(performance.now())));
  const started = () =>
    performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/assistant.js'))?.responseEnd ?? 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) measured.shifts += value;
  }).observe({ type: 'layout-shift', buffered: true });
  const observer = new MutationObserver(() => {
    const host = document.querySelector('assistant-widget');
    if (!host) return;
    observer.disconnect();
    painted((at) => (measured.visible = at - started()));
    host.addEventListener('click', ({ timeStamp }) => (measured.clicked ??= timeStamp), { capture: true });
    host.shadowRoot.addEventListener('focusin', ({ target }) => {
      if (target.localName === 'textarea') painted((at) => (measured.usable = at - measured.clicked));
    }, { capture: true });
  });
  observer.observe(document, { childList: true, subtree: true });
})();`;

interface TraceEvent {
  name: string;
  dur?: number;
  args?: { data?: { url?: string } };
}

/** Follows the main thread by the browser's own books: the script with its compilation, and the longest task at all. */
async function trace(cdp: CDPSession) {
  const events: TraceEvent[] = [];
  cdp.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  const complete = new Promise<void>((resolve) =>
    cdp.once('Tracing.tracingComplete', () => resolve()),
  );
  await cdp.send('Tracing.start', {
    traceConfig: { includedCategories: ['devtools.timeline', 'v8'] },
    transferMode: 'ReportEvents',
  });
  return async () => {
    await cdp.send('Tracing.end');
    await complete;
    const ofScript = events.filter(
      ({ name, args }) =>
        name === 'EvaluateScript' && args?.data?.url?.endsWith('/assistant.js') === true,
    );
    const longest = (some: TraceEvent[]) => Math.max(0, ...some.map(({ dur = 0 }) => dur / 1000));
    return {
      evaluated: longest(ofScript),
      longestTask: longest(
        events.filter(({ name }) => name === 'FunctionCall' || name === 'EvaluateScript'),
      ),
    };
  };
}

/** Of each script: what every page loads, and what comes with the panel. */
async function sizes(): Promise<Row[]> {
  const folder = join(packageRoot(), 'dist', 'widget', 'v1');
  const names = (await readdir(folder)).filter((name) => /\.js(\.gz|\.br)?$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({
      what: `bytes of ${name}`,
      median: (await readFile(join(folder, name))).length,
    })),
  );
}

function times(seen: Visit[]): Row[] {
  const row = (what: string, field: keyof Visit, bar?: number): Row => {
    const values = seen.map((one) => one[field]).sort((a, b) => a - b);
    return {
      what,
      median: round(median(values)),
      worst: round(values.at(-1) ?? Number.NaN),
      ...(bar === undefined ? {} : { bar }),
    };
  };
  return [
    row('script compiled and run, ms', 'evaluated', 30),
    row('longest script of the page until then, ms', 'longestTask', 30),
    row('loaded script to visible button, ms', 'visible'),
    row('click to usable panel, ms', 'usable'),
    row('layout shift', 'shifts', 0),
  ];
}

/** After as many rounds again, since the first ones fill the browser's own caches. */
async function measureHeap(browser: Browser, world: WidgetWorld): Promise<Row[]> {
  const context = await browser.newContext();
  try {
    const page: Page = await context.newPage();
    await page.goto(world.put('/', { attributes: { 'api-key': undefined } }));
    const config = { apiKey: world.key.key.key, theme: 'host' };
    await page.evaluate(roundsOf(20, config));
    const before = await readHeap(page);
    await page.evaluate(roundsOf(rounds, config));
    const after = await readHeap(page);
    return [
      {
        what: `heap, kB after ${rounds} rounds more`,
        median: round((after.bytes - before.bytes) / 1000),
      },
      { what: 'nodes, after the same', median: after.nodes - before.nodes, bar: 0 },
      { what: 'listeners, after the same', median: after.listeners - before.listeners, bar: 0 },
    ];
  } finally {
    await context.close();
  }
}
