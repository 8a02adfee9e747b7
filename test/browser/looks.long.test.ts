import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inPage } from './support/in-page.js';
import { describeInBrowser, visiting } from './support/visiting.js';
import { openWidgetWorld, widgetOn, type WidgetWorld } from './support/widget-world.js';

const question = 'How do I install the program on Linux?';
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describeInBrowser('The widget on screen', () => {
  let world: WidgetWorld;
  before(async () => {
    world = await openWidgetWorld();
  });
  after(() => world.close());

  const openOn = async (page: Page, attributes: Record<string, string> = {}, name?: string) => {
    await page.goto(world.put('/', { attributes, ...(name === undefined ? {} : { page: name }) }));
    const widget = widgetOn(page);
    await widget.open();
    return widget;
  };
  const colours = (page: Page) =>
    page
      .getByRole('dialog')
      .evaluate(
        inPage<Colours>(
          '(element) => { const { backgroundColor, color, fontFamily, colorScheme } = getComputedStyle(element); return { background: backgroundColor, text: color, font: fontFamily, scheme: colorScheme }; }',
        ),
      );
  /** Also checks the color-scheme, which scrollbars and other controls of the browser follow. */
  const isDark = async (page: Page) => {
    const { background, scheme } = await colours(page);
    const dark = luminance(background) < 0.2;
    assert.equal(scheme, dark ? 'dark' : 'light');
    return dark;
  };
  /** A change of the page is followed at the next frame or two. */
  const becomes = async (page: Page, dark: boolean) => {
    const end = Date.now() + 5000;
    while ((await isDark(page)) !== dark && Date.now() < end)
      await page.evaluate('new Promise(requestAnimationFrame)');
    assert.equal(await isDark(page), dark);
  };

  it(
    'is light or dark as configured, and follows the system with auto',
    visiting(async ({ page }) => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await openOn(page, { theme: 'light' });
      assert.equal(await isDark(page), false);
      await openOn(page, { theme: 'dark' });
      assert.equal(await isDark(page), true);
      await openOn(page, { theme: 'auto' });
      assert.equal(await isDark(page), true);
      await page.emulateMedia({ colorScheme: 'light' });
      await becomes(page, false);
      await page.emulateMedia({ colorScheme: 'dark' });
      await becomes(page, true);
    }),
  );

  it(
    'takes the page’s colours and font with the theme host, and follows their changes',
    visiting(async ({ page }) => {
      await openOn(page, { theme: 'host' }, 'dark.html');
      assert.equal(await isDark(page), true);
      assert.match((await colours(page)).font, /Georgia/);
      await page.evaluate(`document.documentElement.dataset.theme = 'light';
        document.documentElement.style.colorScheme = 'light';`);
      await becomes(page, false);
      await page.evaluate(`document.documentElement.dataset.theme = 'dark';
        document.documentElement.style.colorScheme = 'dark';`);
      await becomes(page, true);
    }),
  );

  it(
    'has its panel in the configured corner, with the configured z-index',
    visiting(async ({ page }) => {
      for (const position of ['bottom-left', 'bottom-right']) {
        const { panel } = await openOn(page, { position, 'z-index': '77' });
        const box = await panel.boundingBox();
        assert.ok(box !== null);
        assert.equal(box.x < 640 - box.width / 2, position === 'bottom-left');
        assert.equal(
          await page.evaluate(
            `document.elementsFromPoint(${box.x + 50}, ${box.y + 100})[0].localName`,
          ),
          'assistant-widget',
        );
        await page.evaluate(`const over = document.createElement('div'); over.id = 'over';
          over.style.cssText = 'position: fixed; inset: 0; z-index: 78'; document.body.append(over);`);
        assert.equal(
          await page.evaluate(`document.elementsFromPoint(${box.x + 50}, ${box.y + 100})[0].id`),
          'over',
        );
      }
    }),
  );

  it(
    'opens by itself with autoOpen, without taking the focus, and hides its button with collapsed',
    visiting(async ({ page }) => {
      await page.goto(world.put('/', { attributes: { 'auto-open': '' } }));
      await widgetOn(page).panel.waitFor();
      assert.equal(await page.evaluate('document.activeElement === document.body'), true);
      await page.goto(world.put('/', { attributes: { collapsed: 'true' } }));
      await page.waitForFunction('window.Assistant !== undefined');
      assert.equal(await widgetOn(page).launcher.isVisible(), false);
      await page.evaluate('Assistant.open()');
      await widgetOn(page).panel.waitFor();
    }),
  );

  it(
    'links to the configured documentation for help',
    visiting(async ({ page }) => {
      const docs = 'https://docs.heron.example/manual';
      const { button, panel } = await openOn(page, { 'docs-base-url': docs });
      await button('Menu').click();
      const link = panel.getByRole('link', { name: /Help/ });
      assert.equal((await link.getAttribute('href'))?.replace(/\/$/, ''), docs);
    }),
  );

  for (const language of ['en', 'es', 'de'] as const)
    it(
      `has texts in ${language} if the option, the page or the browser names that language`,
      visiting(async ({ page, another }) => {
        const shown = async (on: Page, address: string) => {
          await on.goto(address);
          const { open, composer } = widgetOn(on, language);
          await open();
          assert.ok(await composer.isVisible());
        };
        await shown(page, world.put('/', { attributes: { language } }));
        await shown(page, world.put('/', { values: { language: `${language}-CH` } }));
        const locale = { en: 'en-US', es: 'es-MX', de: 'de-AT' }[language];
        const foreign = await another({ locale });
        await shown(foreign.page, world.put('/', { values: { language: '' } }));
      }),
    );

  const screens = {
    'a phone': phone,
    '320 pixels': { viewport: { width: 320, height: 568 } },
    'a desktop at 200 %': { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
    'a phone on its side': {
      viewport: { width: 844, height: 390 },
      hasTouch: true,
      isMobile: true,
    },
  };
  for (const [screen, options] of Object.entries(screens))
    it(
      `fills ${screen} without horizontal scrolling, even with a table in an answer`,
      visiting(
        async ({ page }) => {
          const { panel, ask, composer, button } = await openOn(page);
          const { width, height } = options.viewport;
          const fits = async () => {
            const box = await panel.boundingBox();
            assert.deepEqual(
              [box?.x, box?.y, box?.width, box?.height].map((edge) => Math.round(edge ?? -1)),
              [0, 0, width, height],
            );
            const wide = await panel.evaluate(
              inPage<string[]>(`(panel) => [panel, ...panel.querySelectorAll('*')]
              .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
              .filter((element) => !['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowX) || element.getAttribute('role') === 'log')
              .map((element) => element.tagName + '.' + element.className)`),
            );
            assert.deepEqual(wide, []);
            assert.equal(
              await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
              true,
            );
            assert.ok(await composer.isVisible());
          };
          await fits();
          await ask('What does the Studio licence cost?');
          await ask(question);
          await fits();
          await button('Close assistant').first().click();
          await panel.waitFor({ state: 'hidden' });
          assert.ok(await widgetOn(page).launcher.isVisible());
        },
        { ...options, reducedMotion: 'reduce' },
      ),
    );

  it(
    'has no animations if the system asks for reduced motion',
    visiting(
      async ({ page }) => {
        const { panel } = await openOn(page);
        const moving = await panel.evaluate(
          inPage<string[]>(`(panel) => [panel, ...panel.querySelectorAll('*')].filter((element) => {
            const { transitionDuration, animationDuration, animationName } = getComputedStyle(element);
            const longest = (text) => Math.max(...text.split(',').map(parseFloat));
            return longest(transitionDuration) > 0.01 || (animationName !== 'none' && longest(animationDuration) > 0.01);
          }).map((element) => element.tagName + '.' + element.className)`),
        );
        assert.deepEqual(moving, []);
      },
      { reducedMotion: 'reduce' },
    ),
  );

  it(
    'has visible borders of panel and composer with forced colours',
    visiting(
      async ({ page }) => {
        const { panel, composer } = await openOn(page);
        for (const element of [panel, composer.locator('xpath=..')]) {
          const { width, style } = await element.evaluate(
            inPage<{ width: string; style: string }>(
              `(element) => { const { borderTopWidth, borderTopStyle, outlineStyle } = getComputedStyle(element);
              return { width: borderTopWidth, style: borderTopStyle === 'none' ? outlineStyle : borderTopStyle }; }`,
            ),
          );
          assert.notEqual(style, 'none');
          assert.notEqual(width, '0px');
        }
      },
      { forcedColors: 'active' },
    ),
  );
});

interface Colours {
  background: string;
  text: string;
  font: string;
  scheme: string;
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}
