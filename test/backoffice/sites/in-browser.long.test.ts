import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../../browser/support/accessibility.js';
import { describeInBrowser, visiting } from '../../browser/support/visiting.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { openPage } from '../support/open-page.js';

describeInBrowser('The site pages in a browser', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ada: TestUser;

  before(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test);
    ada = await addUser(test, acme, 'admin');
  });
  after(() => test.close());

  const open = (page: Page, path: string) => openPage(page, `${test.url}/backoffice${path}`, ada);

  it(
    'show each change of the form in the real widget, and create the key',
    visiting(async ({ page }) => {
      await open(page, '/sites/keys/new');
      const frame = page.frameLocator('iframe');
      await frame.getByRole('button', { name: 'What can you help me with?' }).waitFor();
      await page.getByLabel('Name of the key').fill('Website');
      await page.getByLabel('Title', { exact: true }).fill('Ask the gardener');
      await frame.getByText('Ask the gardener').waitFor();
      await page.getByLabel('Suggested questions').fill('When to sow?\nWhen to water?');
      await page.getByLabel('Language').selectOption('de');
      const send = frame.getByRole('button', { name: 'When to water?' });
      await send.click();
      await frame.getByText('This is how an answer looks').first().waitFor();
      await page.getByRole('button', { name: 'Make a widget key' }).click();
      await page.getByRole('heading', { name: 'The key is made' }).waitFor();
      await page.getByText(/data-title="Ask the gardener" data-language="de"/).waitFor();
      assert.deepEqual(await accessibilityFaults(page, { whole: true }), []);
    }),
  );

  // accessibility.long.test.ts covers dark.
  it(
    'update the preview with a button, and create a key, without JavaScript',
    visiting(
      async ({ page }) => {
        await open(page, '/sites/keys/new');
        await page.getByLabel('Name of the key').fill('Plain');
        await page.getByLabel('Title', { exact: true }).fill('Kept');
        await page.getByRole('button', { name: 'Show in the preview' }).click();
        await page.frameLocator('iframe').locator('[data-title=Kept]').waitFor({
          state: 'attached',
        });
        await page.getByRole('button', { name: 'Make a widget key' }).click();
        await page.getByRole('heading', { name: 'The key is made' }).waitFor();
        await page.getByRole('link', { name: 'Go to the key' }).click();
        await page.getByRole('heading', { name: 'Plain' }).waitFor();
      },
      { javaScriptEnabled: false },
    ),
  );
});
