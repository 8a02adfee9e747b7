import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inPage } from './support/in-page.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import {
  openWidgetWorld,
  watchFrames,
  widgetOn,
  type WidgetWorld,
} from './support/widget-world.js';

describeInBrowser('window.Assistant', () => {
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
    'has all its functions when assistant:ready is dispatched, and starts nothing by itself',
    visiting(async ({ page }) => {
      await page.addInitScript(
        `window.readyWith = []; addEventListener('assistant:ready', () => readyWith.push(Object.keys(window.Assistant).sort().join()))`,
      );
      await page.goto(waiting);
      assert.deepEqual(await page.evaluate('readyWith'), [functions.join()]);
      const global = ['initAssistant', 'destroyAssistant', 'updateAssistant'];
      for (const name of global) assert.equal(await page.evaluate(`typeof ${name}`), 'function');
      assert.equal(await widgetOn(page).launcher.count(), 0);
      assert.equal(await page.evaluate('Assistant.isOpen()'), false);
    }),
  );

  it(
    'ignores calls before initAssistant and after destroyAssistant',
    visiting(async ({ page }) => {
      await page.goto(waiting);
      const calls = `Assistant.open(); Assistant.close(); Assistant.toggle(); Assistant.setTheme('dark');
        Assistant.updateAssistant({ theme: 'dark' }); Assistant.setContext({ title: 'T' });
        Assistant.setContext(null); Assistant.sendMessage('hello'); Assistant.destroyAssistant()`;
      await page.evaluate(calls);
      assert.equal(await page.evaluate('Assistant.isOpen()'), false);
      await page.evaluate(`initAssistant({ apiKey: '${world.key.key.key}' })`);
      await page.evaluate('destroyAssistant()');
      await page.evaluate(calls);
      assert.equal(await widgetOn(page).launcher.count(), 0);
    }),
  );

  it(
    'opens, closes and toggles the panel, reports whether it is open, and emits events',
    visiting(async ({ page }) => {
      const { panel, launcher } = await start(page);
      await launcher.waitFor();
      await page.evaluate('Assistant.open()');
      await panel.waitFor();
      assert.equal(await page.evaluate('Assistant.isOpen()'), true);
      await page.evaluate('Assistant.open()');
      await page.evaluate('Assistant.close()');
      await panel.waitFor({ state: 'hidden' });
      assert.equal(await page.evaluate('Assistant.isOpen()'), false);
      await page.evaluate('Assistant.toggle()');
      await panel.waitFor();
      await page.evaluate('Assistant.toggle()');
      await panel.waitFor({ state: 'hidden' });
      assert.deepEqual(await eventsOf(page), ['ready', 'open', 'close', 'open', 'close']);
    }),
  );

  it(
    'opens the panel for sendMessage, and emits events for the message and its answer',
    visiting(async ({ page }) => {
      const { panel, said } = await start(page);
      await page.evaluate(`Assistant.sendMessage(${JSON.stringify(question)})`);
      await panel.waitFor();
      await said('apt install heron').waitFor();
      await page.waitForFunction('events.filter(([name]) => name === "message").length === 2');
      const messages = await page.evaluate<Message[]>(
        'events.filter(([name]) => name === "message").map(([, payload]) => payload)',
      );
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant'],
      );
      assert.equal(messages[0]?.text, question);
      assert.match(messages[1]?.text ?? '', /apt install heron/);
      for (const { timestamp } of messages)
        assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const keys = messages.map((message) => Object.keys(message).sort().join());
      assert.deepEqual(keys, ['role,text,timestamp', 'role,text,timestamp']);
    }),
  );

  it(
    'calls every listener even if one throws, but none that has unsubscribed',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/listener that throws/);
      const { panel } = await start(page);
      await page.evaluate(`window.ended = 0; window.kept = 0;
        const end = Assistant.on('open', () => ended++);
        Assistant.on('open', () => { throw new Error('a listener that throws') });
        Assistant.on('open', () => kept++); end(); end();`);
      await page.evaluate('Assistant.open()');
      await panel.waitFor();
      assert.deepEqual(await page.evaluate('[ended, kept]'), [0, 1]);
    }),
  );

  it(
    'changes only the given options with updateAssistant, and keeps the conversation and the draft',
    visiting(async ({ page }) => {
      const { open, ask, composer, panel, launcher, said } = await start(page);
      await open();
      await ask(question);
      await said('apt install heron').waitFor();
      await composer.fill('And on Win');
      await page.evaluate(
        `updateAssistant({ position: 'bottom-left', language: 'de', zIndex: 1234, theme: 'dark' })`,
      );
      const german = page.getByRole('dialog').getByRole('textbox');
      await page.getByRole('button', { name: 'Senden' }).waitFor();
      assert.equal(await german.inputValue(), 'And on Win');
      assert.ok(await page.getByRole('log').getByText('apt install heron').first().isVisible());
      assert.ok(((await page.getByRole('dialog').boundingBox())?.x ?? 999) < 100);
      await page.evaluate(`updateAssistant({ language: 'en' })`);
      await composer.waitFor();
      assert.ok(((await panel.boundingBox())?.x ?? 999) < 100, 'what was not given stays');
      assert.equal((await launcher.count()) <= 1, true);
    }),
  );

  it(
    'changes the theme at once with setTheme, without recreating the panel',
    visiting(async ({ page }) => {
      const { open, composer, panel } = await start(page, { theme: 'light' });
      await open();
      await composer.fill('half a quest');
      await composer.evaluate(inPage('(element) => { window.sameComposer = element; }'));
      const before = await backgroundOf(page);
      await page.evaluate(`Assistant.setTheme('dark')`);
      const after = await backgroundOf(page);
      assert.notEqual(after, before);
      assert.equal(await composer.inputValue(), 'half a quest');
      assert.equal(
        await composer.evaluate(inPage('(element) => element === window.sameComposer')),
        true,
      );
      assert.equal(await panel.isVisible(), true);
    }),
  );

  it(
    'sends the context of setContext with each question, until setContext(null)',
    visiting(async ({ page }) => {
      const { sent } = watchFrames(page);
      const { open, ask } = await start(page);
      await open();
      const lastContext = () =>
        sent.flatMap((frame) => (frame.type === 'message' ? [frame.context] : [])).at(-1);
      await page.evaluate(`Assistant.setContext({ title: 'Given title', selectedText: 'Linux' })`);
      await ask(question);
      const first = lastContext() ?? { url: '', title: '' };
      assert.equal(first.title, 'Given title');
      assert.equal(new URL(first.url).pathname, '/waiting');
      await page.evaluate('Assistant.setContext(null)');
      await ask('Which restart is needed after installing on Linux?');
      assert.equal(lastContext()?.title, 'Herons for everyone');
    }),
  );

  it(
    'ignores invalid configurations and messages, with a warning',
    visiting(async ({ page }) => {
      const warnings: string[] = [];
      page.on('console', (message) => {
        if (message.text().startsWith('Assistant: ')) warnings.push(message.text());
      });
      const { launcher, panel } = widgetOn(page);
      await page.goto(waiting);
      for (const given of ['', 'null', '"x"', '5']) await page.evaluate(`initAssistant(${given})`);
      assert.equal(warnings.length, 4);
      await page.evaluate(`initAssistant({ apiKey: '${world.key.key.key}' })`);
      await launcher.waitFor();
      for (const given of ['', 'null', '"x"']) await page.evaluate(`updateAssistant(${given})`);
      for (const given of ['', 'null', '({})', '" "'])
        await page.evaluate(`Assistant.sendMessage(${given})`);
      assert.equal(warnings.length, 11);
      assert.equal(await panel.isVisible(), false);
    }),
  );
});

interface Message {
  text: string;
  role: string;
  timestamp: string;
}

const functions = [
  ...['close', 'destroyAssistant', 'initAssistant', 'isOpen', 'on', 'open', 'sendMessage'],
  ...['setContext', 'setTheme', 'toggle', 'updateAssistant'],
];

const noteEvents = `window.events = [];
  for (const name of ['ready', 'open', 'close', 'message', 'error'])
    Assistant.on(name, (payload) => events.push([name, payload]));`;

async function eventsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('events.map(([name]) => name)');
}

async function backgroundOf(page: Page): Promise<string> {
  return page
    .getByRole('dialog')
    .evaluate(inPage<string>('(element) => getComputedStyle(element).backgroundColor'));
}
