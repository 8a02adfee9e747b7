import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';

/** What an installed Chromium is called, on Linux and on macOS. */
const names = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** What a Chromium is launched with: its path, or nothing where Playwright's own is to be taken. */
export type FoundBrowser = { executablePath?: string };

/**
 * A Chromium that runs here: the one of CHROMIUM_PATH, one that is installed, or one that is installed now (by apt
 * where that may be done, else by Playwright's download). Fails with what is missing; tests are never skipped for it.
 */
export function findBrowser(): FoundBrowser {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') {
    if (runs(chosen)) return { executablePath: chosen };
    throw new Error(`CHROMIUM_PATH names ${chosen}, which does not run with --version.`);
  }
  const tried: string[] = [];
  const steps = [() => undefined, installByApt, downloadByPlaywright];
  for (const step of steps) {
    const failure = step();
    if (failure !== undefined) tried.push(failure);
    const found = installed();
    if (found !== undefined) return found;
  }
  throw new Error(
    'The tests of the widget need Chromium, and none could be installed. Install it, or name it in CHROMIUM_PATH.\n' +
      tried.join('\n'),
  );
}

function installed(): FoundBrowser | undefined {
  const executablePath = names.find(runs);
  if (executablePath !== undefined) return { executablePath };
  // The path of Playwright's full Chromium is no sign of its headless shell, which is what was downloaded.
  return downloaded ? {} : undefined;
}

/** Some distributions put a script there that only says how to install one: it has to say its version. */
function runs(path: string): boolean {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return status === 0 && /chrom(e|ium)/i.test(stdout);
}

function installByApt(): string | undefined {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = [...asRoot, 'apt-get', '-q', '-y'];
  const failure = run([...apt, 'update']);
  // A list that could not be renewed may do all the same.
  return run([...apt, 'install', '--no-install-recommends', 'chromium']) ?? failure;
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

/** What went wrong, in its last words; undefined where nothing did. */
function run([command = '', ...args]: string[]): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status === 0) return undefined;
  const words = error?.message ?? stderr.trim().split('\n').slice(-3).join(' / ');
  return `  ${[command, ...args].join(' ')}: ${words}`;
}

/** Launches it for tests: headless, within a container as well, and without calls of its own to anywhere. */
export function launchBrowser(args: string[] = []) {
  return chromium.launch({
    ...findBrowser(),
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
