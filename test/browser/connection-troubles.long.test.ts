import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { setOrganizationQuota } from '../../src/usage/manage-quotas.js';
import { callApi } from '../support/api-client.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { makeInitialized } from '../support/run-cli.js';
import { keepSpoken, liveTexts } from './support/accessibility.js';
import { openGate } from './support/gate.js';
import { openHostSite, readPage } from './support/host-site.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, scriptPath, widgetOn, type WidgetWorld } from './support/widget-world.js';

const linux = 'How do I install the program on Linux?';
const windows = 'And on Windows?';

describeInBrowser('The widget on poor connections', () => {
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
    'continues the conversation over server-sent events if WebSockets are refused',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/WebSocket/);
      world.gate.sockets = 'refuse';
      const { ask, answers } = await openOn(page);
      await ask(linux);
      await ask(windows);
      assert.equal(await answers.count(), 2);
      assert.deepEqual(await stored(), [...answered(linux), ...answered(windows)]);
    }),
  );

  for (const streams of ['buffer', 'refuse'] as const)
    it(
      `gets one answer if streams are ${streams === 'buffer' ? 'buffered until they end' : 'refused'}`,
      visiting(async ({ page, expectProblem }) => {
        expectProblem(/WebSocket|502/);
        world.gate.sockets = 'refuse';
        world.gate.streams = streams;
        const { ask } = await openOn(page);
        const answer = await ask(linux);
        assert.equal(await answer.locator('strong').innerText(), 'apt install heron');
        assert.deepEqual(await stored(), answered(linux));
      }),
    );

  it(
    'says that the connection is lost, and reconnects when the service is back',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/WebSocket|ERR_|Failed to load/);
      const { ask, panel, answers } = await openOn(page);
      await ask(linux);
      world.gate.offline = true;
      await panel.getByText(/Connection lost|You are offline/).waitFor();
      world.gate.offline = false;
      await panel
        .getByText(/Connection lost|You are offline/)
        .waitFor({ state: 'hidden', timeout: 30_000 });
      await ask(windows);
      assert.equal(await answers.count(), 2);
      assert.deepEqual(await stored(), [...answered(linux), ...answered(windows)]);
    }),
  );

  it(
    'sends a question again at “Try again” after the service failed to answer it',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/WebSocket|429|503/);
      const { composer, questions, answers, button } = await openOn(page);
      world.ollama.refuse = { status: 500, reason: 'out of memory' };
      world.test.app.config.answers.mode = 'ollama';
      await composer.fill(linux);
      await composer.press('Enter');
      await button('Try again').waitFor();
      world.ollama.refuse = undefined;
      await button('Try again').click();
      await answers.last().getByRole('button', { name: 'Helpful', exact: true }).waitFor();
      assert.equal(await questions.count(), 1);
      world.test.app.config.answers.mode = 'auto';
    }),
  );

  it(
    'continues an answer after the page is reloaded in the middle of it',
    visiting(async ({ page }) => {
      world.ollama.stallAfter = 2;
      const { composer, answers, questions, open, said } = await openOn(page);
      await composer.fill(linux);
      await composer.press('Enter');
      await said(/^Run/).waitFor();
      await page.reload();
      await open();
      await questions.first().waitFor();
      world.ollama.release();
      await answers.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
      assert.equal(await questions.count(), 1);
      assert.equal(await answers.count(), 1);
      assert.equal(await answers.locator('strong').innerText(), 'apt install heron');
    }),
  );
});

