import assert from 'node:assert/strict';
import { addOrganization, addUser, serveTestApp } from '../../support/test-app.js';
import { openPageClient } from '../support/page-client.js';

describe('The pager of a list', () => {
  it('opens the last page for an address beyond it, and keeps its filters', async () => {
    const test = await serveTestApp({});
    try {
      const browser = openPageClient(test.url);
      await browser.signIn(await addUser(test, await addOrganization(test), 'admin'));
      const lists = ['/questions', '/questions/unanswered', '/knowledge', '/changes', '/people'];
      for (const list of [...lists, '/webhooks', '/deliveries', '/sites']) {
        const beyond = await browser.open(`${list}?page=900`);
        assert.equal(beyond.status, 303, list);
        assert.equal(beyond.to, `/backoffice${list}?page=1`);
        assert.equal((await browser.open(`${list}?page=1`)).status, 200, list);
      }
      const { to } = await browser.open('/people?role=admin&page=2');
      assert.equal(to, '/backoffice/people?role=admin&page=1');
    } finally {
      await test.close();
    }
  });
});
