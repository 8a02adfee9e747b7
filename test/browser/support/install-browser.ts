import { findFirefox, findWebKit } from './every-browser.js';
import { findBrowser } from './find-browser.js';

/* Run before the tests: several processes that each need a browser must not each install one. */

const { executablePath } = findBrowser();
const found = [executablePath ?? 'Playwright’s Chromium', findFirefox(), findWebKit().driver];
process.stdout.write(`Browsers for the tests: ${found.join(', ')}\n`);
