import assert from 'node:assert/strict';
import { accessibilityFaults } from './support/accessibility.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

const question = 'How do I install the program on Linux?';

describeInBrowser('The widget in other themes', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld({ config: { answers: { mode: 'auto' } } });
  });
  after(() => world.close());
  afterEach(() => {
    world.ollama.stallAfter = undefined;
    world.ollama.release();
  });

  const themes = ['dark', 'host'] as const;
  for (const theme of themes)
    it(
      `passes axe-core in its main states, with the theme ${theme}`,
      visiting(async ({ page, expectProblem }) => {
        expectProblem(/WebSocket|ERR_|401/);
        world.ollama.answer = () =>
          'Run `apt` [1], **as root**:\n\n```sh\napt install heron\n```\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\n> So it is [2]. See [here](https://heron.example).';
        const pageName = theme === 'host' ? 'dark.html' : 'plain.html';
        const attributes = { theme, 'user-auth': '', suggestions: `${question}|Another one?` };
        await page.goto(world.put('/', { page: pageName, attributes }));
        const { open, ask, button, composer, panel, answers, said } = widgetOn(page);
        const faults: string[] = [];
        const look = async (state: string) => {
          // Contrast is measured on the final colours, so animations end first.
          await page.evaluate(
            `Promise.all(document.querySelector('assistant-widget').shadowRoot.getAnimations().map((a) => a.effect.getTiming().iterations === Infinity || a.finished))`,
          );
          for (const fault of await accessibilityFaults(page)) faults.push(`${state}: ${fault}`);
        };
        await widgetOn(page).launcher.waitFor();
        await look('closed');
        await open();
        await look('greeting');
        world.ollama.stallAfter = 3;
        await composer.fill(question);
        await composer.press('Enter');
        await said(/Run/).waitFor();
        await look('streaming');
        world.ollama.release();
        const helpful = answers.getByRole('button', { name: 'Helpful', exact: true });
        await helpful.waitFor();
        await helpful.click();
        await answers.getByRole('listitem').locator('summary').first().click();
        await look('answered');
        world.ollama.stallAfter = undefined;
        world.ollama.answer = () => 'I do not know.';
        await ask('Who painted the town hall of Zanzibar?');
        await look('not found');
        await button('Menu').click();
        await look('menu');
        await button('Conversations').click();
        await panel.getByRole('button', { name: /^How .* Linux/ }).waitFor();
        await look('conversations');
        await button('Back').click();
        await button('Menu').click();
        await button('Sign in').click();
        await look('sign in');
        await button('Back').click();
        await button('Menu').click();
        await button('Notifications').click();
        await look('notifications');
        await button('Back').click();
        world.gate.offline = true;
        await panel.getByText(/Connection lost|You are offline/).waitFor();
        await composer.fill('A question for later');
        await composer.press('Enter');
        await look('offline');
        world.gate.offline = false;
        assert.deepEqual(faults, []);
      }),
    );
});
