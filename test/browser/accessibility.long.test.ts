import assert from 'node:assert/strict';
import { accessibilityFaults } from './support/accessibility.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

const question = 'How do I install the program on Linux?';
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describeInBrowser('The widget for users of keyboards and screen readers', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld({ config: { answers: { mode: 'auto' } } });
  });
  after(() => world.close());
  afterEach(() => {
    world.ollama.stallAfter = undefined;
    world.ollama.release();
  });

  it(
    'passes axe-core in its main states',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/WebSocket|ERR_|401/);
      world.ollama.answer = () =>
        'Run `apt` [1], **as root**:\n\n```sh\napt install heron\n```\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\n> So it is [2]. See [here](https://heron.example).';
      const attributes = {
        theme: 'light',
        'user-auth': '',
        suggestions: `${question}|Another one?`,
      };
      await page.goto(world.put('/', { attributes }));
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

  it(
    'works with the keyboard alone, and returns the focus to its previous place when it closes',
    visiting(async ({ page }) => {
      world.ollama.answer = () => 'Run it as root [1].';
      await page.goto(world.put('/', {}));
      const { launcher, panel, answers } = widgetOn(page);
      await launcher.waitFor();
      const focused = () => page.evaluate<string>(focusedName);
      const tabTo = async (name: RegExp, key = 'Tab') => {
        for (let presses = 0; presses < 40; presses += 1) {
          if (name.test(await focused())) return;
          await page.keyboard.press(key);
        }
        assert.fail(`the focus never got to ${String(name)}, but is at ${await focused()}`);
      };
      await tabTo(/Open assistant/);
      await page.keyboard.press('Enter');
      await panel.waitFor();
      assert.match(await focused(), /Ask a question/);
      await page.keyboard.type(question);
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.type('Please!');
      await page.keyboard.press('Enter');
      await answers.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
      assert.match(await focused(), /Ask a question/, 'the focus stays in the composer');
      await tabTo(/Source 1/, 'Shift+Tab');
      await page.keyboard.press('Enter');
      await answers.getByText(/package source/).waitFor();
      await tabTo(/Helpful/);
      await page.keyboard.press('Space');
      await answers.locator('[aria-pressed=true]').waitFor();
      await tabTo(/Menu/, 'Shift+Tab');
      await page.keyboard.press('Enter');
      assert.match(await focused(), /New conversation/);
      await page.keyboard.press('Escape');
      assert.match(await focused(), /Menu/);
      assert.ok(await panel.isVisible());
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'hidden' });
      assert.match(await focused(), /Open assistant/);
      await page.getByRole('button', { name: 'A button of the page' }).focus();
      await page.evaluate('Assistant.open()');
      assert.match(await focused(), /Ask a question/);
      await page.keyboard.press('Escape');
      assert.match(await focused(), /A button of the page/);
    }),
  );

  it(
    'keeps the focus in the panel while it fills the screen',
    visiting(async ({ page }) => {
      await page.goto(world.put('/', {}));
      const { open, panel } = widgetOn(page);
      await open();
      assert.equal(await panel.getAttribute('aria-modal'), 'true');
      for (let presses = 0; presses < 12; presses += 1) {
        await page.keyboard.press(presses < 8 ? 'Tab' : 'Shift+Tab');
        // The body has the focus while one of the browser's own controls has it.
        const focused = await page.evaluate<string>('document.activeElement.localName');
        assert.ok(['assistant-widget', 'body'].includes(focused), focused);
      }
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'A button of the page' }).click();
    }, phone),
  );

  it(
    'announces an answer to screen readers once, when it is complete',
    visiting(async ({ page }) => {
      const answer = 'Run the first command as root, then the second one, and then restart [1].';
      world.ollama.answer = () => answer;
      world.ollama.stallAfter = 4;
      await page.goto(world.put('/', {}));
      const { open, composer, answers, said } = widgetOn(page);
      await open();
      await page.evaluate(watchAnnouncements);
      await composer.fill(question);
      await composer.press('Enter');
      await said(/Run the/).waitFor();
      const early = await page.evaluate<string[]>('window.announced');
      assert.deepEqual(
        early.filter((text) => text.includes('Run')),
        [],
      );
      world.ollama.release();
      await answers.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
      await page.waitForFunction(`announced.some((text) => text.includes('restart'))`);
      const announced = await page.evaluate<string[]>('window.announced');
      assert.equal(announced.filter((text) => text.includes('Run')).length, 1);
    }),
  );
});

/** The name of what has the focus, within shadow roots too. */
const focusedName = `(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
})()`;

/** Records the texts that are added to live regions, which a screen reader announces. */
const watchAnnouncements = `window.announced = [];
  const live = (node) => {
    for (let at = node instanceof Element ? node : node.parentElement; at; at = at.parentElement) {
      const value = at.getAttribute('aria-live') ??
        ({ status: 'polite', log: 'polite', alert: 'assertive' })[at.getAttribute('role')];
      if (value) return value !== 'off';
    }
    return false;
  };
  new MutationObserver((records) => {
    for (const { target, addedNodes, type } of records) {
      if (!live(target)) continue;
      const texts = type === 'characterData' ? [target.textContent] : [...addedNodes].map((node) => node.textContent);
      for (const text of texts) if (text?.trim()) announced.push(text);
    }
  }).observe(document.querySelector('assistant-widget').shadowRoot,
    { subtree: true, childList: true, characterData: true }); undefined`;
