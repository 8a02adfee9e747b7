import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { packageRoot } from '../../../src/platform/package-root.js';
import { openHostSite, type HostSite } from './host-site.js';

/** A site with the stage: `/stage.js`, and a page with it at `/` under the strictest policy. */
export async function openStageSite(): Promise<HostSite> {
  const { outputFiles } = await build({
    entryPoints: [join(packageRoot(), 'test/browser/support/view-stage.js')],
    ...{ bundle: true, write: false, format: 'iife', target: 'es2022', logLevel: 'silent' },
  });
  const site = await openHostSite();
  site.put('/stage.js', { body: outputFiles[0]?.text ?? '' });
  putStagePage(site, '/', '');
  return site;
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'none'; require-trusted-types-for 'script'";

/** Puts another page with the stage on the site. With its own styles, it has no policy. */
export function putStagePage(site: HostSite, path: string, styles: string): void {
  const text = '<p>Some text of the page.</p>'.repeat(60);
  site.put(path, {
    body: `<!doctype html><html lang="en"><head><title>Shop</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">${styles}</head>
      <body><main><h1>Shop</h1><button id="b">Buy</button>${text}<p id="end">The end.</p></main>
      <script src="/stage.js"></script></body></html>`,
    headers: styles === '' ? { 'content-security-policy': policy } : {},
  });
}

/** Opens the page and mounts the view; with `open`, by its button. */
export async function openStage(
  page: Page,
  site: HostSite,
  {
    options = {},
    open = true,
    path = '/',
  }: { options?: object; open?: boolean; path?: string } = {},
): Promise<void> {
  await page.goto(site.url(path));
  await page.evaluate(`stage.mount(${JSON.stringify(options)})`);
  if (open) await page.getByRole('button', { name: 'Open assistant' }).click();
}

/** Puts a question with a waiting answer into the conversation. */
export async function ask(page: Page): Promise<void> {
  await page.evaluate(
    `stage.set({ messages: [stage.question('How?'), stage.answer('', { status: 'waiting' })] })`,
  );
}

/** Ends the last answer as `text`, with sources of these titles. `more`: options of its reply, as JSON. */
export async function finish(
  page: Page,
  text: string,
  titles: string[] = [],
  more = '{}',
): Promise<void> {
  await page.evaluate(`stage.finish(${JSON.stringify(text)}, ${JSON.stringify(titles)}, ${more})`);
}

/** The view's calls of the session method `of`, the oldest first, without the name. */
export async function callsOf(page: Page, of: string): Promise<unknown[][]> {
  const calls = await page.evaluate<unknown[][]>('stage.calls');
  return calls.filter(([name]) => name === of).map(([, ...args]) => args);
}
