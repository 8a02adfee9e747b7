import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from './find-browser.js';

/** One browser for each process of a run. Each test has its own context in it, like a person with a fresh profile. */
let browser: Promise<Browser> | undefined;

export async function sharedBrowser(): Promise<Browser> {
  // A crashed browser fails only its own test.
  if ((await browser?.catch(() => undefined))?.isConnected() !== true) browser = launchBrowser();
  return browser as Promise<Browser>;
}

/** A process ends after its last file, and Playwright ends the browser with it. */
const isEndedByMocha = process.env['MOCHA_WORKER_ID'] !== undefined;

async function closeBrowser(): Promise<void> {
  if (isEndedByMocha) return;
  const open = browser;
  browser = undefined;
  await (await open)?.close();
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** The problems that this test expects on its pages. Any other problem fails it. */
  expectProblem: (pattern: RegExp) => void;
  /** All problems so far: errors of the console, exceptions that nobody caught, violations of a CSP. */
  problems: readonly string[];
  /** Another person, in a profile of their own. */
  another: (options?: BrowserContextOptions) => Promise<{ context: BrowserContext; page: Page }>;
}

/**
 * A describe whose tests need a browser; call it at the top of a file. One is found or installed before the first
 * test. It is closed after the last one, or serves the next file of the same process.
 */
export function describeInBrowser(title: string, body: () => void): void {
  after(closeBrowser);
  describe(title, () => {
    before('a browser', async function () {
      // Long enough to install one.
      this.timeout(900_000);
      await sharedBrowser();
    });
    body();
  });
}

/**
 * The body of a test: a visit in a context of its own, which is closed after it. The test fails on any problem of a
 * page that it did not expect.
 */
export function visiting(
  body: (visit: Visit) => Promise<void>,
  options: BrowserContextOptions = {},
): () => Promise<void> {
  return async () => {
    const shared = await sharedBrowser();
    const problems: string[] = [];
    const expected: RegExp[] = [];
    const contexts: BrowserContext[] = [];
    const another = async (more: BrowserContextOptions = {}) => {
      const context = await shared.newContext({ ...usual, ...options, ...more });
      context.setDefaultTimeout(45_000);
      contexts.push(context);
      watch(context, problems);
      return { context, page: await context.newPage() };
    };
    try {
      const expectProblem = (pattern: RegExp) => void expected.push(pattern);
      await body({ ...(await another()), another, problems, expectProblem });
      const surprising = problems.filter((text) => !expected.some((one) => one.test(text)));
      if (surprising.length > 0)
        throw new Error(`The page had problems:\n${surprising.join('\n')}`);
    } catch (error) {
      await keepScreenshots(contexts);
      if (error instanceof Error && problems.length > 0)
        error.message += `\nProblems of the page until then:\n${problems.join('\n')}`;
      throw error;
    } finally {
      await Promise.all(contexts.map((context) => context.close()));
    }
  };
}

/**
 * Resolves after the work that the page defers until it is idle. A busy browser may never be idle, so there is a time
 * limit, which is longer than any limit of the product.
 */
export async function untilIdle(page: Page): Promise<void> {
  for (let time = 0; time < 2; time += 1)
    await page.evaluate(
      'new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 }))',
    );
}

/** Stops animations, since drawing them costs time and a click waits for an element that no longer moves. */
const usual = { locale: 'en-GB', reducedMotion: 'reduce' } as const;

function watch(context: BrowserContext, problems: string[]): void {
  context.on('console', (message) => {
    // A violation of a CSP and a request that failed are errors in the console too.
    if (message.type() !== 'error') return;
    problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => problems.push(`exception: ${String(error.error())}`));
}

/** With BROWSER_SCREENSHOTS=folder, what the pages of a failed test looked like. */
async function keepScreenshots(contexts: BrowserContext[]): Promise<void> {
  const folder = process.env['BROWSER_SCREENSHOTS'];
  if (folder === undefined) return;
  for (const page of contexts.flatMap((context) => context.pages()))
    await page.screenshot({ path: `${folder}/failed-${Date.now()}.png` }).catch(() => undefined);
}
