import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

const linux = 'How do I install the program on Linux?';
const windows = 'And on Windows?';

describeInBrowser('The widget on various connections', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld({ config: { answers: { mode: 'auto' } } });
  });
  after(() => world.close());
  beforeEach(() => {
    world.ollama.answer = () => 'Run **apt install heron** as root [1].';
  });
  afterEach(() => {
    world.ollama.stallAfter = undefined;
    world.ollama.release();
    Object.assign(world.gate, { offline: false, sockets: 'pass', streams: 'pass' });
    world.gate.requests.length = 0;
    world.gate.bodies.length = 0;
  });

  const openOn = async (page: Page) => {
    await page.goto(world.put('/', {}));
    const widget = widgetOn(page);
    await widget.open();
    return widget;
  };
  const came = (pattern: RegExp) => world.gate.requests.filter((line) => pattern.test(line)).length;
  /** The stored messages of the latest conversation. */
  const stored = async () => {
    const { db } = world.test.app;
    const last = await db
      .read<{ id: string }>('conversations')
      .orderBy('created_at', 'desc')
      .first();
    const messages = await db
      .read<{ role: string; content: string; status: string }>('messages')
      .where('conversation_id', last?.id ?? '')
      .orderBy('id');
    return messages.map(({ role, content }) => `${role}: ${content}`);
  };
  const answered = (question: string) => [
    `user: ${question}`,
    'assistant: Run **apt install heron** as root [1].',
  ];

  it(
    'sends its questions over one WebSocket if it can',
    visiting(async ({ page }) => {
      const { ask } = await openOn(page);
      await ask(linux);
      assert.equal(came(/^WS /), 1);
      assert.equal(came(/message/), 0);
    }),
  );

  for (const sockets of ['refuse', 'swallow'] as const)
    it(
      `streams the answer as server-sent events if WebSockets are ${sockets === 'refuse' ? 'refused' : 'never answered'}`,
      visiting(async ({ page, expectProblem }) => {
        expectProblem(/WebSocket/);
        world.gate.sockets = sockets;
        world.ollama.stallAfter = 2;
        const { composer, answers, said } = await openOn(page);
        await composer.fill(linux);
        await composer.press('Enter');
        await said(/^Run/).waitFor();
        world.ollama.release();
        await answers.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
        assert.equal(await answers.locator('strong').innerText(), 'apt install heron');
        const [sent] = world.gate.bodies.filter(({ path }) => path === '/widget/message');
        assert.match(sent?.headers.accept ?? '', /text\/event-stream/);
        assert.deepEqual(await stored(), answered(linux));
      }),
    );

  it(
    'continues an answer after a cut connection, without losing or repeating text',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/WebSocket|ERR_/);
      world.ollama.stallAfter = 2;
      const { composer, answers, questions, said } = await openOn(page);
      await composer.fill(linux);
      await composer.press('Enter');
      await said(/^Run/).waitFor();
      world.gate.cut();
      world.ollama.release();
      await answers.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
      assert.equal(await answers.locator('.text').innerText(), 'Run apt install heron as root 1.');
      assert.equal(await questions.count(), 1);
      assert.deepEqual(await stored(), answered(linux));
    }),
  );

  it(
    'keeps a question that is asked offline, says so, and sends it once after reconnecting',
    visiting(async ({ page, context, expectProblem }) => {
      expectProblem(/WebSocket|ERR_|Failed to load/);
      const { ask, composer, questions, answers, panel } = await openOn(page);
      await ask(linux);
      world.gate.offline = true;
      await context.setOffline(true);
      await panel.getByText(/You are offline|Connection lost/).waitFor();
      await composer.fill(windows);
      await composer.press('Enter');
      await questions.nth(1).getByText('Will be sent later.').waitFor();
      await composer.fill('half a question');
      world.gate.offline = false;
      await context.setOffline(false);
      await answers.nth(1).getByRole('button', { name: 'Helpful', exact: true }).waitFor();
      assert.equal(await composer.inputValue(), 'half a question');
      assert.equal(await panel.getByText(/You are offline|Connection lost/).isVisible(), false);
      assert.deepEqual(await stored(), [...answered(linux), ...answered(windows)]);
    }),
  );
});
