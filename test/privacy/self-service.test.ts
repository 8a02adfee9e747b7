import assert from 'node:assert/strict';
import { strFromU8, unzipSync } from 'fflate';
import type { KeyWithSecret } from '../../src/federation/manage-widget-keys.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { addAccount, link } from '../support/accounts.js';
import { callApi } from '../support/api-client.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';

const origin = 'https://acme.example';
const victimMail = 'vera@home.example';

interface Erased {
  found: string[];
  linked_identities: string[];
  rows: Record<string, number>;
}

describe('The export and erasure of one’s own data', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let pair: KeyWithSecret;
  let ada: TestUser;
  let token: string;

  beforeEach(async () => {
    test = await serveTestApp({
      ...{ mail: { host: 'mail.example', from: 'a@acme.example' } },
      ...{ notifications: { worker: false }, answers: { mode: 'extractive' } },
    });
    acme = await addOrganization(test);
    pair = await addKeyWithSecret(test, acme);
    ada = await addAccount(test, acme, 'Ada');
    token = await addUserToken(test, pair, { externalId: 'vera-77', email: victimMail });
  });
  afterEach(() => test.close());

  const ask = (bearer: string, message: string, door: '/widget' | '/api' = '/widget') =>
    callApi<{ conversationId: string }>(
      `${test.url}${door === '/widget' ? '/widget/message' : '/api/conversations/message'}`,
      {
        ...{ token: bearer, headers: { Origin: origin } },
        body: { message, context: { url: `${origin}/`, title: 'Start' } },
      },
    );
  async function ownData(): Promise<Record<string, Record<string, unknown>[]>> {
    const headers = { Authorization: `Bearer ${ada.token}` };
    const response = await fetch(`${test.url}/api/me/data`, { headers });
    assert.equal(response.status, 200);
    const files = Object.entries(unzipSync(new Uint8Array(await response.arrayBuffer())));
    return Object.fromEntries(
      files.map(([name, bytes]) => [name.replace('.json', ''), JSON.parse(strFromU8(bytes))]),
    );
  }
  const eraseOwn = () =>
    callApi<Erased>(`${test.url}/api/me/erase`, {
      token: ada.token,
      body: { current_password: ada.password },
    });
  const count = async (table: string) => {
    const [row] = await test.app.db.read(table).count({ rows: '*' });
    return (row as { rows: number }).rows;
  };

  it('leave out the linked person of a site, and the notification to that person', async () => {
    await ask(token, 'Where is the pump of Vera?');
    const linked = await link(test, ada, { widgetKey: pair.key.key, token, origin });
    assert.equal(linked.status, 201);
    await ask(ada.token, 'Where is the pump of Ada?', '/api');
    const files = await ownData();
    const whole = JSON.stringify(files);
    assert.match(whole, /pump of Ada/);
    for (const foreign of ['pump of Vera', victimMail, 'account_linked']) {
      assert.ok(!whole.includes(foreign), `${foreign} is in the export`);
    }
    assert.equal(files['account_links']?.length, 1, 'the link belongs to both');

    const { status, body } = await eraseOwn();
    assert.equal(status, 200);
    const [vera] = (await test.app.db.read('end_users').select('*')) as [{ id: number }];
    assert.deepEqual(vera, { ...vera, external_id: 'vera-77', email: victimMail });
    assert.deepEqual(body.found, [`user:${ada.id}`]);
    assert.deepEqual(body.linked_identities, [`end_user:${vera.id}`]);
    assert.deepEqual(
      [
        await count('conversations'),
        await count('notifications'),
        await count('outbox_deliveries'),
      ],
      [1, 1, 1],
    );
    assert.equal(await count('account_links'), 0, 'the link has ended');
    const record = await test.app.db
      .read<{ action: string; after: string }>('audit_log')
      .where({ action: 'account_link.create' })
      .first();
    assert.deepEqual(JSON.parse(record?.after ?? 'null'), {
      ...{ app_id: acme.appId, end_user_id: vera.id, user_id: null, external_id: 'vera-77' },
    });
  });

  it('include questions that were asked after signing in through the widget’s form', async () => {
    const form = await callApi<{ token: string }>(`${test.url}/widget/login`, {
      ...{ key: pair.key.key, headers: { Origin: origin } },
      body: { email: ada.email, password: ada.password },
    });
    await ask(form.body.token, 'Where is the pump of Ada?');
    assert.match(JSON.stringify(await ownData()), /pump of Ada/);
    const { body } = await eraseOwn();
    assert.equal(body.found.length, 2);
    assert.equal(await count('conversations'), 0);
  });

  it('do not use an email address that a site or another person entered', async () => {
    const filed = await callApi<{ id: number }>(`${test.url}/widget/requests`, {
      ...{ token, headers: { Origin: origin } },
      body: { question: 'Who repairs the pump?', url: `${origin}/`, email: ada.email },
    });
    assert.equal(filed.status, 201);
    await updateRequest(test.app, acme.operator, filed.body.id, {
      ...{ status: 'resolved', response: 'Grace does.' },
    });
    assert.equal(await count('outbox_deliveries'), 1);
    const files = await ownData();
    assert.equal(files['outbox_deliveries'], undefined);
    assert.equal(files['requests_answered_to_their_address'], undefined);
    await eraseOwn();
    assert.equal(await count('outbox_deliveries'), 1);
    const request = await test.app.db
      .read('knowledge_requests')
      .first<{ requester_email: string }>('requester_email');
    assert.equal(request.requester_email, ada.email);
  });

  it('contain no drafts of answers, errors of mail servers or leases', async () => {
    const filed = await callApi<{ id: number }>(`${test.url}/api/knowledge/requests`, {
      token: ada.token,
      body: { question: 'Who repairs the pump?', url: `${origin}/` },
    });
    const { id } = filed.body;
    await updateRequest(test.app, acme.operator, id, { response: 'A draft that nobody means' });
    await updateRequest(test.app, acme.operator, id, { status: 'resolved', response: 'Grace.' });
    await test.app.db.write('outbox_deliveries').update({ last_error: 'refused by mail.example' });
    await ask(ada.token, 'Where is the pump?', '/api');
    const [question] = (await test.app.db.read('messages').where({ role: 'user' }).pluck('id')) as [
      number,
    ];
    await test.app.db.write('running_answers').insert({
      ...{ question_id: question, lease_expires_at: '2026-03-01T09:00:00.000Z' },
    });
    const files = await ownData();
    const whole = JSON.stringify(files);
    for (const text of ['A draft that nobody means', 'refused by', 'lease_']) {
      assert.ok(!whole.includes(text), `${text} is in the export`);
    }
    const [change] = files['changes_of_requests'] ?? [];
    assert.deepEqual(Object.keys(change ?? {}), ['id', 'action', 'created_at']);
  });
});
