import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openHostSite, type HostSite } from './support/host-site.js';
import { scriptOfPart } from './support/load-part.js';
import { describeInBrowser, visiting } from './support/visiting.js';

const csp =
  "default-src 'none'; script-src 'self'; img-src data:; style-src 'unsafe-inline'; require-trusted-types-for 'script'";

describeInBrowser('The theme of the widget', () => {
  let site: HostSite;
  before(async () => {
    site = await openHostSite();
    site.put('/part.js', {
      body: await scriptOfPart('chat/theme/follow-theme.ts', 'chat/theme/follow-host.ts'),
    });
    site.put('/begin.js', {
      body: `var host = document.createElement('div');
        document.documentElement.append(host);
        var theme = part.followTheme(host, document.currentScript.dataset.mode, () => Promise.resolve(part.followHost));`,
    });
  });
  after(() => site.close());

  /** Opens a page of this content, with a host in this theme. */
  const open = async (page: Page, content: string, mode = 'host') => {
    site.put('/', {
      body: `<!doctype html>${content}<script src="/part.js"></script><script src="/begin.js" data-mode="${mode}"></script>`,
      headers: { 'content-security-policy': csp },
    });
    await page.goto(site.url('/'));
  };
  const shown = (page: Page) =>
    page.evaluate<Record<string, string>>(
      `Object.fromEntries([['theme', host.dataset.theme], ...['accent', 'on-accent', 'background', 'text', 'font']
        .map((name) => [name, host.style.getPropertyValue('--a-' + name)])])`,
    );
  /** Polls from here: waitForFunction evaluates a string in the page, which the page’s policy forbids. */
  const becomes = async (page: Page, name: string, value: string) => {
    const end = Date.now() + 60_000;
    while ((await shown(page))[name] !== value && Date.now() < end)
      await page.evaluate('new Promise(requestAnimationFrame)');
    assert.equal((await shown(page))[name], value);
  };

  it(
    'is light or dark as configured, without colours of the page',
    visiting(async ({ page }) => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await open(page, '<body style="background:#fee">', 'light');
      assert.deepEqual(await shown(page), {
        ...{ theme: 'light', accent: '', 'on-accent': '', background: '', text: '', font: '' },
      });
      await page.evaluate('theme.set("dark")');
      assert.equal((await shown(page))['theme'], 'dark');
    }),
  );

  it(
    'follows the system’s colour scheme with auto, until it is stopped',
    visiting(async ({ page }) => {
      await page.emulateMedia({ colorScheme: 'light' });
      await open(page, '<body>', 'auto');
      assert.equal((await shown(page))['theme'], 'light');
      await page.emulateMedia({ colorScheme: 'dark' });
      await becomes(page, 'theme', 'dark');
      await page.evaluate('theme.stop()');
      await page.emulateMedia({ colorScheme: 'light' });
      await page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
      );
      assert.equal((await shown(page))['theme'], 'dark');
    }),
  );

  it(
    'takes the background, text colour, accent colour and font of the host page',
    visiting(async ({ page }) => {
      await open(
        page,
        '<style>:root{--bs-primary:#6f42c1}body{background:#fffaf0;color:#2b2b2b;font-family:Georgia,serif}</style><body>',
      );
      assert.deepEqual(await shown(page), {
        ...{ theme: 'light', accent: '#6f42c1', 'on-accent': '#ffffff', background: '#fffaf0' },
        ...{ text: '#2b2b2b', font: 'Georgia, serif' },
      });
      await page.evaluate('theme.set("dark")');
      assert.equal((await shown(page))['background'], '');
    }),
  );

  it(
    'has no colours until its code for host pages is loaded, and those of the system if loading fails',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/not to be had/);
      await page.emulateMedia({ colorScheme: 'dark' });
      await open(page, '<body style="background:#fffaf0;color:#2b2b2b">', 'light');
      const begin = `var other = document.createElement('div'), come, fail;
        var late = part.followTheme(other, 'host', () => new Promise((...ends) => ([come, fail] = ends)));
        other.dataset.theme ?? 'none'`;
      assert.equal(await page.evaluate(begin), 'none');
      const after = (what: string) =>
        page.evaluate(
          `${what}; new Promise(requestAnimationFrame).then(() => [other.dataset.theme, other.style.getPropertyValue('--a-background')])`,
        );
      assert.deepEqual(await after('come(part.followHost)'), ['light', '#fffaf0']);
      assert.equal(await page.evaluate(begin), 'none');
      assert.deepEqual(await after(`fail(new Error('not to be had'))`), ['dark', '']);
      const again = await after(`late.set('host'); come(part.followHost)`);
      assert.deepEqual(again, ['light', '#fffaf0']);
    }),
  );

  it(
    'follows changes of the host page: an attribute, a style sheet, a new body, a transition',
    visiting(async ({ page }) => {
      await open(
        page,
        `<head><style>body{background:#fff;color:#222;transition:background-color 80ms}
        [data-theme=dark] body{background:#101418;color:#ddd}</style></head><body>`,
      );
      assert.equal((await shown(page))['theme'], 'light');
      await page.evaluate('document.documentElement.dataset.theme = "dark"');
      await becomes(page, 'background', '#101418');
      await becomes(page, 'text', '#dddddd');
      await page.evaluate(`document.head.append(Object.assign(document.createElement('style'),
        { textContent: 'body{font-family:Verdana!important}' }))`);
      await becomes(page, 'font', 'Verdana');
      await page.evaluate(`document.body.replaceWith(document.createElement('body'));
        document.body.style.cssText = 'background:#fefefe!important;transition:none'`);
      await becomes(page, 'background', '#fefefe');
      await page.evaluate(
        'document.body.style.cssText = "background:#050505!important;transition:none"',
      );
      await becomes(page, 'background', '#050505');
    }),
  );
});
