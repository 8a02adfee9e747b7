import assert from 'node:assert/strict';
import { accessibilityFaults } from '../browser/support/accessibility.js';
import { describeInBrowser, visiting } from '../browser/support/visiting.js';
import { addOrganization, addUser, serveTestApp, type TestApp } from '../support/test-app.js';
import type { TestUser } from '../support/test-app.js';
import { openPage } from './support/open-page.js';

describeInBrowser('The backoffice in a browser', () => {
  let test: TestApp & { url: string };
  let ben: TestUser;
  before(async () => {
    test = await serveTestApp({});
    ben = await addUser(test, await addOrganization(test), 'backoffice');
  });
  after(() => test.close());

  const at = (path: string) => `${test.url.replace('127.0.0.1', 'localhost')}/backoffice${path}`;
  for (const javaScriptEnabled of [true, false])
    it(
      `can sign in, save a form and sign out ${javaScriptEnabled ? 'with' : 'without'} JavaScript`,
      visiting(
        async ({ page, expectProblem }) => {
          expectProblem(/400/);
          await openPage(page, at('/me'), ben);
          await page.getByLabel('Appearance').selectOption('dark');
          await page.getByRole('button', { name: 'Save' }).click();
          await page.getByRole('status').getByText('Saved.').waitFor();
          assert.equal(await page.locator('html[data-appearance=dark]').count(), 1);
          assert.equal(page.url(), at(javaScriptEnabled ? '/me' : '/me?done=saved'));
          await page.getByLabel('Name').fill('   ');
          await page.getByRole('button', { name: 'Save' }).click();
          const fault = page.getByRole('alert');
          await fault.getByRole('link').click();
          assert.equal(await page.locator(':focus').getAttribute('name'), 'display_name');
          await page.getByRole('button', { name: 'Sign out', exact: true }).click();
          await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
          await page.goto(at(''));
          await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        },
        { javaScriptEnabled },
      ),
    );

  it(
    'focuses the summary of a refused form, and sends a form once',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/401/);
      await page.goto(at('/sign-in'));
      await page.getByLabel('E-mail address').fill(ben.email);
      await page.getByLabel('Password').fill('a wrong password');
      await page.getByRole('button', { name: 'Sign in' }).dblclick();
      const fault = page.getByRole('alert');
      await fault.waitFor();
      await page.waitForFunction('document.activeElement?.getAttribute("role") === "alert"');
      assert.equal(await page.getByLabel('Password').inputValue(), '');
      assert.equal(await page.getByLabel('E-mail address').inputValue(), ben.email);
    }),
  );

  it(
    'is accessible and fits narrow windows, light and dark, with and without a refusal',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/400|404/);
      await openPage(page, at('/me'), ben);
      // accessibility.long.test.ts covers pages without a refusal in dark.
      for (const [path, faulty, schemes] of [
        ['/me', false, ['light']],
        ['/me', true, ['light', 'dark']],
        ['', false, ['light']],
        ['/nothing', false, ['light', 'dark']],
      ] as const) {
        await page.goto(at(path));
        if (faulty) {
          await page.getByLabel('Name').fill('  ');
          await page.getByRole('button', { name: 'Save' }).click();
          await page.getByRole('alert').waitFor();
        }
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme });
          for (const width of [320, 1280]) {
            await page.setViewportSize({ width, height: 800 });
            const over = 'document.documentElement.scrollWidth - innerWidth';
            assert.equal(await page.evaluate(over), 0, `${path} at ${width}`);
          }
          assert.deepEqual(await accessibilityFaults(page, { whole: true }), [], path);
        }
      }
    }),
  );
});
