import { findBrowser } from './find-browser.js';

/* Run before the tests: several processes that each need a browser must not each install one. */

process.stdout.write(`Browser for the tests: ${findBrowser().executablePath ?? 'Playwright’s'}\n`);
