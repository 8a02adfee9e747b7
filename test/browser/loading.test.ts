import assert from 'node:assert/strict';
import { readBuiltScript } from '../../src/widget/built-script.js';
import { describeInBrowser, untilIdle, visiting } from './support/visiting.js';
import { openWidgetWorld, scriptPath, widgetOn, type WidgetWorld } from './support/widget-world.js';

const panelRequest = /^GET \/widget\/v1\/panel\.js\?v=\w+$/;
const question = 'How do I install the program on Linux?';

describeInBrowser('The widget, loaded in parts', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  it(
    'loads only its script until somebody points at the button',
    visiting(async ({ page }) => {
      world.gate.requests.length = 0;
      await page.goto(world.put('/alone', {}));
      const { launcher, composer } = widgetOn(page);
      await launcher.waitFor();
      await untilIdle(page);
      assert.deepEqual(world.gate.requests, [`GET ${scriptPath}`]);
      const loaded = page.waitForRequest(/panel\.js/);
      await launcher.hover();
      await loaded;
      await launcher.click();
      await composer.waitFor();
      assert.equal(world.gate.requests.filter((one) => panelRequest.test(one)).length, 1);
    }),
  );

  it(
    'loads the panel at once for a reader who has asked before, since there may be news',
    visiting(async ({ page }) => {
      await page.goto(world.put('/again', {}));
      const { open, ask, panel } = widgetOn(page);
      await open();
      await ask(question);
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'hidden' });
      const loaded = page.waitForRequest(/panel\.js/);
      await page.reload();
      await loaded;
    }),
  );

  it(
    'loads the panel and one language for a question, and each other part when it is used',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/ERR_FAILED|could not be loaded/);
      const parts = () =>
        world.gate.requests.flatMap((one) => /v1\/([\w-]+)\.js\?v=\w+$/.exec(one)?.[1] ?? []);
      world.gate.requests.length = 0;
      await page.goto(world.put('/parts', {}));
      const { open, ask, panel, composer } = widgetOn(page);
      await open();
      await ask(question);
      assert.deepEqual(parts().sort(), ['panel', 'texts-en']);
      const choose = async (name: string) => {
        await panel.getByRole('button', { name: 'Menu' }).click();
        await panel.getByRole('button', { name, exact: true }).click();
      };
      await page.route(/pages\.js/, (route) => route.abort());
      await choose('Conversations');
      await panel.getByText('That did not work.').waitFor();
      await page.unroute(/pages\.js/);
      await panel.getByRole('button', { name: 'Back' }).click();
      await choose('Conversations');
      await panel.getByRole('button', { name: question }).first().waitFor();
      await panel.getByRole('button', { name: 'Back' }).click();
      await composer.fill('And on');
      const themed = page.waitForResponse(/host-theme/);
      await page.evaluate(`updateAssistant({ language: 'es', theme: 'host' })`);
      await themed;
      await page.getByRole('button', { name: 'Enviar' }).waitFor();
      assert.equal(await page.locator('assistant-widget textarea').inputValue(), 'And on');
      assert.deepEqual(parts().sort(), ['host-theme', 'pages', 'panel', 'texts-en', 'texts-es']);
    }),
  );

  it(
    'opens at the first call, even before the panel is loaded, and sends the waiting message',
    visiting(async ({ page }) => {
      await page.goto(world.put('/calls', {}));
      const { panel, answers } = widgetOn(page);
      assert.equal(await page.evaluate('Assistant.open(), Assistant.isOpen()'), true);
      await page.evaluate(`Assistant.sendMessage(${JSON.stringify(question)})`);
      await panel.waitFor();
      await answers.first().getByRole('button', { name: 'Helpful', exact: true }).waitFor();
      assert.equal(await answers.count(), 1);
    }),
  );

  it(
    'says that the panel can’t be loaded, and tries again at the next press',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/ERR_|could not be loaded/);
      await page.goto(world.put('/lost', {}));
      const { launcher, composer } = widgetOn(page);
      await launcher.waitFor();
      await page.evaluate(
        'window.codes = []; Assistant.on("error", ({ code }) => codes.push(code)), 0',
      );
      world.gate.offline = true;
      await launcher.click();
      await page.waitForFunction(() => (globalThis as unknown as { codes: string[] }).codes.length);
      assert.deepEqual(await page.evaluate('codes'), ['offline']);
      assert.equal(await page.evaluate('Assistant.isOpen()'), false);
      const said = page.getByRole('alert').getByText(/could not be loaded/);
      await said.waitFor();
      world.gate.offline = false;
      await launcher.click();
      await composer.waitFor();
      assert.equal(await said.isVisible(), false);
    }),
  );

  it(
    'refuses a modified panel if the script’s tag has an integrity hash',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/integrity|could not be loaded/);
      const { integrity } = await readBuiltScript('assistant.js');
      const source = world.gate.url + scriptPath;
      const tag =
        `<script src="${source}" integrity="${integrity}" crossorigin="anonymous" ` +
        `data-api-key="${world.key.key.key}"></script>`;
      await page.goto(world.put('/pinned', { page: 'bare.html', values: { body: tag, head: '' } }));
      const { launcher, open, ask, panel } = widgetOn(page);
      await open();
      await ask(question);
      await page.evaluate('destroyAssistant(); localStorage.clear(); sessionStorage.clear()');
      await page.route(/panel\.js/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${await response.text()};window.tampered = true;` });
      });
      await page.reload();
      const refused = page.waitForEvent('console', {
        predicate: (one) => one.text().includes('could not be loaded'),
      });
      await launcher.click();
      await refused;
      assert.equal(await page.evaluate('window.tampered'), undefined);
      assert.equal(await panel.isVisible(), false);
    }),
  );
});
