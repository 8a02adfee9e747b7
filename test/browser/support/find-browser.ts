import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { findInstalled, findProgram, installPackages, run, type Program } from './find-program.js';

/** Launch options of a Chromium: its path, or none for Playwright's own. */
export type FoundBrowser = { executablePath?: string };

/** An installed Chromium, or one that apt or Playwright installs. */
export function findBrowser(): FoundBrowser {
  // Playwright downloads the headless shell, so the path of its full Chromium proves nothing.
  if (downloaded) return {};
  try {
    const executablePath = findProgram({
      ...{ name: 'Chromium', variable: 'CHROMIUM_PATH', packages: ['chromium'] },
      ...{ asked: '--version', answers: /chrom(e|ium)/i },
      paths: [
        '/usr/bin/chromium',
        '/usr/bin/chromium-browser',
        '/usr/bin/google-chrome',
        '/usr/bin/google-chrome-stable',
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      ],
    });
    return { executablePath };
  } catch (error) {
    const failure = process.env['CHROMIUM_PATH'] ? '' : downloadByPlaywright();
    if (failure === undefined) return {};
    if (error instanceof Error) error.message += `\n${failure}`;
    throw error;
  }
}

/** Chromium without its windows: a page takes a quarter of the time. It can't load extensions. */
const headlessShell: Program = {
  ...{ name: 'Chromium without windows', variable: 'CHROMIUM_PATH' },
  ...{ packages: ['chromium-headless-shell'], asked: '--version', answers: /chrom(e|ium)/i },
  paths: ['/usr/bin/chromium-headless-shell', '/usr/bin/headless-shell'],
};

/** The headless shell, if it is available at once. The full Chromium works too. */
export function installHeadlessShell(): void {
  if (process.env['CHROMIUM_PATH'] || findInstalled(headlessShell) !== undefined) return;
  installPackages(headlessShell.packages);
}

/** The browser for pages: the Chromium of CHROMIUM_PATH, else the headless shell, else any. */
export function findHeadlessBrowser(): FoundBrowser {
  const executablePath = process.env['CHROMIUM_PATH'] ? undefined : findInstalled(headlessShell);
  return executablePath === undefined ? findBrowser() : { executablePath };
}

let downloaded = false;

function downloadByPlaywright(): string | undefined {
  const home = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
  const cli = [process.execPath, join(home, 'cli.js'), 'install'];
  const failure =
    run([...cli, '--with-deps', 'chromium-headless-shell']) === undefined
      ? undefined
      : run([...cli, 'chromium-headless-shell']);
  downloaded = failure === undefined;
  return failure;
}

/** Launches it for tests: headless, within a container as well, and without calls of its own to anywhere. */
export function launchBrowser(args: string[] = []) {
  return chromium.launch({
    ...findHeadlessBrowser(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Host pages on registered domains are pages of this machine.
      '--host-resolver-rules=MAP *.example.com 127.0.0.1, MAP *.example 127.0.0.1',
      ...args,
    ],
  });
}
