import assert from 'node:assert/strict';
import { updateEntry } from '../../../src/knowledge/update-entry.js';
import { accessibilityFaults } from '../../browser/support/accessibility.js';
import { describeInBrowser, visiting } from '../../browser/support/visiting.js';
import { storeEntry } from '../../support/stored-entry.js';
import { addOrganization, addUser, serveTestApp, type TestApp } from '../../support/test-app.js';
import { openPage } from '../support/open-page.js';

describeInBrowser('An earlier version of an entry', () => {
  let test: TestApp & { url: string };
  before(async () => {
    test = await serveTestApp({});
  });
  after(() => test.close());

  it(
    'stands beside the present one where there is room, and in one text with it on phones',
    visiting(async ({ page }) => {
      const acme = await addOrganization(test);
      const entry = await storeEntry(test, acme, { title: 'The pond', content: 'Open at nine.' });
      await updateEntry(test.app, acme.operator, entry.uuid, { content: 'Open at eight.' });
      const ben = await addUser(test, acme, 'backoffice');
      await openPage(page, `${test.url}/backoffice/knowledge/${entry.uuid}`, ben);
      await page.getByRole('table').getByRole('link', { name: 'The pond' }).click();
      const shown = async (width: number) => {
        await page.setViewportSize({ width, height: 800 });
        assert.deepEqual(await accessibilityFaults(page, { whole: true }), []);
        const texts = page.locator('.marked .text', { hasText: 'Open' }).filter({ visible: true });
        const marks = texts.locator(':is(ins, del)').filter({ visible: true });
        return [await texts.count(), ...(await marks.allTextContents())];
      };
      assert.deepEqual(await shown(1280), [2, '[removed: nine]', '[added: eight]']);
      assert.deepEqual(await shown(320), [1, '[removed: nine]', '[added: eight]']);
    }),
  );
});
