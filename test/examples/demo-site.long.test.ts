import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describeInBrowser, visiting } from '../browser/support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from '../browser/support/widget-world.js';
import { textsOf } from '../../src/chat/texts/panel-texts.js';
import { exampleHosts } from './example-hosts.js';
import type { RunningHost } from './start-host.js';

const languages = ['en', 'es', 'de'] as const;

describeInBrowser('The site of the demo at every width', () => {
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
    'fits the window in every language, on phones and larger screens',
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
    'uses the whole window, and keeps its text beside the open panel on tablets and larger screens',
    visiting(async ({ page }) => {
      for (const [language, width, height] of [
        ['de', 768, 1024],
        ['en', 768, 600],
        ['es', 960, 800],
        ['de', 1280, 600],
        ['en', 1280, 800],
        ['es', 1920, 1080],
      ] as const) {
        await openIn(page, language, width, height);
        const size = `${language} at ${width} × ${height} px`;
        const reach = () =>
          page.evaluate<number>(`Math.max(...Array.from(
            document.querySelectorAll('header *, .columns *'),
            (element) => element.getBoundingClientRect().right))`);
        assert.ok((await reach()) > width * 0.9, `${size}: closed`);
        const { open, panel } = widgetOn(page, language);
        await open();
        await page.waitForFunction("document.documentElement.matches('.chat-open')");
        const box = await panel.boundingBox();
        assert.ok(box !== null && box.x > 0, size);
        const covered = await page.evaluate<string[]>(`Array.from(
          document.querySelectorAll('header *, .columns *'),
          (element) => [element.textContent, element.getBoundingClientRect(), element.matches('header *')],
        ).filter(([, { right, bottom, width }, isHead]) =>
          width > 0 && right > ${box.x} && (!isHead || bottom > ${box.y}) && width < innerWidth,
        ).map(([text]) => text.trim().slice(0, 40))`);
        assert.deepEqual(covered, [], size);
        await panel.getByRole('button', { name: textsOf(language).close, exact: true }).click();
        await page.waitForFunction("!document.documentElement.matches('.chat-open')");
        await page.evaluate('sessionStorage.clear()');
      }
    }),
  );

  it(
    'is covered completely by the panel in a narrow window, until the panel is closed',
    visiting(async ({ page }) => {
      // Without reduced motion the panel slides in, and its position changes meanwhile.
      await page.emulateMedia({ reducedMotion: 'reduce' });
      for (const width of [390, 500, 600, 767]) {
        await openIn(page, 'en', width);
        const { open, panel, button } = widgetOn(page);
        await open();
        const box = await panel.boundingBox();
        assert.deepEqual(box, { x: 0, y: 0, width, height: 800 }, `${width} px`);
        await button(textsOf('en').close).click();
        await page.getByRole('button', { name: 'Which roles are there?' }).click();
        await panel.waitFor();
        await page.evaluate('sessionStorage.clear()');
      }
    }),
  );
});
