import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describeInBrowser, visiting } from './support/visiting.js';
import {
  openWidgetWorld,
  watchFrames,
  widgetOn,
  type WidgetWorld,
} from './support/widget-world.js';

describeInBrowser('window.Assistant, in detail', () => {
  let world: WidgetWorld;
  let waiting = '';
  const question = 'How do I install the program on Linux?';
  before(async () => {
    world = await openWidgetWorld();
    waiting = world.put('/waiting', { attributes: { 'api-key': undefined } });
  });
  after(() => world.close());

  /** Starts the widget on a page whose tag does not, and records all its events. */
  const start = async (page: Page, config: object = {}) => {
    await page.goto(waiting);
    await page.evaluate(noteEvents);
    const given = JSON.stringify({ apiKey: world.key.key.key, ...config });
    await page.evaluate(`Assistant.initAssistant(${given})`);
    return widgetOn(page);
  };

  it(
    'shows the conversation for sendMessage, whichever page of the panel is open',
    visiting(async ({ page }) => {
      const { open, panel, button, said } = await start(page);
      await open();
      for (const [name, n] of [
        ['Conversations', 1],
        ['Notifications', 2],
      ] as const) {
        await button('Menu').click();
        await button(name).click();
        await panel.getByRole('heading', { name }).waitFor();
        await page.evaluate(`Assistant.sendMessage(${JSON.stringify(question)})`);
        await said('apt install heron').waitFor();
        assert.equal(await panel.getByRole('heading', { name }).count(), 0);
        await page.waitForFunction(
          `events.filter(([name]) => name === "message").length === ${2 * n}`,
        );
      }
    }),
  );

  it(
    'ignores a second initAssistant, and starts again after destroyAssistant',
    visiting(async ({ page }) => {
      const { launcher } = await start(page, { position: 'bottom-left' });
      await launcher.waitFor();
      await page.evaluate(`initAssistant({ apiKey: 'wk_live_other', position: 'bottom-right' })`);
      assert.equal(await launcher.count(), 1);
      assert.ok(((await launcher.boundingBox())?.x ?? 999) < 100, 'it stays where it was');
      await page.evaluate('destroyAssistant()');
      assert.equal(await launcher.count(), 0);
      await page.evaluate(`initAssistant({ apiKey: '${world.key.key.key}' })`);
      await launcher.waitFor();
      assert.ok(((await launcher.boundingBox())?.x ?? 0) > 500);
      const { open, ask, said } = widgetOn(page);
      await open();
      await ask(question);
      await said('apt install heron').waitFor();
    }),
  );

  it(
    'ignores invalid values of setContext with a warning, and still answers',
    visiting(async ({ page }) => {
      const { sent } = watchFrames(page);
      const warnings: string[] = [];
      page.on('console', (message) => warnings.push(message.text()));
      const { open, ask } = await start(page);
      await open();
      const contexts = ['{ forms: [null], url: 5, title: {} }', '"x"', '{ pageStructure: 7 }'];
      for (const context of contexts) {
        warnings.length = 0;
        await page.evaluate(`Assistant.setContext(${context})`);
        assert.ok(warnings.some((text) => text.startsWith('Assistant: ')));
        await ask(question);
      }
      const received = sent.flatMap((frame) => (frame.type === 'message' ? [frame.context] : []));
      assert.equal(received.length, contexts.length);
      for (const context of received) {
        assert.equal(new URL(context.url).pathname, '/waiting');
        assert.equal(context.title, 'Herons for everyone');
      }
    }),
  );

  it(
    'emits an error event with its code if the widget key is invalid',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/401|WebSocket|Assistant|assistant/);
      await start(page, { apiKey: `wk_live_${'x'.repeat(32)}` });
      await page.evaluate(`Assistant.sendMessage('hello')`);
      await page.waitForFunction('events.some(([name]) => name === "error")');
      const [, error] = await page.evaluate<[string, { code: string; message: string }]>(
        'events.find(([name]) => name === "error")',
      );
      assert.equal(error.code, 'unauthenticated');
      assert.ok(error.message.length > 10);
      const { panel } = widgetOn(page);
      await panel.getByText('The assistant is not available on this page.').waitFor();
      assert.equal(await panel.getByText(/You are offline/).isVisible(), false);
    }),
  );
});

const noteEvents = `window.events = [];
  for (const name of ['ready', 'open', 'close', 'message', 'error'])
    Assistant.on(name, (payload) => events.push([name, payload]));`;
