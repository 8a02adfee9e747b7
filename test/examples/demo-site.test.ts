import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describeInBrowser, visiting } from '../browser/support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from '../browser/support/widget-world.js';
import { textsOf } from '../../src/widget/browser/texts/panel-texts.js';
import { exampleHosts } from './example-hosts.js';
import type { RunningHost } from './start-host.js';

const languages = ['en', 'es', 'de'] as const;

describeInBrowser('The site of the demo', () => {
  let world: WidgetWorld;
  let host: RunningHost;
  before(async () => {
    world = await openWidgetWorld();
    const example = exampleHosts.find(({ name }) => name.endsWith('node-host'));
    assert.ok(example !== undefined);
    const settings = { service: world.test.url, key: world.key.key.key, secret: world.key.secret };
    host = await example.start('', settings);
  });
  after(async () => {
    await host.stop();
    await world.close();
  });

  const openIn = async (page: Page, language: string, width: number, height = 800) => {
    await page.setViewportSize({ width, height });
    await page.goto(`${host.url}?lang=${language}`);
  };

  it(
    'is no wider than its window, from phones on, in every language',
    visiting(async ({ page }) => {
      for (const language of languages) {
        for (const width of [320, 390, 768, 1280, 1920]) {
          await openIn(page, language, width);
          const beyond = await page.evaluate<number>(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          assert.equal(beyond, 0, `${language} at ${width} px`);
        }
      }
    }),
  );

  it(
    'has nothing of its text below the open panel in a wide window, and moves nothing to open it',
    visiting(async ({ page }) => {
      await page.addInitScript(`window.shifts = 0; new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shifts += value;
      }).observe({ type: 'layout-shift', buffered: true });`);
      for (const language of languages) {
        // Where room is first left, a laptop's without what the browser takes of it, and the widest layout.
        for (const [width, height] of [
          [960, 800],
          [1280, 600],
          [1792, 800],
        ] as const) {
          await openIn(page, language, width, height);
          const { open, panel } = widgetOn(page, language);
          await open();
          const { x = 0 } = (await panel.boundingBox()) ?? {};
          assert.ok(x > width / 2, `the panel is at ${x}`);
          const reach = await page.evaluate<number>(`Math.max(...Array.from(
            document.querySelectorAll('header *, main *, .chapters *'),
            (element) => element.getBoundingClientRect().right))`);
          assert.ok(reach <= x, `${language} at ${width} px: ${reach} is beyond ${x}`);
          assert.equal(await page.evaluate('window.shifts'), 0, `${language} at ${width} px`);
          await page.evaluate('sessionStorage.clear()');
        }
      }
    }),
  );

  it(
    'changes its language by its links and keeps it at a sign-in, and the widget follows',
    visiting(
      async ({ page }) => {
        await page.goto(host.url);
        const languageOf = () => page.locator('html').getAttribute('lang');
        assert.equal(await languageOf(), 'es', 'the one of the browser, where none is chosen');
        for (const [name, language, greeting] of [
          ['Deutsch', 'de', 'Was möchten Sie wissen?'],
          ['Español', 'es', '¿Qué quiere saber?'],
          ['English', 'en', 'What would you like to know?'],
        ] as const) {
          await page.getByRole('link', { name, exact: true }).click();
          await page.waitForURL(`**/?lang=${language}`);
          assert.equal(await languageOf(), language);
          const { open, panel } = widgetOn(page, language);
          await open();
          await panel.getByRole('heading', { name: greeting }).waitFor();
          await panel.getByRole('heading', { name: 'Assistant', exact: true }).waitFor();
          await page.waitForFunction("document.querySelector('.brand img').naturalWidth > 0");
          const logo = panel.locator('img').first();
          assert.match((await logo.getAttribute('src')) ?? '', /\/logo\.svg$/);
          const offered = await page.locator('.questions button').allInnerTexts();
          await panel.getByRole('button', { name: offered[0] ?? '', exact: true }).waitFor();
          // The question that no document answers names the button to press next, as the panel does.
          await page.locator('li', { hasText: textsOf(language).askPerson }).waitFor();
          await panel.getByRole('button', { name: textsOf(language).close, exact: true }).click();
          const next = page.waitForEvent('load');
          await page.getByRole('button', { name: 'Ada', exact: true }).click();
          await next;
          assert.equal(await languageOf(), language);
          await page.locator('button[value=""]').click();
          await page.getByRole('button', { name: 'Ada', exact: true }).waitFor();
          assert.equal(await languageOf(), language);
        }
      },
      { locale: 'es-ES' },
    ),
  );
});
