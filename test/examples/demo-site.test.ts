import assert from 'node:assert/strict';
import { describeInBrowser, visiting } from '../browser/support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from '../browser/support/widget-world.js';
import { textsOf } from '../../src/chat/texts/panel-texts.js';
import { exampleHosts } from './example-hosts.js';
import type { RunningHost } from './start-host.js';

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

  it(
    'changes its language with its links, keeps it at a sign-in, and shows the widget in it',
    visiting(
      async ({ page }) => {
        await page.goto(host.url);
        const languageOf = () => page.locator('html').getAttribute('lang');
        assert.equal(await languageOf(), 'es', 'the browser’s language, if none is chosen');
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
          // The list names the panel's button for the question that no document answers.
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
