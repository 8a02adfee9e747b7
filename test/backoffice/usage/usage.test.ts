import assert from 'node:assert/strict';
import { callApi } from '../../support/api-client.js';
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

describe('The usage page', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ida: TestUser;
  let browser: PageClient;

  beforeEach(async () => {
    test = await serveTestApp({ answers: { mode: 'extractive' } });
    acme = await addOrganization(test);
    ida = await addUser(test, acme, 'user');
    await storeEntry(test, acme, { title: 'Pond', content: 'The pond is drained in October.' });
    browser = openPageClient(test.url);
    await browser.signIn(await addUser(test, acme, 'admin'));
  });
  afterEach(() => test.close());

  const ask = () =>
    callApi(`${test.url}/api/conversations/message`, {
      token: ida.token,
      body: {
        message: 'When is the pond drained?',
        context: { url: `https://${acme.domain}/`, title: 'Pond' },
      },
    });

  it('shows usage by day, site, channel and person', async () => {
    assert.match((await browser.open('/usage')).text, /Nobody asked anything/);
    await ask();
    await ask();
    const { text } = await browser.open('/usage');
    for (const name of ['\\d{4}-\\d\\d-\\d\\d', 'Acme app', 'API', `<a href="[^"]+">user-1</a>`]) {
      const row = `<th scope="row">${name}</th><td[^>]*>2</td><td[^>]*>2</td>`;
      assert.match(text, new RegExp(row));
    }
    assert.match((await browser.open('/usage?to=2001-01-01')).text, /Nobody asked anything/);
    assert.equal((await browser.open('/usage?from=2999-01-02&to=2999-01-01')).status, 200);
  });

  it('sets and removes the organization’s quota, and shows how much of it is used', async () => {
    assert.equal((await browser.send('/usage', { do: 'setQuota', units: '1,000' })).status, 303);
    assert.match((await browser.open('/usage')).text, /0 of 1,000 units this month/);
    const refused = await browser.send('/usage', { do: 'setQuota', units: '-1' });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /value="-1"/);
    await browser.send('/usage', { do: 'setQuota', units: '' });
    assert.match((await browser.open('/usage')).text, /There are no quotas/);
  });

  it('is for admins only, and shows only their organization', async () => {
    await ask();
    const operator = openPageClient(test.url);
    await operator.signIn(await addUser(test, acme, 'backoffice'));
    assert.equal((await operator.open('/usage')).status, 404);
    const stranger = openPageClient(test.url);
    await stranger.signIn(await addUser(test, await addOrganization(test, 'Other'), 'admin'));
    assert.match((await stranger.open('/usage')).text, /Nobody asked anything/);
  });
});
