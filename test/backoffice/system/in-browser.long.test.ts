import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createBackup } from '../../../src/operations/backup/create-backup.js';
import { recordVerification } from '../../../src/operations/backup/backup-record.js';
import { accessibilityFaults } from '../../browser/support/accessibility.js';
import { describeInBrowser, visiting } from '../../browser/support/visiting.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestUser,
} from '../../support/test-app.js';
import { openPage } from '../support/open-page.js';

describeInBrowser('The system pages in a browser', () => {
  let test: TestApp & { url: string };
  let ada: TestUser;

  beforeEach(async () => {
    test = await serveTestApp({});
    ada = await addUser(test, await addOrganization(test), 'admin');
  });
  afterEach(() => test.close());

  const at = (path: string) => `${test.url.replace('127.0.0.1', 'localhost')}/backoffice${path}`;
  const inspect = async (page: Page, state: string, paths: string[]) => {
    for (const path of paths) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(at(path));
      await page.emulateMedia({ colorScheme: 'light' });
      assert.deepEqual(await accessibilityFaults(page, { whole: true }), [], `${path}, ${state}`);
      await page.emulateMedia({ colorScheme: 'dark' });
      const inDark = await accessibilityFaults(page, { whole: true, contrast: true });
      assert.deepEqual(inDark, [], `${path}, ${state}, in dark`);
      await page.setViewportSize({ width: 320, height: 800 });
      const isWide = 'document.documentElement.scrollWidth > innerWidth';
      assert.equal(await page.evaluate(isWide), false, `${path}, ${state}`);
    }
  };

  it(
    'show the result of an examination and a new backup without a reload',
    visiting(async ({ page }) => {
      await openPage(page, at('/me'), ada);
      await page.goto(at('/system'));
      await page.getByRole('button', { name: 'Examine now' }).click();
      await page.getByText('Last examination:').waitFor();
      await page.getByRole('status').filter({ hasText: 'The examination has ended.' }).waitFor();
      await page.getByRole('button', { name: 'Examine now' }).waitFor();
      await page.goto(at('/system/backups'));
      await page.getByRole('button', { name: 'Make a backup' }).click();
      await page.getByRole('rowheader').waitFor();
    }),
  ).timeout(60_000);

  it(
    'have no fault for axe-core, empty, running and full, light and dark',
    visiting(async ({ page }) => {
      await openPage(page, at('/me'), ada);
      const changing = ['/system', '/system/backups'];
      await inspect(page, 'empty', [...changing, '/system/settings']);
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      for (const name of ['examination', 'backup']) test.app.longWork.start(name, () => ended);
      await inspect(page, 'running', changing);
      end();
      const { sha256 } = await createBackup(test.app, { configFile: undefined });
      await recordVerification(test.app.config, sha256, test.app.clock.now());
      await inspect(page, 'full', changing);
    }),
  ).timeout(60_000);
});
