import assert from 'node:assert/strict';
import { listChanges } from '../../../src/audit/list-changes.js';
import { getEntry } from '../../../src/knowledge/read-entries.js';
import { updateEntry } from '../../../src/knowledge/update-entry.js';
import { accessibilityFaults } from '../../browser/support/accessibility.js';
import { describeInBrowser, visiting } from '../../browser/support/visiting.js';
import { storeEntry } from '../../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';
import { openPage } from '../support/open-page.js';

describeInBrowser('Many entries in the backoffice', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ben: TestUser;
  let browser: PageClient;
  let number = 0;

  before(async () => {
    test = await serveTestApp({});
  });
  after(() => test.close());
  beforeEach(async () => {
    number += 1;
    acme = await addOrganization(test, `Acme ${number}`, `acme${number}.example`);
    ben = await addUser(test, acme, 'backoffice');
    browser = openPageClient(test.url);
    await browser.signIn(ben);
  });

  const add = (title: string, more: object = {}) =>
    storeEntry(test, acme, { title, content: `${title} is described here.`, ...more });
  const stateOf = async ({ uuid }: { uuid: string }) => {
    const { status, visibility } = await getEntry(test.app, acme.operator, uuid);
    return [status, visibility];
  };
  const change = (form: Record<string, string>) =>
    browser.send('/knowledge/change', { do: 'change', tier: 'public', ...form });
  const ticked = (...entries: { uuid: string; version: number }[]) =>
    entries.map(({ uuid, version }) => `${uuid}:${version}`).join('\n');
  const undoOf = (text: string) => /name="entries" value="([^"]+)"/.exec(text)?.[1] ?? '';

  it('are published together, and become drafts again with one button', async () => {
    const pond = await add('The pond', { status: 'draft' });
    const cellar = await add('The cellar', { status: 'draft' });
    const roof = await add('The roof');
    const { status, text } = await change({ entry: ticked(pond, cellar, roof), change: 'publish' });
    assert.equal(status, 200);
    assert.match(text, /Entries changed: 2\. They were so already: 1\./);
    for (const one of [pond, cellar, roof]) assert.equal((await stateOf(one))[0], 'published');
    const again = await browser.send('/knowledge/change', { do: 'undo', entries: undoOf(text) });
    assert.match(again.text, /as they were before: 2\./);
    const statuses = [await stateOf(pond), await stateOf(cellar), await stateOf(roof)];
    assert.deepEqual(
      statuses.map(([one]) => one),
      ['draft', 'draft', 'published'],
    );
    const { items } = await listChanges(test.app, acme.operator, {
      ...{ page: 1, limit: 10, action: 'entry.update' },
    });
    assert.equal(items.length, 4, 'each change has its record');
  });

  it('return to their earlier tiers, including the app’s default', async () => {
    const own = await add('The pond', { visibility: 'internal' });
    const byApp = await add('The cellar');
    const isByApp = async () =>
      (await getEntry(test.app, acme.operator, byApp.uuid)).visibilityDefaulted;
    await updateEntry(test.app, acme.operator, byApp.uuid, { visibility: null });
    const { version } = await getEntry(test.app, acme.operator, byApp.uuid);
    const entry = ticked(own, { uuid: byApp.uuid, version });
    const { text } = await change({ entry, change: 'tier', tier: 'authenticated' });
    assert.equal((await stateOf(own))[1], 'authenticated');
    assert.equal(await isByApp(), false);
    await browser.send('/knowledge/change', { do: 'undo', entries: undoOf(text) });
    assert.equal((await stateOf(own))[1], 'internal');
    assert.equal(await isByApp(), true);
  });

  it('keep another person’s change, and are then listed as unchanged', async () => {
    const pond = await add('The pond');
    const cellar = await add('The cellar');
    await updateEntry(test.app, acme.operator, pond.uuid, { content: 'Changed meanwhile.' });
    const { text } = await change({ entry: ticked(pond, cellar), change: 'take_back' });
    assert.match(text, /Entries changed: 1\./);
    assert.match(text, /stay as they are: 1.*The pond/s);
    assert.deepEqual(
      [await stateOf(pond), await stateOf(cellar)].map(([one]) => one),
      ['published', 'draft'],
    );
  });

  it('are changed by a filter only while their number is the one shown', async () => {
    for (let number = 0; number < 12; number += 1) await add(`Pond ${number}`, { status: 'draft' });
    const roof = await add('The roof', { status: 'draft' });
    const { text } = await browser.open('/knowledge/change?q=pond&status=draft');
    assert.match(text, /Entries that fit: 12/);
    assert.match(text, /and 2 more/);
    const form = { list: 'q=pond&status=draft', change: 'publish' };
    const refused = await change({ ...form, total: '11' });
    assert.equal(refused.status, 409);
    assert.match(refused.text, /By now 12 entries fit/);
    const { text: done } = await change({ ...form, total: '12' });
    assert.match(done, /Entries changed: 12\./);
    assert.equal((await stateOf(roof))[0], 'draft');
  });

  it('are deleted without an undo, and only within one’s own organization', async () => {
    const pond = await add('The pond');
    const other = await addOrganization(test, 'Other', 'other.example');
    const foreign = await storeEntry(test, other, { title: 'Secret', content: 'Foreign.' });
    const { text } = await change({ entry: ticked(pond, foreign), change: 'delete' });
    assert.match(text, /Entries changed: 1\./);
    assert.doesNotMatch(text, /Secret|name="entries"/);
    await assert.rejects(stateOf(pond), { code: 'not_found' });
    await getEntry(test.app, other.operator, foreign.uuid);
  });

  it('stay unchanged if none is ticked or the form is invalid', async () => {
    await add('The pond');
    const { to } = await change({ list: 'q=pond', change: 'publish' });
    assert.match(to, /\/knowledge\?q=pond&done=noneTicked$/);
    for (const form of [
      { entry: 'x', change: 'publish' },
      { do: 'undo', entries: 'x:1:delete' },
      { total: '1', change: 'everything' },
    ])
      assert.equal((await change(form)).status, 400);
  });

  it(
    'are ticked all at once, on pages without a fault for axe-core',
    visiting(async ({ page }) => {
      await add('The pond', { status: 'draft' });
      await add('The cellar', { status: 'draft' });
      await openPage(page, `${test.url}/backoffice/knowledge`, ben);
      await page.getByLabel('All on this page').check();
      assert.deepEqual(await accessibilityFaults(page, { whole: true }), []);
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('Entries changed: 2.').waitFor();
      assert.deepEqual(await accessibilityFaults(page, { whole: true }), []);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('as they were before: 2.').waitFor();
      await page.goto(`${test.url}/backoffice/knowledge/change?status=draft`);
      await page.getByText('Entries that fit: 2').waitFor();
      assert.deepEqual(await accessibilityFaults(page, { whole: true }), []);
    }),
  );
});
