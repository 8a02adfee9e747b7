import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { pages } from '../../src/backoffice/serve-backoffice.js';
import { pathsOf } from '../attack/over-pages.js';
import { accessibilityFaults } from '../browser/support/accessibility.js';
import { describeInBrowser, visiting } from '../browser/support/visiting.js';
import { openArena, type Arena } from '../properties/arena.js';
import { onSqlite } from '../support/test-app.js';

/** 1280 by 1024 pixels, magnified four times. */
const magnified = { width: 320, height: 256 };

/** The parts of the page that are cut off: wider than they show, without scrolling. */
const cutParts = `[...document.querySelectorAll('main *, header *, nav *')].filter((one) => {
  const style = getComputedStyle(one);
  const isCut = /hidden|clip/.test(style.overflowX) && one.scrollWidth > one.clientWidth + 1;
  // Text for screen readers only is a pixel wide.
  const isField = one.tagName === 'INPUT';
  return isCut && !isField && one.clientWidth > 1 && style.textOverflow !== 'ellipsis';
}).map((one) => one.outerHTML.slice(0, 120))`;

/** The fault in how the focused element is shown, or an empty text. */
const focusFault = `(() => {
  const one = document.activeElement;
  if (one === document.body) return 'end';
  const box = one.getBoundingClientRect();
  const name = one.outerHTML.slice(0, 120);
  const style = getComputedStyle(one);
  // A frame passes the focus on to its content.
  if (one.tagName === 'IFRAME') return '';
  if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) return name + ' has no outline';
  if (box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth) return name + ' is outside of the window';
  const x = Math.min(Math.max((box.left + Math.min(box.right, box.left + 40)) / 2, 1), innerWidth - 1);
  const y = Math.min(Math.max((Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2, 1), innerHeight - 1);
  const top = document.elementFromPoint(x, y);
  return top === null || one.contains(top) || top.contains(one) ? '' : name + ' is under ' + top.outerHTML.slice(0, 80);
})()`;

