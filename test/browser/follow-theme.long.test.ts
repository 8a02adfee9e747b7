import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openHostSite, type HostSite } from './support/host-site.js';
import { scriptOfPart } from './support/load-part.js';
import { describeInBrowser, visiting } from './support/visiting.js';

const csp =
  "default-src 'none'; script-src 'self'; img-src data:; style-src 'unsafe-inline'; require-trusted-types-for 'script'";

describeInBrowser('The theme of the widget on host pages of every kind', () => {
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
});
