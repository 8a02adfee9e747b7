import assert from 'node:assert/strict';
import { openHostSite, type HostSite } from '../browser/support/host-site.js';
import {
  clickAction,
  openExtensionBrowser,
  type ExtensionBrowser,
} from './support/extension-browser.js';

describe('The shipped extension, without access to any site', () => {
  let browser: ExtensionBrowser;
  let site: HostSite;
  before(async function () {
    // Long enough to install a browser.
    this.timeout(900_000);
    site = await openHostSite();
    for (const path of ['/one', '/two']) {
      const body = `<!doctype html><title>Herons${path}</title><h1>Herons</h1>`;
      site.put(path, { body });
    }
    browser = await openExtensionBrowser([]);
  });
  after(async () => {
    await browser.close();
    await site.close();
  });

  /** The addresses of the tabs that the extension can see. */
  const seen = () =>
    browser.worker.evaluate<string[]>(
      'chrome.tabs.query({}).then((tabs) => tabs.flatMap(({ url }) => url ?? []).filter((url) => url.startsWith("http")))',
    );
  /** The page title that the content script reads in the active tab, or 'refused' if it may not run there. */
  const looked = () =>
    browser.worker.evaluate<string>(`(async () => {
      const [{ id: tabId }] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
      try {
        await chrome.scripting.executeScript({ target: { tabId }, files: ['content.js'] });
        return (await chrome.tabs.sendMessage(tabId, { type: 'look' })).title;
      } catch (error) {
        return 'refused';
      }
    })()`);

  it('sees only the page on which its button was clicked, and opens its panel there', async () => {
    const { context, worker } = browser;
    const page = await context.newPage();
    const url = site.url('/one', 'docs.example.com');
    await page.goto(url);
    assert.deepEqual(await seen(), []);
    assert.equal(await looked(), 'refused');
    const other = await context.newPage();
    await other.goto(site.url('/two', 'other.example.com'));
    await page.bringToFront();

    await clickAction(browser, url);
    await worker.evaluate(`(async () => {
      const end = Date.now() + 60_000;
      while ((await chrome.runtime.getContexts({ contextTypes: ['SIDE_PANEL'] })).length === 0) {
        if (Date.now() > end) throw new Error('no side panel was opened');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })()`);
    assert.deepEqual(await seen(), [url], 'the page of the click, and not the other tab');
    assert.equal(await looked(), 'Herons/one');

    await page.goto(site.url('/two', 'other.example.com'));
    assert.deepEqual(await seen(), [], 'gone with the page');
    assert.equal(await looked(), 'refused');
    assert.deepEqual(browser.problems, []);
  });

  it('has no registered content scripts and no permissions for sites', async () => {
    const registered = await browser.worker.evaluate<object[]>(
      'chrome.scripting.getRegisteredContentScripts()',
    );
    assert.deepEqual(registered, []);
    const { origins, permissions } = await browser.worker.evaluate<Record<string, string[]>>(
      'chrome.permissions.getAll()',
    );
    assert.deepEqual(origins, []);
    assert.deepEqual(permissions?.sort(), ['activeTab', 'scripting', 'sidePanel', 'storage']);
  });
});
