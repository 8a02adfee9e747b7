import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describeInBrowser, visiting } from './support/visiting.js';
import {
  openWidgetWorld,
  watchFrames,
  widgetOn,
  type WidgetWorld,
} from './support/widget-world.js';

describeInBrowser('window.Assistant, started anew and changed', () => {
  let world: WidgetWorld;
  let waiting = '';
  const question = 'How do I install the program on Linux?';
  before(async () => {
    world = await openWidgetWorld();
    waiting = world.put('/waiting', { attributes: { 'api-key': undefined } });
  });
  after(() => world.close());

  /** On a page whose tag starts nothing, with all events noted from the beginning. */
  const start = async (page: Page, config: object = {}) => {
    await page.goto(waiting);
    await page.evaluate(noteEvents);
    const given = JSON.stringify({ apiKey: world.key.key.key, ...config });
    await page.evaluate(`Assistant.initAssistant(${given})`);
    return widgetOn(page);
  };

  it(
    'shows the conversation for a message, whichever page of the panel is open',
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
    'ignores a second initAssistant, and starts anew after destroyAssistant',
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
    'leaves out, with a warning, what can’t be used of a context, and answers all the same',
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
      const told = sent.flatMap((frame) => (frame.type === 'message' ? [frame.context] : []));
      for (const context of told) {
        assert.equal(new URL(context.url).pathname, '/waiting');
        assert.equal(context.title, 'Herons for everyone');
      }
    }),
  );

  it(
    'tells of an error with its code: a key that does not hold',
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
