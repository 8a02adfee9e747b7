import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { tokenFor } from './support/people.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import {
  openWidgetWorld,
  watchFrames,
  widgetOn,
  type WidgetWorld,
} from './support/widget-world.js';

const linux = 'How do I install the program on Linux?';
const windows = 'And on Windows?';
const hour = 3_600_000;

describeInBrowser('The renewal of a user token over time', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  /** Starts the widget on a page whose `getUserToken` gives one answer after the other, the last again and again. */
  const start = async (page: Page, answers: string[], userToken?: string) => {
    const { sent } = watchFrames(page);
    await page.goto(world.put('/', { attributes: { 'api-key': undefined } }));
    await page.evaluate(`window.calls = 0;
      const answers = ${JSON.stringify(answers)};
      initAssistant({
        apiKey: ${JSON.stringify(world.key.key.key)},
        userToken: ${JSON.stringify(userToken)},
        getUserToken: async () => {
          const answer = answers[Math.min(calls++, answers.length - 1)];
          if (answer === 'fails') throw new Error('no session');
          return answer;
        } })`);
    return {
      calls: () => page.evaluate<number>('calls'),
      hellos: () => sent.filter(({ type }) => type === 'hello').length,
    };
  };
  /** Moves the page's clock in steps. A step fires each timer once at most, so that heartbeats are answered in between. */
  const pass = async (page: Page, seconds: number, ask: (text: string) => Promise<unknown>) => {
    for (let at = 0; at < seconds; at += 20) await page.clock.fastForward(20_000);
    await ask(windows);
  };

  for (const ahead of [2 * hour, -2 * hour])
    it(
      `asks the page seldom if the visitor’s clock is off by ${ahead / hour} hours, even for tokens of one minute`,
      visiting(async ({ page }) => {
        await page.clock.install({ time: Date.now() + ahead });
        const { open, ask } = widgetOn(page);
        for (const [expiresIn, most] of [
          [undefined, 1],
          [60, 9],
        ] as const) {
          const more = expiresIn === undefined ? {} : { expiresIn };
          const tokens = Array.from({ length: 8 }, () => tokenFor(world, 'ada', more));
          const { calls, hellos } = await start(page, await Promise.all(tokens));
          await open();
          await ask(linux);
          await pass(page, 180, ask);
          assert.ok((await calls()) <= most, `${await calls()} calls`);
          // On a busy machine a step of the page's clock may end a connection, because its heartbeat comes too late.
          assert.ok(hellos() <= most + 9, `${hellos()} hellos`);
        }
      }),
    );

  it(
    'asks the page seldom while that fails or returns refused tokens',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/401|WebSocket|Assistant: /);
      await page.clock.install();
      const good = await tokenFor(world, 'bea');
      const bad = `${good.slice(0, -6)}AAAAAA`;
      for (const answer of ['fails', bad, 'abc.def.ghi']) {
        const { calls, hellos } = await start(page, [answer]);
        const { open, log } = widgetOn(page);
        await open();
        await log.getByText('Hello! How can I help?').waitFor();
        for (let n = 0; n < 9; n += 1) await page.clock.fastForward(20_000);
        assert.ok((await calls()) <= 6, `${await calls()} calls for ${answer}`);
        assert.ok(hellos() <= 8, `${hellos()} hellos for ${answer}`);
      }
    }),
  );
});
