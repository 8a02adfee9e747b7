import assert from 'node:assert/strict';
import { mintToken } from '../../../src/accounts/users/mint-token.js';
import { createWebhook } from '../../../src/notifications/manage-webhooks.js';
import { setUserQuota } from '../../../src/usage/manage-quotas.js';
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
  let paths: string[];

  before(async () => {
    test = await serveTestApp({ webhooks: { allow_private: true } });
    const acme = await addOrganization(test);
    ada = await addUser(test, acme, 'admin');
    const { id: userId } = await addUser(test, acme, 'backoffice');
    await mintToken(test.app, acme.operator, { userId, name: 'ci', days: 30 });
    await setUserQuota(test.app, acme.operator, { userId, unitsPerMonth: 1000 });
    const { id } = await createWebhook(test.app, acme.operator, { url: 'https://hooks.example/' });
    paths = [
      ...['/people', '/people/new', `/people/${userId}`, '/people/data', '/usage'],
      ...['/webhooks', `/webhooks/${id}`, '/deliveries', '/changes'],
    ];
  });
  after(() => test.close());

  const at = (path: string) => `${test.url.replace('127.0.0.1', 'localhost')}/backoffice${path}`;
  // accessibility.long.test.ts covers dark and the other languages.
  it(
    'have no fault for axe-core, and fit narrow windows',
    visiting(async ({ page }) => {
      await openPage(page, at('/me'), ada);
      for (const path of paths) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(at(path));
        assert.deepEqual(await accessibilityFaults(page, { whole: true }), [], path);
        await page.setViewportSize({ width: 320, height: 800 });
        const isWide = 'document.documentElement.scrollWidth > innerWidth';
        assert.equal(await page.evaluate(isWide), false, path);
      }
    }),
  );

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
