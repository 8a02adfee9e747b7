import assert from 'node:assert/strict';
import { strFromU8, unzipSync } from 'fflate';
import { createUser } from '../../src/accounts/users/create-user.js';
import { deleteUser, updateUser } from '../../src/accounts/users/manage-users.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { erasePerson } from '../../src/privacy/erase-person.js';
import { exportPerson } from '../../src/privacy/export-person.js';
import { rehearse } from '../../src/platform/db/in-transaction.js';
import { addAccount, link } from '../support/accounts.js';
import { callApi } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { addKeyWithSecret, addUserToken, addWidgetKey } from '../support/widget-keys.js';

const origin = 'https://acme.example';

describe('Finding the data of a person', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;

  beforeEach(async () => {
    test = await serveTestApp({
      ...{ mail: { host: 'mail.example', from: 'a@acme.example' } },
      ...{ notifications: { worker: false }, answers: { mode: 'extractive' } },
    });
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  const context = { url: `${origin}/`, title: 'Start' };
  const askAt = (headers: Record<string, string>, message: string, path = '/widget/message') =>
    callApi<{ conversationId: string; visitorToken: string }>(`${test.url}${path}`, {
      ...{ headers: { Origin: origin, ...headers }, body: { message, context } },
    });
  const rowsOf = async <T extends object>(table: string, where: object = {}) =>
    (await test.app.db.read(table).where(where).orderBy('id').select('*')) as T[];
  async function exported(named: Parameters<typeof exportPerson>[2]): Promise<string> {
    const { zip } = await exportPerson(test.app, acme.operator, named);
    return Object.values(unzipSync(zip))
      .map((bytes) => strFromU8(bytes))
      .join('\n');
  }

  it('does not use an external id alone, because two sites may use the same id for two people', async () => {
    const { id: other } = await createApp(test.app, acme.operator, { name: 'Other' });
    const accounts = [await addAccount(test, acme, 'Ada'), await addAccount(test, acme, 'Grace')];
    const sites = [
      { appId: acme.appId, host: origin },
      { appId: other, host: 'https://other.example' },
    ];
    await callApi(`${test.url}/health`);
    const endUsers: number[] = [];
    for (const [index, { appId }] of sites.entries()) {
      const pair = await addKeyWithSecret(test, acme, { appId });
      await addUserToken(test, pair, { externalId: '4711' });
      const [endUser] = await rowsOf<{ id: number }>('end_users', { app_id: appId });
      endUsers.push(endUser?.id ?? 0);
      await test.app.db.write('audit_log').insert({
        organization_id: acme.operator.organizationId,
        ...{ actor: `user:${accounts[index]?.id}`, action: 'account_link.create' },
        ...{ subject: `account_link:${index + 1}`, created_at: '2026-03-01T09:00:00.000Z' },
        after: JSON.stringify({
          ...{ app_id: appId, end_user_id: endUser?.id, user_id: accounts[index]?.id },
          external_id: '4711',
        }),
      });
    }
    const [one, two] = endUsers;
    await erasePerson(test.app, acme.operator, { kind: 'end_user', id: String(one) });
    const records = await rowsOf<{ after: string }>('audit_log', { action: 'account_link.create' });
    assert.deepEqual(
      records.map(({ after }) => JSON.parse(after) as object),
      [
        { app_id: acme.appId, end_user_id: null, user_id: accounts[0]?.id, external_id: null },
        { app_id: other, end_user_id: two, user_id: accounts[1]?.id, external_id: '4711' },
      ],
    );
  });

  it('does not use an email address that now belongs to another person', async () => {
    const ada = await addAccount(test, acme, 'Ada');
    const { email } = ada;
    await updateUser(test.app, acme.operator, { id: ada.id, email: 'ada.new@acme.example' });
    const grace = await createUser(test.app, acme.operator, {
      ...{ email, role: 'user', password: ada.password, displayName: 'Grace' },
    });
    const whole = await exported({ kind: 'user', id: String(ada.id) });
    assert.ok(whole.includes(email) && !whole.includes('Grace'));
    await erasePerson(test.app, acme.operator, { kind: 'user', id: String(ada.id) });
    const [created] = await rowsOf<{ after: string }>('audit_log', { subject: `user:${grace.id}` });
    assert.match(created?.after ?? '', /Grace/);
  });

  it('includes both visitors of one browser, under a public and an authenticated key', async () => {
    const open = await addWidgetKey(test, acme, 'public');
    const closed = await addWidgetKey(test, acme, 'authenticated');
    const first = await askAt({ 'X-Widget-Key': open }, 'Where is the public pump?');
    const back = { 'X-Visitor-Token': first.body.visitorToken };
    const next = await askAt({ 'X-Widget-Key': closed, ...back }, 'Where is the closed pump?');
    const visitors = await rowsOf<{ visitor_id: string }>('conversations');
    assert.equal(new Set(visitors.map(({ visitor_id: id }) => id)).size, 2);
    for (const { visitor_id: id } of visitors) {
      assert.match(await exported({ kind: 'visitor', id }), /public pump[^]*closed pump/);
    }
    const held = { kind: 'conversation', id: next.body.conversationId } as const;
    const { found } = await erasePerson(test.app, acme.operator, held);
    assert.equal(found.length, 2);
    assert.deepEqual(await rowsOf('conversations'), []);
  });

  it('uses the email address of a request, and lists the people found by it', async () => {
    const key = await addWidgetKey(test, acme, 'public');
    const email = 'Vera@home.example';
    const filed = await callApi(`${test.url}/widget/requests`, {
      headers: { Origin: origin, 'X-Widget-Key': key },
      body: { question: 'Who repairs the pump?', url: `${origin}/`, email },
    });
    assert.equal(filed.status, 201);
    const named = { email: 'vera@home.example' };
    assert.match(await exported(named), /repairs the pump/);
    const counted = await rehearse(test.app, (app) => erasePerson(app, acme.operator, named));
    const [request] = await rowsOf<{ requester_visitor_id: string }>('knowledge_requests');
    assert.ok(counted.found.includes(`visitor:${request?.requester_visitor_id}`));
    await erasePerson(test.app, acme.operator, named);
    assert.deepEqual(await rowsOf('knowledge_requests'), []);
    for (const action of ['person.export', 'person.erase']) {
      const [record] = await rowsOf<{ subject: string; after: string }>('audit_log', { action });
      assert.equal(record?.subject, 'address');
      // Both visitors of the browser, without their ids.
      assert.match(record.after, /^{"found":\["visitor","visitor"\],"rows":/);
    }
    await assert.rejects(erasePerson(test.app, acme.operator, named), { code: 'not_found' });
  });

  it('uses the number of a deleted account, and includes its conversations', async () => {
    const ada = await addAccount(test, acme, 'Ada');
    const globex = await addOrganization(test, 'Globex');
    const path = '/api/conversations/message';
    const headers = { Authorization: `Bearer ${ada.token}` };
    assert.equal((await askAt(headers, 'Where is the pump?', path)).status, 200);
    const key = await addWidgetKey(test, acme, 'public');
    const form = await callApi<{ token: string }>(`${test.url}/widget/login`, {
      ...{ key, headers: { Origin: origin } },
      body: { email: ada.email, password: ada.password },
    });
    const signedIn = { Authorization: `Bearer ${form.body.token}` };
    assert.equal((await askAt(signedIn, 'Where is the valve?')).status, 200);
    const filed = await callApi(`${test.url}/api/knowledge/requests`, {
      token: ada.token,
      body: { question: 'Who repairs it?', url: `${origin}/` },
    });
    assert.equal(filed.status, 201);
    await deleteUser(test.app, acme.operator, ada.id);
    const named = { kind: 'user', id: String(ada.id) } as const;
    await assert.rejects(exportPerson(test.app, globex.operator, named), { code: 'not_found' });
    assert.match(await exported(named), /Where is the pump[^]*Where is the valve/);
    const { rows } = await erasePerson(test.app, acme.operator, named);
    assert.deepEqual([rows['conversations'], rows['messages']], [2, 4]);
    const records = await rowsOf<{ action: string; after: string | null }>('audit_log', {
      ...{ subject: `user:${ada.id}`, action: 'user.create' },
    });
    assert.deepEqual(
      records.map(({ after }) => after),
      [null],
    );
    await assert.rejects(erasePerson(test.app, acme.operator, named), { code: 'not_found' });
  });

  it('does not use the number of a deleted account of another organization', async () => {
    const globex = await addOrganization(test, 'Globex');
    const eve = await addAccount(test, globex, 'Eve', 'backoffice');
    const { organizationId } = globex.operator;
    const actor = { kind: 'user', organizationId, userId: eve.id, role: 'backoffice' } as const;
    const { uuid } = await storeEntry(test, globex, { title: 'Pumps', content: 'One.' });
    for (const content of ['Two.', 'Three.']) await updateEntry(test.app, actor, uuid, { content });
    await deleteUser(test.app, globex.operator, eve.id);
    const named = { kind: 'user', id: String(eve.id) } as const;
    await assert.rejects(exportPerson(test.app, acme.operator, named), { code: 'not_found' });
    const { rows } = await exportPerson(test.app, globex.operator, named);
    assert.equal(rows['entry_versions_made'], 1);
  });

  it('does not use words or ids that the audit log contains for another reason', async () => {
    const { uuid } = await storeEntry(test, acme, { title: 'pump', content: 'One.' });
    await updateEntry(test.app, acme.operator, uuid, { title: 'pumps' });
    const before = await rowsOf('audit_log');
    for (const id of ['title', 'pump', 'pumps', uuid]) {
      const named = { kind: 'visitor', id } as const;
      await assert.rejects(erasePerson(test.app, acme.operator, named), { code: 'not_found' });
    }
    assert.deepEqual(await rowsOf('audit_log'), before);
  });

  it('does not include mails to a deleted account, because they were deleted with it', async () => {
    const ada = await addAccount(test, acme, 'Ada');
    const filed = await callApi<{ id: number }>(`${test.url}/api/knowledge/requests`, {
      token: ada.token,
      body: { question: 'Who repairs it?', url: `${origin}/` },
    });
    const receiver = { token: (await addAccount(test, acme, 'Boss', 'admin')).token };
    const webhook = { ...receiver, body: { url: 'https://hooks.example/' } };
    await callApi(`${test.url}/api/admin/webhooks`, webhook);
    await updateRequest(test.app, acme.operator, filed.body.id, {
      ...{ status: 'resolved', response: 'Grace does.' },
    });
    const channels = async () =>
      (await rowsOf<{ channel: string }>('outbox_deliveries')).map(({ channel }) => channel);
    assert.deepEqual(await channels(), ['mail', 'webhook']);
    await deleteUser(test.app, acme.operator, ada.id);
    assert.deepEqual(await channels(), ['webhook']);
  });

  it('uses a conversation that has no owner', async () => {
    const ada = await addAccount(test, acme, 'Ada');
    const headers = { Authorization: `Bearer ${ada.token}` };
    const asked = await askAt(headers, 'Where is the pump?', '/api/conversations/message');
    await deleteUser(test.app, acme.operator, ada.id);
    const named = { kind: 'conversation', id: asked.body.conversationId } as const;
    assert.match(await exported(named), /Where is the pump/);
    const { person } = await erasePerson(test.app, acme.operator, named);
    assert.equal(person, `conversation:${named.id}`);
    assert.deepEqual(await rowsOf('messages'), []);
  });

  it('includes the identities linked to an account if an admin names the account', async () => {
    const ada = await addAccount(test, acme, 'Ada');
    const pair = await addKeyWithSecret(test, acme);
    const token = await addUserToken(test, pair, { externalId: 'ada-1' });
    await link(test, ada, { widgetKey: pair.key.key, token, origin });
    const [endUser] = await rowsOf<{ id: number }>('end_users');
    const named = { kind: 'user', id: String(ada.id) } as const;
    const { found } = await erasePerson(test.app, acme.operator, named);
    assert.deepEqual(found, [`user:${ada.id}`, `end_user:${endUser?.id}`]);
    const [erasure] = await rowsOf<{ after: string }>('audit_log', { action: 'person.erase' });
    assert.deepEqual((JSON.parse(erasure?.after ?? '{}') as { found: string[] }).found, found);
    const [record] = await rowsOf<{ after: string }>('audit_log', {
      action: 'account_link.create',
    });
    assert.equal((JSON.parse(record?.after ?? '{}') as { external_id: null }).external_id, null);
  });
});
