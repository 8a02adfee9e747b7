import assert from 'node:assert/strict';
import { insertEndUser } from '../../src/federation/end-users.repository.js';
import { getEntry } from '../../src/knowledge/read-entries.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import { updateUser } from '../../src/accounts/users/manage-users.js';
import type { Actor } from '../../src/platform/actor.js';
import { fileRequest } from '../../src/requests/file-request.js';
import { getRequest } from '../../src/requests/read-requests.js';
import { updateRequest, type RequestUpdate } from '../../src/requests/update-request.js';
import {
  addOrganization,
  addUser,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { listDeliveries } from '../../src/notifications/manage-webhooks.js';

describe('The resolution of a request', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let ada: Actor & { userId: number };

  beforeEach(async () => {
    // This mail server gets no mail, because no worker runs here.
    test = await openTestApp({ mail: { host: 'mail.example' } });
    acme = await addOrganization(test);
    const { organizationId } = acme.operator;
    const { id: userId } = await addUser(test, acme, 'user');
    ada = { kind: 'user', organizationId, userId, role: 'user' };
  });
  afterEach(() => test.close());

  const file = async (url?: string) =>
    fileRequest(test.app, ada, { question: 'Where is the pump?', url });
  const update = (id: number, input: RequestUpdate) =>
    updateRequest(test.app, acme.operator, id, input);
  const mailTargets = async () => {
    const page = { page: 1, limit: 100 };
    return (await listDeliveries(test.app, acme.operator, page)).items.map(({ target }) => target);
  };

  it('updates its entry if it is published again with another answer', async () => {
    const { id } = await file(`https://${acme.domain}/pumps`);
    const answer = { status: 'resolved', publish: true } as const;
    const first = await update(id, { ...answer, response: 'In the cellar.', urlPattern: '/pumps' });
    const second = await update(id, { ...answer, response: 'In the attic.' });
    assert.equal(second.entryUuid, first.entryUuid);
    const entry = await getEntry(test.app, acme.operator, second.entryUuid ?? '');
    assert.deepEqual(
      [entry.content, entry.title, entry.urlPattern, entry.status],
      ['In the attic.', 'Where is the pump?', '/pumps', 'published'],
    );
    // A repeated resolution does not undo later edits.
    await updateEntry(test.app, acme.operator, entry.uuid, { content: 'In the attic, left.' });
    await update(id, { ...answer, response: 'In the attic.' });
    const kept = await getEntry(test.app, acme.operator, entry.uuid);
    assert.equal(kept.content, 'In the attic, left.');
  });

  it('is undone when the request is reopened', async () => {
    const { id } = await file();
    await update(id, { status: 'resolved', response: 'In the cellar.' });
    const reopened = await update(id, { status: 'open' });
    assert.deepEqual(
      [reopened.resolvedBy, reopened.resolvedAt, reopened.response],
      [null, null, 'In the cellar.'],
    );
    assert.equal((await getRequest(test.app, ada, id)).response, null);
    const again = await update(id, { status: 'resolved' });
    assert.equal(again.resolutions, 2);
    assert.notEqual(again.resolvedAt, null);
  });

  it('can be published for the domain of a page, whose address is stored with personal data masked', async () => {
    const { id, url } = await file(
      `https://ada:secret@${acme.domain}/pumps/ada@example.org?mail=ada%40example.org&tel=%2B49+151+23456789#top`,
    );
    assert.equal(url, `https://${acme.domain}/pumps/[email]?mail=[email]&tel=[phone]#top`);
    const done = await update(id, { status: 'resolved', response: 'There.', publish: true });
    assert.equal(
      (await getEntry(test.app, acme.operator, done.entryUuid ?? '')).domain,
      acme.domain,
    );
  });

  it('can’t be published without a domain if the page is on an IP address', async () => {
    const { id, url } = await file('http://192.168.1.5:8080/pumps?page=2');
    assert.equal(url, 'http://192.168.1.5:8080/pumps?page=2');
    await assert.rejects(update(id, { status: 'resolved', response: 'x', publish: true }), {
      code: 'unprocessable',
    });
  });

  it('shortens the question to a title without splitting a character', async () => {
    const question = `${'x'.repeat(198)}😀😀 and more`;
    const { id } = await fileRequest(test.app, ada, { question });
    const answer = { response: 'There.', publish: true, domain: acme.domain };
    const done = await update(id, { status: 'resolved', ...answer });
    const { title } = await getEntry(test.app, acme.operator, done.entryUuid ?? '');
    assert.equal(title, `${'x'.repeat(198)}…`);
  });

  it('is mailed to users and end users, but not to a disabled account', async () => {
    const { organizationId } = acme.operator;
    const endUser = await insertEndUser(test.app, {
      organizationId,
      appId: acme.appId,
      externalId: 'host-7',
      email: 'grace@host.example',
      displayName: 'Grace',
      userId: null,
    });
    const byEndUser = await file();
    await test.app.db
      .write('knowledge_requests')
      .where({ id: byEndUser.id })
      .update({ requester_user_id: null, requester_end_user_id: endUser.id });
    const { requester } = await update(byEndUser.id, { status: 'resolved', response: 'x' });
    assert.deepEqual(requester, { kind: 'end_user', id: endUser.id, name: 'Grace' });
    assert.deepEqual(await mailTargets(), ['grace@host.example']);

    const byUser = await file();
    await update(byUser.id, { status: 'resolved', response: 'x' });
    await updateUser(test.app, acme.operator, { id: ada.userId, disabled: true });
    await update(byUser.id, { response: 'y' });
    assert.deepEqual(await mailTargets(), [
      `user-${organizationId}@example.com`,
      'grace@host.example',
    ]);
  });
});
