import assert from 'node:assert/strict';
import { inTransaction, rehearse } from '../../../src/platform/db/in-transaction.js';
import { createApp, listAppsPage } from '../../../src/tenancy/manage-apps.js';
import { addOrganization, openTestApp, type TestApp } from '../../support/test-app.js';

describe('A rehearsal', () => {
  let test: TestApp;
  before(async () => (test = await openTestApp()));
  after(() => test.close());

  it('returns the result of the work, and stores nothing', async () => {
    const { operator } = await addOrganization(test, 'Acme');
    const names = async (app = test.app) =>
      (await listAppsPage(app, operator, { page: 1, limit: 10 })).items.map(({ name }) => name);
    const before = await names();
    const seen = await rehearse(test.app, async (app) => {
      await createApp(app, operator, { name: 'Rehearsed' });
      return names(app);
    });
    assert.deepEqual(seen, [...before, 'Rehearsed']);
    assert.deepEqual(await names(), before);
    await createApp(test.app, operator, { name: 'Rehearsed' });
  });

  it('is refused like the work itself, and leaves the connection usable', async () => {
    const { operator } = await addOrganization(test, 'Globex');
    await createApp(test.app, operator, { name: 'Docs' });
    const again = rehearse(test.app, (app) => createApp(app, operator, { name: 'Docs' }));
    await assert.rejects(again, { code: 'conflict' });
    assert.equal(await rehearse(test.app, () => Promise.resolve(5)), 5);
    assert.equal(await inTransaction(test.app, () => Promise.resolve(7)), 7);
  });
});
