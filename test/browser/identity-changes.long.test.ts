import assert from 'node:assert/strict';
import { asked, pageOf, tokenFor } from './support/people.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

const linux = 'How do I install the program on Linux?';
const windows = 'How do I install the program on Windows?';

describeInBrowser('The widget, for people who sign in', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  const tokenOf = (externalId: string, more?: object) => tokenFor(world, externalId, more);
  const pageFor = (userToken: string | undefined, attributes?: Record<string, string>) =>
    pageOf(world, userToken, attributes);

  it(
    'offers a visitor’s conversation after sign-in, until they continue it or ask something else',
    visiting(async ({ page, another }) => {
      for (const declines of [false, true]) {
        const visitor = declines ? (await another()).page : page;
        await visitor.goto(pageFor(undefined));
        const { open, ask, button, said } = widgetOn(visitor);
        await open();
        await ask(linux);
        const userToken = await tokenOf(declines ? 'tess' : 'tom');
        await visitor.evaluate(`Assistant.updateAssistant({ userToken: '${userToken}' })`);
        const offer = button('Continue the conversation from before you signed in');
        await offer.waitFor();
        assert.deepEqual(await asked(visitor), []);
        if (declines) {
          await ask(windows);
        } else {
          await offer.click();
          await said('apt install heron').waitFor();
        }
        await offer.waitFor({ state: 'hidden' });
        assert.deepEqual(await asked(visitor), [declines ? windows : linux]);
      }
    }),
  );

  it(
    'needs no widget key on a registered domain if the page has a user token',
    visiting(async ({ page }) => {
      const token = await tokenOf('erin');
      const attributes = { 'api-key': undefined, 'user-token': token };
      await page.goto(world.put('/', { attributes, host: 'docs.example.com' }));
      const { open, ask } = widgetOn(page);
      await open();
      assert.ok((await (await ask(linux)).innerText()).includes('apt install heron'));
    }),
  );

  it(
    'asks the page for a new user token before one expires, and continues the conversation',
    visiting(async ({ page }) => {
      // The page's minutes are those of the test.
      await page.clock.install();
      const short = await tokenOf('fay', { expiresIn: 300 });
      const fresh = await tokenOf('fay');
      await page.goto(world.put('/', { attributes: { 'api-key': undefined } }));
      await page.evaluate(`window.calls = 0;
        initAssistant({ apiKey: ${JSON.stringify(world.key.key.key)}, userToken: ${JSON.stringify(short)},
          getUserToken: async () => { calls++; return ${JSON.stringify(fresh)}; } })`);
      const { open, ask, answers } = widgetOn(page);
      await open();
      await ask(linux);
      await page.clock.runFor(10_000);
      assert.equal(await page.evaluate('calls'), 0);
      // fastForward fires each timer once at most: with runFor, no reply could arrive between two heartbeats.
      await page.clock.fastForward(300_000);
      assert.equal(await page.evaluate('calls'), 1);
      const answer = await ask('And on Windows?');
      assert.ok((await answer.innerText()).includes('heron.msi'));
      assert.equal(await answers.count(), 2);
    }),
  );

  it(
    'asks the page for a new user token after one was refused',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/401|WebSocket/);
      await page.goto(world.put('/', { attributes: { 'api-key': undefined } }));
      const good = await tokenOf('gus');
      const bad = `${good.slice(0, -6)}AAAAAA`;
      await page.evaluate(`window.tokens = [${JSON.stringify(good)}];
        initAssistant({ apiKey: ${JSON.stringify(world.key.key.key)}, userToken: ${JSON.stringify(bad)},
          getUserToken: () => tokens.shift() ?? null })`);
      const { open, ask } = widgetOn(page);
      await open();
      assert.ok((await (await ask(linux)).innerText()).includes('apt install heron'));
      assert.deepEqual(await page.evaluate('tokens'), []);
    }),
  );
});
