import assert from 'node:assert/strict';
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

describeInBrowser('The pages for admins in a browser', () => {
  let test: TestApp & { url: string };
  let ada: TestUser;

  before(async () => {
    test = await serveTestApp({});
    const acme = await addOrganization(test);
    ada = await addUser(test, acme, 'admin');
  });
  after(() => test.close());

  const at = (path: string) => `${test.url.replace('127.0.0.1', 'localhost')}/backoffice${path}`;

  // That no page of these has a fault is tested by accessibility.long.test.ts.
  it(
    'ask for the password before they erase a person',
    visiting(async ({ page }) => {
      await openPage(page, at('/me'), ada);
      await page.goto(at('/people/data?person=visitor:nobody'));
      await page.fill('#erase-again', 'visitor:nobody');
      await page.click('button:has-text("Erase for good")');
      await page.locator('h1', { hasText: 'Confirm with your password' }).waitFor();
      assert.deepEqual(await accessibilityFaults(page, { whole: true }), []);
      assert.equal(
        await page.evaluate('document.activeElement.name'),
        'current_password',
        'the password field has the focus',
      );
    }),
  );
});
