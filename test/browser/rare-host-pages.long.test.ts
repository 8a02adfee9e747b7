import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inPage } from './support/in-page.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import {
  hostName,
  openWidgetWorld,
  scriptPath,
  widgetOn,
  type PutPage,
  type WidgetWorld,
} from './support/widget-world.js';

const question = 'How do I install the program on Linux?';

describeInBrowser('The widget on rarer kinds of pages', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  /** Opens the panel by its button, asks, and is answered. */
  const works = async (page: Page) => {
    const { open, ask, composer } = widgetOn(page);
    await open();
    await composer.click();
    const answer = await ask(question);
    assert.ok((await answer.innerText()).includes('apt install heron'));
    return answer;
  };

  const script = () => world.gate.url + scriptPath;
  const key = () => world.key.key.key;
  const tag = (how: string) => `<script ${how} src="${script()}" data-api-key="${key()}"></script>`;
  const bare = (values: { head?: string; body?: string }): PutPage => ({
    page: 'bare.html',
    values: { head: '', body: '', ...values },
  });

  const pages: Record<string, () => PutPage> = {
    'with the resets of Bootstrap and Tailwind': () => ({ page: 'resets.html' }),
    'that load the script async, in the head': () => bare({ head: tag('async') }),
    'that load the script deferred': () => bare({ head: tag('defer') }),
    'that load the script in the head, before there is a body': () => bare({ head: tag('') }),
    'in quirks mode': () => ({ page: 'quirks.html' }),
  };

  for (const [what, made] of Object.entries(pages))
    it(
      `opens and answers on pages ${what}`,
      visiting(async ({ page }) => {
        await page.goto(world.put('/', made()));
        await works(page);
        assert.equal(await page.locator('assistant-widget').count(), 1);
      }),
    );

  it(
    'looks the same on a plain page and on pages that reset or unset all styles',
    visiting(
      async ({ page }) => {
        const looks: string[] = [];
        for (const name of ['plain.html', 'resets.html', 'hostile.html']) {
          await page.goto(world.put('/', { page: name, attributes: { theme: 'light' } }));
          const { open, panel } = widgetOn(page);
          await open();
          const look = await panel.evaluate(inPage<string[]>(lookOf));
          looks.push(JSON.stringify(look));
        }
        assert.equal(looks[1], looks[0]);
        assert.equal(looks[2], looks[0]);
      },
      { reducedMotion: 'reduce' },
    ),
  );

  it(
    'starts by its tag even if that is added after the page has loaded',
    visiting(async ({ page }) => {
      await page.goto(world.put('/', bare({})));
      await page.evaluate(`const late = document.createElement('script');
        late.src = ${JSON.stringify(script())}; late.dataset.apiKey = ${JSON.stringify(key())};
        document.head.append(late);`);
      await works(page);
    }),
  );

  it(
    'starts once and dispatches assistant:ready once if its script is included twice',
    visiting(async ({ page }) => {
      await page.addInitScript(
        `window.readies = 0; addEventListener('assistant:ready', () => readies++)`,
      );
      await page.goto(world.put('/', bare({ head: tag('async'), body: tag('') })));
      await widgetOn(page).launcher.waitFor();
      await page.waitForLoadState('load');
      assert.equal(await page.evaluate('readies'), 1);
      assert.equal(await page.locator('assistant-widget').count(), 1);
      await works(page);
    }),
  );

  it(
    'returns with its conversation if the page removes it, and gives up if the page keeps removing it',
    visiting(async ({ page }) => {
      await page.goto(world.put('/', {}));
      await works(page);
      const { composer, answers, panel } = widgetOn(page);
      await composer.fill('half a question');
      const isOpen = () => page.evaluate('Assistant.isOpen()');
      const remove = `document.querySelector('assistant-widget').remove()`;
      const another = `document.replaceChild(document.createElement('html'), document.documentElement)`;
      for (const taken of [remove, another]) {
        await page.evaluate(taken);
        await panel.waitFor();
        assert.equal(await isOpen(), true);
        assert.equal(await composer.inputValue(), 'half a question');
        assert.equal(await answers.count(), 1);
      }
      // The widget gives up if the page removes it every time.
      await page.evaluate(`window.taken = 0;
        const take = () => document.querySelectorAll('assistant-widget').forEach((one) => { taken++; one.remove() });
        window.keeper = new MutationObserver(take);
        keeper.observe(document.documentElement, { childList: true }); take()`);
      await page.waitForFunction('taken > 1');
      assert.ok((await page.evaluate<number>('taken')) < 5);
      assert.equal(await isOpen(), false);
      await page.evaluate('keeper.disconnect(); destroyAssistant()');
      assert.equal(await page.evaluate('document.querySelector("assistant-widget")'), null);
    }),
  );

  it(
    'works in a frame',
    visiting(async ({ page }) => {
      const inner = world.put('/inner', {});
      await page.goto(
        world.put('/', { page: 'frame.html', host: hostName, values: { inner, sandbox: '' } }),
      );
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: 'Open assistant' }).click();
      await frame.getByRole('textbox', { name: 'Ask a question…' }).fill(question);
      await page.keyboard.press('Enter');
      await frame
        .getByRole('article', { name: 'Assistant' })
        .getByText('apt install heron')
        .first()
        .waitFor();
    }),
  );

  for (const [how, blocked] of Object.entries({
    'throws at every access': `
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
        Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError') } });
      Object.defineProperty(document, 'cookie', { get() { throw new DOMException('blocked', 'SecurityError') }, set() { throw new DOMException('blocked', 'SecurityError') } });`,
    'is null': `Object.defineProperty(window, 'localStorage', { value: null });`,
    'is full': `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') };`,
  }))
    it(
      `works if the browser’s storage ${how}`,
      visiting(async ({ page }) => {
        await page.addInitScript({ content: blocked });
        await page.goto(world.put('/', {}));
        await works(page);
        const { ask, answers } = widgetOn(page);
        await ask('And on Windows?');
        assert.equal(await answers.count(), 2);
        const { data } = await messagesOf();
        assert.equal(data.length, 4, 'it is one conversation of one visitor');
      }),
    );

  it(
    'causes no layout shift on the page, from loading to an answer',
    visiting(async ({ page }) => {
      await page.addInitScript({
        content: `window.shifts = [];
          new PerformanceObserver((list) => {
            // The metric excludes shifts within half a second of a key press.
            for (const { hadRecentInput, value, sources } of list.getEntries())
              if (!hadRecentInput) shifts.push(value + ' ' + sources.map(({ node }) => node?.nodeName).join());
          }).observe({ type: 'layout-shift', buffered: true });`,
      });
      await page.goto(world.put('/', {}));
      const { open, composer, answers } = widgetOn(page);
      await open();
      await composer.click();
      await page.keyboard.type(question);
      await page.keyboard.press('Enter');
      await answers.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
      assert.deepEqual(await page.evaluate('shifts'), []);
    }),
  );

  /** The stored messages of the latest conversation. */
  const messagesOf = async (): Promise<{ data: { role: string }[] }> => {
    const conversations = await world.test.app.db
      .read<{ id: string }>('conversations')
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1);
    const [{ id } = { id: '' }] = conversations;
    const data = await world.test.app.db
      .read<{ role: string }>('messages')
      .where('conversation_id', id);
    return { data };
  };
});

/** The computed styles and sizes of the panel's elements, which a page must not change. */
const lookOf = `(panel) => {
  const properties = ['display', 'visibility', 'opacity', 'fontFamily', 'fontSize', 'lineHeight', 'letterSpacing',
    'textTransform', 'textAlign', 'color', 'backgroundColor', 'padding', 'margin', 'borderRadius', 'boxSizing', 'cursor',
    'pointerEvents', 'transform', 'zIndex'];
  return [panel, ...panel.querySelectorAll('header, h2, h3, button, textarea, form, [role=log]')].map((element) => {
    const style = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    return [element.tagName, element.getAttribute('aria-label'), Math.round(width), Math.round(height),
      ...properties.map((name) => name + ': ' + style[name])].join('; ');
  });
}`;
