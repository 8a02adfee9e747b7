import { findFirefox, findWebKit } from './every-browser.js';
import { findBrowser, findHeadlessBrowser, installHeadlessShell } from './find-browser.js';

/*
 * Run before the tests: several processes that each need a browser must not each install one. With --every, Firefox and
 * WebKit too.
 */

const { executablePath } = findBrowser();
installHeadlessShell();
const headless = findHeadlessBrowser().executablePath;
const others = process.argv.includes('--every') ? [findFirefox(), findWebKit().driver] : [];
const found = new Set([executablePath ?? 'Playwright’s Chromium', headless, ...others]);
found.delete(undefined);
process.stdout.write(`Browsers for the tests: ${[...found].join(', ')}\n`);
