import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openHostSite, type HostSite } from './support/host-site.js';
import { scriptOfPart } from './support/load-part.js';
import { describeInBrowser, visiting } from './support/visiting.js';

const csp =
  "default-src 'none'; script-src 'self'; img-src data:; style-src 'unsafe-inline'; require-trusted-types-for 'script'";

describeInBrowser('The theme of the widget on various host pages', () => {
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

  const dark: [string, string][] = [
    ['a dark body', '<body style="background:#111;color:#eee">'],
    ['a dark root element', '<html style="background:rgb(10 10 20)"><body style="color:#eee">'],
    [
      'a dark colour in oklch',
      '<body style="background:oklch(0.2 0.02 260);color:oklch(0.95 0.01 260)">',
    ],
    ['a dark colour in lab', '<body style="background:lab(10% 0 -5);color:white">'],
    [
      'a dark element that fills the window',
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
    ['the attribute data-theme', '<html data-theme="dark">'],
    ['the attribute data-bs-theme', '<html data-bs-theme="dark">'],
    ['the class dark', '<html class="no-js dark">'],
    ['the class theme-dark on the body', '<body class="theme-dark">'],
    ['the attribute data-color-mode', '<html data-color-mode="dark">'],
    ['the property color-scheme', '<style>:root{color-scheme:dark}</style><body>'],
    ['a color-scheme meta tag', '<meta name="color-scheme" content="dark"><body>'],
  ];
  for (const [what, content] of dark)
    it(
      `is dark on a host page with ${what}`,
      visiting(async ({ page }) => {
        await open(page, content);
        assert.equal((await shown(page))['theme'], 'dark');
      }),
    );

  const light: [string, string][] = [
    ['without colours', '<body>'],
    [
      'with a white background, even if it has the class dark',
      '<html class="dark"><body style="background:#fff">',
    ],
    ['with dark text on a middle grey', '<body style="background:#777;color:#000">'],
    ['with the class darken', '<body class="darken highlight">'],
    [
      'with color-scheme “light dark” on a light system',
      '<style>:root{color-scheme:light dark}</style><body>',
    ],
  ];
  for (const [what, content] of light)
    it(
      `is light on a host page ${what}`,
      visiting(async ({ page }) => {
        await open(page, content);
        assert.equal((await shown(page))['theme'], 'light');
      }),
    );

  const accents: [string, string, string][] = [
    [
      'a custom property with bare HSL numbers',
      '<style>:root{--primary:221 83% 53%}</style><body>',
      '#2463eb',
    ],
    ['the property accent-color', '<style>html{accent-color:#a21caf}</style><body>', '#a21caf'],
    ['a button', '<body><button type="submit" style="background:#b45309">Go</button>', '#b45309'],
    ['links', '<style>a{color:#0f766e}</style><body><a href="/x">x</a>', '#0f766e'],
    ['its default if links have the browser’s own colour', '<body><a href="/x">x</a>', '#3355d1'],
    ['a pale colour, darkened', '<style>:root{--accent:#ffe08a}</style><body>', '#807045'],
  ];
  for (const [what, content, accent] of accents)
    it(
      `takes its accent colour from ${what}`,
      visiting(async ({ page }) => {
        await open(page, content);
        assert.equal((await shown(page))['accent'], accent);
      }),
    );
});
