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
  /** Asked from here: what waits within a page is evaluated there, which its policy forbids. */
  const becomes = async (page: Page, name: string, value: string) => {
    const end = Date.now() + 10_000;
    while ((await shown(page))[name] !== value && Date.now() < end)
      await page.evaluate('new Promise(requestAnimationFrame)');
    assert.equal((await shown(page))[name], value);
  };

  it(
    'is light or dark where the page says so, with nothing of the page in it',
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
    'follows the system while it is auto, and no longer once it is stopped',
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
    'takes background, text, accent and font of the host page',
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
    'shows no other colours before the page’s own have come, and those of the system where they do not come',
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

  const dark: [string, string][] = [
    ['a dark body', '<body style="background:#111;color:#eee">'],
    ['a dark root', '<html style="background:rgb(10 10 20)"><body style="color:#eee">'],
    ['oklch', '<body style="background:oklch(0.2 0.02 260);color:oklch(0.95 0.01 260)">'],
    ['lab', '<body style="background:lab(10% 0 -5);color:white">'],
    [
      'a root element that fills the window',
      '<body style="margin:0"><div style="min-height:100vh;background:#000;color:#fff">app</div>',
    ],
    [
      'light text on a gradient',
      '<html style="background:#fff"><body style="background:linear-gradient(#111,#333);color:#eee">',
    ],
    ['light text on a middle grey', '<body style="background:#808080;color:#fff">'],
    [
      'light text on a picture',
      '<body style="background:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=);color:#fff">',
    ],
    ['data-theme', '<html data-theme="dark">'],
    ['data-bs-theme', '<html data-bs-theme="dark">'],
    ['the class dark', '<html class="no-js dark">'],
    ['the class theme-dark on the body', '<body class="theme-dark">'],
    ['data-color-mode', '<html data-color-mode="dark">'],
    ['color-scheme', '<style>:root{color-scheme:dark}</style><body>'],
    ['the meta of color-scheme', '<meta name="color-scheme" content="dark"><body>'],
  ];
  for (const [what, content] of dark)
    it(
      `takes a host page for dark by ${what}`,
      visiting(async ({ page }) => {
        await open(page, content);
        assert.equal((await shown(page))['theme'], 'dark');
      }),
    );

  const light: [string, string][] = [
    ['that says nothing', '<body>'],
    [
      'with a white background, whatever it is marked as',
      '<html class="dark"><body style="background:#fff">',
    ],
    ['with dark text on a middle grey', '<body style="background:#777;color:#000">'],
    ['with the class darken', '<body class="darken highlight">'],
    [
      'with color-scheme light dark, by the system',
      '<style>:root{color-scheme:light dark}</style><body>',
    ],
  ];
  for (const [what, content] of light)
    it(
      `takes a host page for light ${what}`,
      visiting(async ({ page }) => {
        await open(page, content);
        assert.equal((await shown(page))['theme'], 'light');
      }),
    );

  const accents: [string, string, string][] = [
    [
      'a custom property of bare numbers',
      '<style>:root{--primary:221 83% 53%}</style><body>',
      '#2463eb',
    ],
    ['accent-color', '<style>html{accent-color:#a21caf}</style><body>', '#a21caf'],
    ['a button', '<body><button type="submit" style="background:#b45309">Go</button>', '#b45309'],
    ['links', '<style>a{color:#0f766e}</style><body><a href="/x">x</a>', '#0f766e'],
    ['nothing, where links are as the browser has them', '<body><a href="/x">x</a>', '#3355d1'],
    ['a pale one, darkened', '<style>:root{--accent:#ffe08a}</style><body>', '#807045'],
  ];
  for (const [what, content, accent] of accents)
    it(
      `takes the accent from ${what}`,
      visiting(async ({ page }) => {
        await open(page, content);
        assert.equal((await shown(page))['accent'], accent);
      }),
    );

  it(
    'follows what changes on the host page: a mark, a style sheet, a body of its own, a transition',
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