describeInBrowser('The widget, when a limit is reached', () => {
  for (const sockets of ['pass', 'refuse'] as const)
    it(
      `shows and announces when to try again, over ${sockets === 'pass' ? 'a WebSocket' : 'HTTP'}`,
      visiting(async ({ page, expectProblem }) => {
        expectProblem(/WebSocket|429/);
        const world = await openWidgetWorld({ config: { limits: { messages_per_minute: 1 } } });
        world.gate.sockets = sockets;
        try {
          await keepSpoken(page);
          await page.goto(world.put('/', {}));
          const { open, ask, composer, questions, answers, button } = widgetOn(page);
          await open();
          await ask(linux);
          await composer.fill(windows);
          await composer.press('Enter');
          const message = /^Too many messages\. Try again in \d+ seconds?\.$/;
          await questions.nth(1).getByText(message).waitFor();
          assert.match((await liveTexts(page)).at(-1) ?? '', message);
          assert.equal(await answers.count(), 1);
          assert.equal(await composer.isEnabled(), true);
          // A retry is not possible too early.
          assert.equal(await button('Try again').isDisabled(), true);
          assert.equal(await questions.count(), 2);
        } finally {
          await world.close();
        }
      }),
    );

  it(
    'shows the wait after a used-up monthly quota in a suitable unit',
    visiting(async ({ page }) => {
      const world = await openWidgetWorld();
      try {
        await setOrganizationQuota(world.test.app, world.acme.operator, 0);
        await page.goto(world.put('/', {}));
        const { open, composer, questions } = widgetOn(page);
        await open();
        await composer.fill(linux);
        await composer.press('Enter');
        await questions
          .getByText(/^Too many messages\. Try again in \d{1,4} (?:days|minutes|seconds?)\.$/)
          .waitFor();
      } finally {
        await world.close();
      }
    }),
  );
});

describeInBrowser('The widget, when the service is killed in the middle of an answer', () => {
  it(
    'reconnects after the restart, and shows the question once with the incomplete answer',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/WebSocket|ERR_|Failed to load|50[234]/);
      const ollama = await startOllamaStandIn({
        models: ['llama3.2:latest'],
        answer: () => 'Run the first command as root, and then the second one as well [1].',
        stallAfter: 4,
      });
      const installation = await makeInitialized();
      const env = { ASSISTANT_OLLAMA_URL: ollama.url, ASSISTANT_WIDGET_ALLOW_LOCALHOST: 'true' };
      const serve = async () => {
        const server = installation.start(['serve', '--port', '0'], env);
        return { server, url: (await server.until(/serves at (\S+)/))[1] ?? '' };
      };
      const site = await openHostSite();
      let running = await serve();
      const gate = await openGate(running.url);
      try {
        const add = [
          'knowledge',
          'add',
          '--title',
          'Commands',
          '--status',
          'published',
          '--domain',
          'docs.acme.example',
        ];
        const content = 'Run the first command as root to install the program on Linux.';
        await installation.json([...add, '--visibility', 'public', '--content', content]);
        const mint = ['tokens', 'create', '--user', 'ada@acme.example', '--name', 'test'];
        const { token } = await installation.json<{ token: string }>(mint);
        const { body: made } = await callApi<{ key: string }>(
          `${running.url}/api/admin/widget-keys`,
          {
            token,
            body: { app_id: 1, kind: 'public', name: 'Test' },
          },
        );
        const tag = `<script src="${gate.url}${scriptPath}" data-api-key="${made.key}"></script>`;
        site.put('/', { body: readPage('plain.html', { tag, language: 'en' }) });
        await keepSpoken(page);
        await page.goto(site.url('/'));
        const { open, composer, answers, questions, ask, said, panel } = widgetOn(page);
        await open();
        await composer.fill(linux);
        await composer.press('Enter');
        await said(/Run the/).waitFor();
        running.server.child.kill('SIGKILL');
        await running.server.ended;
        await panel.getByText('Connection lost. Reconnecting…').waitFor();
        assert.deepEqual(await liveTexts(page), ['Connection lost. Reconnecting…']);
        ollama.release();
        ollama.stallAfter = undefined;
        running = await serve();
        gate.target = running.url;
        await answers.getByText(/This answer is incomplete/).waitFor({ timeout: 45_000 });
        // The partial answer is announced, and that it is incomplete.
        const [begun, ...rest] = (await liveTexts(page)).slice(-2);
        assert.match(begun ?? '', /^Run the/);
        assert.deepEqual(rest, ['This answer is incomplete.']);
        assert.equal(await questions.count(), 1);
        assert.equal(await answers.count(), 1);
        await said(/Run the/).waitFor();
        await ask('And the second command?');
        assert.equal(await questions.count(), 2);
      } finally {
        await gate.close();
        await site.close();
        await installation.remove();
        await ollama.stop();
      }
    }),
  ).timeout(120_000);
});