/** Records elements that move without an input, for `requireStill`. */
const watchShifts = `window.shifts = [];
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput)
      window.shifts.push(...one.sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? ''));
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Sends a form of the page with empty fields, without the browser's own checks. */
const sendEmpty = `((index) => {
  const form = document.querySelectorAll('main form[method=post]')[index];
  for (const field of form.querySelectorAll('input:not([type=hidden]), textarea')) field.value = '';
  HTMLFormElement.prototype.submit.call(form);
})`;

onSqlite(describeInBrowser)('Every page of the backoffice', () => {
  let arena: Arena;
  let paths: string[];
  before(async () => {
    arena = await openArena();
    const [own] = arena.world.sides;
    paths = [];
    for (const page of pages) {
      if (page.access === 'anyone' && page.path !== '/sign-in') continue;
      const path = await findPage(pathsOf(page, own.things, 20));
      if (path !== undefined) paths.push(path);
    }
    assert.ok(paths.length > 30, `${paths.length} pages`);
  });
  after(() => arena.close());

  const at = (path: string) => `${arena.url.replace('127.0.0.1', 'localhost')}/backoffice${path}`;

  const cookie = () => arena.callers.find(({ name }) => name === 'admin')?.cookie ?? '';

  /** The first address that shows a page, not a file, events or a download. */
  async function findPage(candidates: readonly string[]): Promise<string | undefined> {
    for (const path of candidates) {
      const headers = { cookie: `assistant=${cookie()}` };
      const wire = { method: 'GET', path: `/backoffice${path}`, headers };
      const answer = await arena.sender.send(wire);
      const isPage = String(answer.headers['content-type']).startsWith('text/html');
      if (answer.status === 200 && isPage) return path;
    }
    return undefined;
  }

  /** Visits every page as an admin, and fails with all faults. */
  function onEveryPage(
    options: BrowserContextOptions,
    look: (page: Page, faults: string[]) => Promise<void>,
  ) {
    return visiting(async ({ page, context, expectProblem }) => {
      // The generated documents contain no PDF to draw.
      expectProblem(/pdf|status of 4\d\d/i);
      const url = arena.url.replace('127.0.0.1', 'localhost');
      await context.addInitScript(watchShifts);
      await context.addCookies([{ name: 'assistant', value: cookie(), url }]);
      const found: string[] = [];
      for (const path of paths) {
        const faults: string[] = [];
        await page.goto(at(path));
        await look(page, faults);
        found.push(...faults.map((fault) => `${path}: ${fault}`));
      }
      assert.deepEqual(found, []);
    }, options);
  }

  async function inspect(page: Page, faults: string[]): Promise<void> {
    for (const fault of await accessibilityFaults(page, { whole: true })) {
      // In forced colours the browser chooses the colours, but axe reads those of the styles.
      const isForced = await page.evaluate("matchMedia('(forced-colors: active)').matches");
      if (isForced !== true || !fault.startsWith('color-contrast')) faults.push(fault);
    }
  }

  async function requireFit(page: Page, faults: string[]): Promise<void> {
    const isWide = 'document.documentElement.scrollWidth > innerWidth';
    if (await page.evaluate(isWide)) faults.push('scrolls sideways');
    for (const part of await page.evaluate<string[]>(cutParts)) faults.push(`cuts ${part}`);
  }

  async function requireStill(page: Page, faults: string[]): Promise<void> {
    // The widget appears in its preview as it does in pages.
    if (page.url().endsWith('/sites/preview')) return;
    for (const part of await page.evaluate<string[]>('window.shifts')) faults.push(`moves ${part}`);
  }

  // Each width is inspected in two looks. All looks must fit both.
  const looks: [string, number[], BrowserContextOptions][] = [
    ['light, in English', [1280, 320], { colorScheme: 'light' }],
    ['dark, in German', [320], { colorScheme: 'dark', locale: 'de-DE' }],
    ['in forced colours, in Spanish', [1280], { forcedColors: 'active', locale: 'es-ES' }],
  ];
  for (const [name, inspected, options] of looks) {
    it(
      `has no fault for axe-core at ${inspected.join(' and ')} pixels, and fits 320 and 1280, ${name}`,
      onEveryPage(options, async (page, faults) => {
        await requireStill(page, faults);
        for (const width of [1280, 320]) {
          await page.setViewportSize({ width, height: 800 });
          if (inspected.includes(width)) await inspect(page, faults);
          await requireFit(page, faults);
        }
      }),
    ).timeout(600_000);
  }

  it(
    'shows all its content and the keyboard focus at 400 % in forced colours',
    onEveryPage(
      { viewport: magnified, forcedColors: 'active', locale: 'de-DE' },
      async (page, faults) => {
        await requireStill(page, faults);
        await requireFit(page, faults);
        for (let stop = 0; stop < 60; stop += 1) {
          await page.keyboard.press('Tab');
          const fault = await page.evaluate<string>(focusFault);
          if (fault === 'end') break;
          if (fault !== '') faults.push(fault);
        }
      },
    ),
  ).timeout(600_000);

  it(
    'has no fault for axe-core, and fits, after a refused form',
    onEveryPage({ colorScheme: 'dark', locale: 'de-DE' }, async (page, faults) => {
      const address = page.url();
      const forms = await page.locator('main form[method=post]').count();
      for (let index = 0; index < forms; index += 1) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(address);
        const answered = page.waitForEvent('load');
        await page.evaluate(`${sendEmpty}(${index})`);
        await answered;
        await arena.store.restore(await arena.changes());
        if ((await page.locator('.fault').count()) === 0) continue;
        await inspect(page, faults);
        for (const width of [1280, 320]) {
          await page.setViewportSize({ width, height: 800 });
          await requireFit(page, faults);
        }
      }
    }),
  ).timeout(600_000);
});
