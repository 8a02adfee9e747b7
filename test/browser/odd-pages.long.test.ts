import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inPage } from './support/in-page.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import {
  openWidgetWorld,
  watchFrames,
  widgetOn,
  type PutPage,
  type WidgetWorld,
} from './support/widget-world.js';

const question = 'How do I install the program on Linux?';

describeInBrowser('The widget on unusual pages', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  const bare = (values: { head?: string; body?: string }): PutPage => ({
    page: 'bare.html',
    values: { head: '', body: '', ...values },
  });
  const tag = () =>
    `<script src="${world.gate.url}/widget/v1/assistant.js" data-api-key="${world.key.key.key}"></script>`;
  const works = async (page: Page) => {
    const { open, ask } = widgetOn(page);
    await open();
    assert.ok((await (await ask(question)).innerText()).includes('apt install heron'));
  };

  it(
    'keeps its left-to-right layout on right-to-left pages',
    visiting(
      async ({ page }) => {
        const places: string[] = [];
        for (const head of ['', '<style>html,body,*{direction:rtl}</style>']) {
          await page.goto(world.put('/', bare({ head, body: tag() })));
          const { open, panel } = widgetOn(page);
          await open();
          const find = `(panel) => JSON.stringify([...panel.querySelectorAll('h2, h3, button, textarea')]
            .map((element) => element.getBoundingClientRect().x - panel.getBoundingClientRect().x))`;
          places.push(await panel.evaluate(inPage<string>(find)));
        }
        assert.equal(places[1], places[0]);
      },
      { reducedMotion: 'reduce' },
    ),
  );

  it(
    'works in a srcdoc frame, and sends the address of the outer page',
    visiting(async ({ page }) => {
      const { sent } = watchFrames(page);
      const inner = tag().replaceAll('"', '&quot;');
      await page.goto(world.put('/outer', bare({ body: `<iframe srcdoc="${inner}"></iframe>` })));
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: 'Open assistant' }).click();
      await frame.getByRole('textbox', { name: 'Ask a question…' }).fill(question);
      await page.keyboard.press('Enter');
      const answer = frame.getByRole('article', { name: 'Assistant' });
      await answer.getByText('apt install heron').first().waitFor();
      const [context] = sent.flatMap((one) => (one.type === 'message' ? [one.context] : []));
      assert.equal(context?.url, world.site.url('/outer'));
    }),
  );

  it(
    'works beside an old library that overrides built-in methods',
    visiting(async ({ page }) => {
      // As Prototype.js before 1.7 overrides them.
      await page.addInitScript({
        content: `Array.prototype.toJSON = function () { return '[' + this.map(String).join(', ') + ']'; };
          String.prototype.toJSON = Number.prototype.toJSON = function () { return '"' + this + '"'; };
          Array.prototype.entries = function () { return [...this]; };
          Array.prototype.reduce = function () { return this.length > 1 ? this : this[0]; };
          Array.from = function (given) { return given.length ? [].slice.call(given) : []; };
          Element.prototype.scrollTo = Element.prototype.update = function () { return this; };`,
      });
      await page.goto(world.put('/', {}));
      await works(page);
      const { ask, answers } = widgetOn(page);
      await ask('And on Windows?');
      assert.equal(await answers.count(), 2);
    }),
  );

  it(
    'works on a page that extends built-in prototypes',
    visiting(async ({ page }) => {
      await page.addInitScript({
        content: `Object.prototype.extra = 'inherited'; Array.prototype.last = function () {};
          String.prototype.trim = function () { return this.replace(/^\\s+|\\s+$/g, ''); };`,
      });
      await page.goto(world.put('/', {}));
      await works(page);
    }),
  );

  it(
    'says in a sandboxed frame without an origin that it is not available there',
    visiting(async ({ page, expectProblem, problems }) => {
      expectProblem(/403|WebSocket|origin/);
      const inner = world.put('/inner', {});
      const values = { inner, sandbox: 'sandbox="allow-scripts"' };
      await page.goto(world.put('/', { page: 'frame.html', values }));
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: 'Open assistant' }).click();
      await frame.getByText('The assistant is not available on this page.').waitFor();
      assert.ok(problems.some((text) => text.includes('Assistant: origin_')));
      const stored = page.frames()[1]?.evaluate('localStorage.length');
      await assert.rejects(async () => stored, /sandboxed/);
    }),
  );

  it(
    'works in a sandboxed frame that keeps its origin',
    visiting(async ({ page }) => {
      const inner = world.put('/inner', {});
      const values = { inner, sandbox: 'sandbox="allow-scripts allow-same-origin allow-forms"' };
      await page.goto(world.put('/', { page: 'frame.html', values }));
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: 'Open assistant' }).click();
      await frame.getByRole('textbox', { name: 'Ask a question…' }).fill(question);
      await page.keyboard.press('Enter');
      const answer = frame.getByRole('article', { name: 'Assistant' });
      await answer.getByText('apt install heron').first().waitFor();
    }),
  );
});
