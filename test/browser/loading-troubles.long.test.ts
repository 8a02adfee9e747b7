import assert from 'node:assert/strict';
import { describeInBrowser, untilIdle, visiting } from './support/visiting.js';
import {
  openWidgetWorld,
  watchFrames,
  widgetOn,
  type WidgetWorld,
} from './support/widget-world.js';

const question = 'How do I install the program on Linux?';

describeInBrowser('The widget with late or missing parts', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  it(
    'keeps its language if another one can’t be loaded, and loads that when it opens again',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/ERR_FAILED|could not be loaded/);
      await page.goto(world.put('/tongues', {}));
      const { open, composer } = widgetOn(page);
      await open();
      await page.route(/texts-de\.js/, (route) => route.abort());
      const warned = page.waitForEvent('console', {
        predicate: (message) => /texts-de\.js\S* could not be loaded/.test(message.text()),
      });
      await page.evaluate(`updateAssistant({ language: 'de' })`);
      await warned;
      assert.ok(await composer.isVisible());
      await page.unroute(/texts-de\.js/);
      await page.keyboard.press('Escape');
      await page.evaluate('Assistant.open()');
      await page.getByRole('button', { name: 'Senden' }).waitFor();
    }),
  );

  it(
    'follows a change of the page’s language, and sends the shown language with each question',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/ERR_FAILED|could not be loaded/);
      const { sent } = watchFrames(page);
      await page.goto(world.put('/translated', {}));
      const { open, ask } = widgetOn(page);
      const languages = () =>
        sent.flatMap((frame) => (frame.type === 'message' ? [frame.context.language] : []));
      await open();
      await page.route(/texts-es\.js/, (route) => route.abort());
      const failed = page.waitForEvent('requestfailed');
      await page.evaluate(`document.documentElement.lang = 'es'`);
      await failed;
      await ask(question);
      assert.deepEqual(languages(), ['en']);
      await page.evaluate(`document.documentElement.lang = 'de'`);
      await page.getByRole('button', { name: 'Senden' }).waitFor();
      await page.locator('assistant-widget textarea').fill('Und unter Windows?');
      await page.keyboard.press('Enter');
      await page.locator('assistant-widget .answer').nth(1).waitFor();
      assert.deepEqual(languages(), ['en', 'de']);
    }),
  );

  it(
    'waits only briefly for its code for host colours, and reports a panel that does not load in time',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/could not be loaded in time/);
      await page.clock.install();
      // Never answered.
      for (const one of [/host-theme\.js/, /panel\.js/]) await page.route(one, () => undefined);
      const address = world.put('/stuck', { attributes: { theme: 'host' } });
      await page.goto(address, { waitUntil: 'commit' });
      const { launcher, composer } = widgetOn(page);
      await page.locator('assistant-widget:not([data-theme])').waitFor({ state: 'attached' });
      await page.clock.fastForward(2000);
      await page.locator('assistant-widget[data-theme]').waitFor({ state: 'attached' });
      await launcher.click();
      await page.clock.fastForward(20_000);
      await page
        .getByRole('alert')
        .getByText(/could not be loaded/)
        .waitFor();
      await page.unroute(/panel\.js/);
      await launcher.click();
      await composer.waitFor();
    }),
  );

  it(
    'leaves nothing behind if it is destroyed while its parts load',
    visiting(async ({ page }) => {
      world.gate.requests.length = 0;
      await page.goto(world.put('/gone', { attributes: { theme: 'host' } }));
      await widgetOn(page).launcher.waitFor();
      const loaded = ['panel', 'texts-en'].map((name) => page.waitForResponse(new RegExp(name)));
      await page.evaluate('Assistant.open(); destroyAssistant()');
      for (const response of await Promise.all(loaded)) await response.finished();
      await untilIdle(page);
      assert.equal(await page.locator('assistant-widget').count(), 0);
      assert.equal(await page.locator('script[src*="v="]').count(), 0);
      assert.equal(world.gate.requests.filter((one) => one.includes('/widget/config')).length, 0);
    }),
  );

  it(
    'stays closed if it is closed again before the panel is loaded',
    visiting(async ({ page }) => {
      await page.goto(world.put('/undecided', {}));
      const { panel, launcher } = widgetOn(page);
      const loaded = page.waitForResponse(/panel\.js/);
      await page.evaluate('Assistant.open(), Assistant.close()');
      await (await loaded).finished();
      await launcher.waitFor();
      assert.equal(await page.evaluate('Assistant.isOpen()'), false);
      assert.equal(await panel.isVisible(), false);
    }),
  );

  it(
    'loads the panel when the computer is online again, and sends the waiting message',
    visiting(async ({ page, context, expectProblem }) => {
      expectProblem(/ERR_|could not be loaded/);
      await page.goto(world.put('/offline', {}));
      const { launcher, answers, questions } = widgetOn(page);
      await launcher.waitFor();
      await context.setOffline(true);
      await page.evaluate(`Assistant.sendMessage(${JSON.stringify(question)})`);
      await page
        .getByRole('alert')
        .getByText(/could not be loaded/)
        .waitFor();
      await context.setOffline(false);
      await answers.first().getByRole('button', { name: 'Helpful', exact: true }).waitFor();
      assert.equal(await questions.count(), 1);
    }),
  );

  it(
    'works if the page’s trusted-types policy allows “assistant” or “default”, and warns if it allows neither',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/TrustedTypePolicy|could not be loaded|TrustedScriptURL/);
      const under = (path: string, policies: string, values: Record<string, string> = {}) =>
        world.put(path, {
          headers: {
            'content-security-policy': `${world.strictPolicy}; trusted-types ${policies}`,
          },
          values,
        });
      const { launcher, composer } = widgetOn(page);
      await page.goto(under('/named', 'assistant'));
      await launcher.click();
      await composer.waitFor();
      await page.goto(under('/default', 'default'));
      await page.evaluate(
        `trustedTypes.createPolicy('default', { createScriptURL: (url) => url }), 0`,
      );
      await launcher.or(composer).first().waitFor();
      await page.evaluate('Assistant.open()');
      await composer.waitFor();
      await page.evaluate('sessionStorage.clear()');
      const warned = page.waitForEvent('console', {
        predicate: (message) => message.text().includes('“trusted-types” must allow “assistant”'),
      });
      await page.goto(under('/neither', 'other'));
      await page.evaluate('Assistant.open()');
      await warned;
      await page
        .getByRole('alert')
        .getByText(/could not be loaded/)
        .waitFor();
    }),
  );

  it(
    'stays closed on the next page, despite auto-open, after it was closed',
    visiting(async ({ page }) => {
      const address = world.put('/auto', { attributes: { 'auto-open': '' } });
      await page.goto(address);
      const { panel, launcher } = widgetOn(page);
      await panel.waitFor();
      await page.goto(address);
      await panel.waitFor();
      await page.evaluate('Assistant.close()');
      await page.goto(address);
      await launcher.waitFor();
      assert.equal(await page.evaluate('Assistant.isOpen()'), false);
    }),
  );
});
