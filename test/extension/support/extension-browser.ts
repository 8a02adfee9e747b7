import { join } from 'node:path';
import { chromium, type BrowserContext, type Page, type Worker } from 'playwright-core';
import { buildExtension } from '../../../src/extension/build-extension.js';
import { findBrowser } from '../../browser/support/find-browser.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

/** A browser with the extension, built as it ships with one exception: see openExtensionBrowser. */
export interface ExtensionBrowser {
  context: BrowserContext;
  worker: Worker;
  /** The address of one of the extension's own pages. */
  address: (path: string) => string;
  /** Exceptions and errors of the extension's own pages and worker. */
  problems: string[];
  close: () => Promise<void>;
}

/**
 * Tests can't click on the browser's own question whether an extension may access a site, since it is not part of a
 * page. So this build has that access from the beginning. Everything else is as it ships. With an empty `hostAccess`,
 * the whole build is.
 */
export async function openExtensionBrowser(
  hostAccess: readonly string[] = ['http://*/*', 'https://*/*'],
): Promise<ExtensionBrowser> {
  const locale = 'en-GB';
  const folder = await makeTemporaryFolder();
  const extension = join(folder.path, 'extension');
  await buildExtension(extension, { hostAccess });
  const context = await chromium.launchPersistentContext(join(folder.path, 'profile'), {
    ...findBrowser(),
    ...{ headless: false, locale, viewport: { width: 1100, height: 720 }, reducedMotion: 'reduce' },
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...[`--load-extension=${extension}`, `--disable-extensions-except=${extension}`],
      ...[`--lang=${locale}`, '--enable-unsafe-extension-debugging'],
      '--host-resolver-rules=MAP *.example.com 127.0.0.1, MAP *.example 127.0.0.1, MAP *.example.org ~NOTFOUND',
    ],
  });
  context.setDefaultTimeout(45_000);
  const worker =
    context.serviceWorkers()[0] ??
    (await context.waitForEvent('serviceworker', { timeout: 45_000 }));
  const own = new URL('.', worker.url()).href;
  const problems: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && message.location().url.startsWith(own)) {
      problems.push(message.text());
    }
  });
  context.on('weberror', (error) => {
    if (error.page()?.url().startsWith(own)) problems.push(String(error.error()));
  });
  return {
    ...{ context, worker, problems },
    address: (path) => own + path,
    async close() {
      await context.close();
      await folder.remove();
    },
  };
}

/** Opens the side panel as a page in a window, so that tests can click on it. */
export async function openPanel({ context, worker, address }: ExtensionBrowser): Promise<Page> {
  const opened = context.waitForEvent('page');
  await worker.evaluate(`(async () => {
    const { id } = await chrome.windows.getLastFocused({ windowTypes: ['normal'] });
    const url = ${JSON.stringify(address('panel.html'))} + '?window=' + id;
    await chrome.windows.create({ url, type: 'popup', focused: false, width: 400, height: 760 });
  })()`);
  const panel = await opened;
  await panel.setViewportSize({ width: 400, height: 760 });
  return panel;
}

interface Node {
  nodeName: string;
  nodeValue: string;
  backendNodeId: number;
  children?: Node[];
  shadowRoots?: Node[];
}

/** The banner on a page, in a closed shadow root, which scripts of the page can't access. */
export async function readBanner(page: Page) {
  await page.locator('assistant-invitation').waitFor({ state: 'attached' });
  const debuggee = await page.context().newCDPSession(page);
  const { root } = await debuggee.send('DOM.getDocument', { depth: -1, pierce: true });
  const host = find(root, (node) => node.nodeName === 'ASSISTANT-INVITATION')[0];
  const shadow = host?.shadowRoots?.[0];
  if (shadow === undefined) throw new Error('the banner has no shadow root');
  const buttons = find(shadow, ({ nodeName }) => nodeName === 'BUTTON');
  return {
    text: wordsOf(shadow),
    /** Clicks where the button is, with the mouse. */
    click: async (name: string) => {
      const button = buttons.find((one) => wordsOf(one) === name);
      if (button === undefined) throw new Error(`the banner has no button ${name}`);
      const { backendNodeId } = button;
      const { model } = await debuggee.send('DOM.getBoxModel', { backendNodeId });
      const [left = 0, top = 0, , , right = 0, bottom = 0] = model.content;
      await page.mouse.click((left + right) / 2, (top + bottom) / 2);
    },
  };
}

function find(node: Node, wanted: (node: Node) => boolean): Node[] {
  const below = [...(node.children ?? []), ...(node.shadowRoots ?? [])];
  return [...(wanted(node) ? [node] : []), ...below.flatMap((one) => find(one, wanted))];
}

function wordsOf(node: Node): string {
  return find(node, ({ nodeName }) => nodeName === '#text')
    .map(({ nodeValue }) => nodeValue.trim())
    .join(' ')
    .trim();
}

/**
 * Runs an expression in the context of a page's content script, with its rights, as an attacker could who has taken
 * over the page's process. Waits until the content script exists.
 */
export async function inContentWorld(page: Page, expression: string): Promise<unknown> {
  const debuggee = await page.context().newCDPSession(page);
  const found = new Promise<number>((resolve) => {
    debuggee.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.origin.startsWith('chrome-extension://')) resolve(context.id);
    });
  });
  await debuggee.send('Runtime.enable');
  const contextId = await found;
  const { result, exceptionDetails } = await debuggee.send('Runtime.evaluate', {
    ...{ expression, contextId, awaitPromise: true, returnByValue: true },
  });
  await debuggee.detach();
  if (exceptionDetails !== undefined) {
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }
  return result.value;
}

/** Clicks the extension's button in the toolbar, beside the page that is shown at this address. */
export async function clickAction({ context, address }: ExtensionBrowser, url: string) {
  const browser = context.browser();
  if (browser === null) throw new Error('the browser can not be reached beside its pages');
  const debuggee = await browser.newBrowserCDPSession();
  const { targetInfos } = await debuggee.send('Target.getTargets', { filter: [{ type: 'tab' }] });
  const tab = targetInfos.find((target) => target.url === url);
  if (tab === undefined) throw new Error(`no tab is at ${url}`);
  // Newer than what is known of the protocol here.
  const send = debuggee.send.bind(debuggee) as (method: string, params: object) => Promise<object>;
  const id = new URL(address('')).host;
  await send('Extensions.triggerAction', { id, targetId: tab.targetId });
  await debuggee.detach();
}
