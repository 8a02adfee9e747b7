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

describeInBrowser('The renewal of a user token', () => {
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

  it(
    'asks the page again until it returns a valid token, and then answers',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/401|WebSocket|Assistant: /);
      await page.clock.install();
      const good = await tokenFor(world, 'cid');
      const bad = `${good.slice(0, -6)}AAAAAA`;
      const { calls } = await start(page, ['fails', 'fails', good], bad);
      const { open, panel, ask } = widgetOn(page);
      await open();
      await panel.getByText('The assistant is not available on this page.').waitFor();
      // The page is asked again from time to time, and its first valid token brings the panel back.
      for (let n = 0; n < 3; n += 1) await page.clock.fastForward(20_000);
      await ask(linux);
      assert.equal(await calls(), 3);
    }),
  );
});
