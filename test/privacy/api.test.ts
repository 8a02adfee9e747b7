import assert from 'node:assert/strict';
import { strFromU8, unzipSync } from 'fflate';
import { deleteUser, updateUser } from '../../src/accounts/users/manage-users.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { callApi } from '../support/api-client.js';
import { addAccount } from '../support/accounts.js';
import { auditLogOf } from '../support/audit-log.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';

interface Erased {
  person: string;
  linked_account: string | null;
  rows: Record<string, number>;
  published_entries: string[];
  rewritten: boolean;
  code: string;
}

describe('The API for personal data', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let boss: TestUser;
  let ada: TestUser;

  beforeEach(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test);
    boss = await addAccount(test, acme, 'Boss', 'admin');
    ada = await addAccount(test, acme, 'Ada');
  });
  afterEach(() => test.close());

  const ask = (user: TestUser, message: string) =>
    callApi<{ conversationId: string }>(`${test.url}/api/conversations/message`, {
      token: user.token,
      body: { message, context: { url: 'https://acme.example/', title: 'Acme' } },
    });
  async function unzip(url: string, token: string, method = 'GET') {
    const response = await fetch(url, { method, headers: { Authorization: `Bearer ${token}` } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status !== 200) return { response, files: {} };
    const files = Object.entries(unzipSync(bytes)).map(([name, file]) => [
      name,
      JSON.parse(strFromU8(file)) as unknown,
    ]);
    return { response, files: Object.fromEntries(files) as Record<string, never> };
  }
  const erase = (token: string, person: string, query = '') =>
    callApi<Erased>(`${test.url}/api/admin/people/${person}/erase${query}`, {
      token,
      method: 'POST',
    });

  it('gives a signed-in person their own data, and no data of others', async () => {
    await ask(ada, 'Where is the pump?');
    await ask(boss, 'How much is the fish?');
    const { response, files } = await unzip(`${test.url}/api/me/data`, ada.token);
    assert.equal(response.headers.get('content-type'), 'application/zip');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.match(
      response.headers.get('content-disposition') ?? '',
      new RegExp(`user-${ada.id}.zip`),
    );
    const [user] = files['users.json'] as unknown as Record<string, unknown>[];
    assert.equal(user?.['email'], ada.email);
    assert.ok(!('password_hash' in user));
    const whole = JSON.stringify(files);
    assert.match(whole, /Where is the pump\?/);
    assert.doesNotMatch(whole, /the fish/);
    assert.deepEqual(
      (files['about.json'] as unknown as { person: string }).person,
      `user:${ada.id}`,
    );
    // The export of one's own data is not recorded.
    const actions = (await auditLogOf(test, acme)).map(({ action }) => action);
    assert.ok(!actions.includes('person.export'));
  });

  it('withholds answers from knowledge that the person may no longer read', async () => {
    const ollama = await startOllamaStandIn({ answer: () => 'It is zebra-quartz [1].' });
    const other = await serveTestApp({ ollama: { url: ollama.url } });
    const globex = await addOrganization(other, 'Globex');
    const grace = await addAccount(other, globex, 'Grace', 'backoffice');
    await storeEntry(other, globex, {
      ...{ title: 'Vault', content: 'The word of the vault is zebra-quartz.' },
      visibility: 'internal',
    });
    await callApi(`${other.url}/api/conversations/message`, {
      token: grace.token,
      body: {
        message: 'What is the word of the vault?',
        context: { url: 'https://globex.example/', title: 'Globex' },
      },
    });
    const read = async () =>
      JSON.stringify((await unzip(`${other.url}/api/me/data`, grace.token)).files);
    assert.match(await read(), /zebra-quartz/);
    await updateUser(other.app, globex.operator, { id: grace.id, role: 'user' });
    assert.doesNotMatch(await read(), /zebra-quartz/);
    await other.close();
    await ollama.stop();
  });

  it('exports the data of a person only for admins of the organization, and records it', async () => {
    const staff = await addAccount(test, acme, 'Staff', 'backoffice');
    const globex = await addOrganization(test, 'Globex');
    const foreign = await addAccount(test, globex, 'Foreign', 'admin');
    const url = `${test.url}/api/admin/people/user/${ada.id}/export`;
    for (const [token, status] of [
      [staff.token, 403],
      [ada.token, 403],
      [foreign.token, 404],
    ] as const) {
      assert.equal((await callApi(url, { token, method: 'POST' })).status, status);
    }
    const { response, files } = await unzip(url, boss.token, 'POST');
    assert.equal(response.status, 200);
    assert.ok('users.json' in files);
    const log = await auditLogOf(test, acme);
    const { actor, action, subject } = log.at(-1) ?? {};
    assert.deepEqual(
      { actor, action, subject },
      { actor: `user:${boss.id}`, action: 'person.export', subject: `user:${ada.id}` },
    );
    for (const person of ['user/987654321', 'end_user/1', 'visitor/nobody', 'user/x']) {
      const missing = `${test.url}/api/admin/people/${person}/export`;
      assert.equal((await callApi(missing, { token: boss.token, method: 'POST' })).status, 404);
    }
    const kind = `${test.url}/api/admin/people/robot/1/export`;
    assert.equal((await callApi(kind, { token: boss.token, method: 'POST' })).status, 400);
  });

  it('erases a person only for admins of the organization, and can count the rows first', async () => {
    await ask(ada, 'Where is the pump?');
    const staff = await addAccount(test, acme, 'Staff', 'backoffice');
    const globex = await addOrganization(test, 'Globex');
    const foreign = await addAccount(test, globex, 'Foreign', 'admin');
    const person = `user/${ada.id}`;
    assert.equal((await erase(staff.token, person)).status, 403);
    assert.equal((await erase(foreign.token, person)).status, 404);
    const counted = await erase(boss.token, person, '?dry_run=true');
    assert.equal(counted.body.rewritten, false);
    assert.equal((await callApi(`${test.url}/api/me`, { token: ada.token })).status, 200);
    const { status, body } = await erase(boss.token, person);
    assert.equal(status, 200);
    assert.deepEqual(body, { ...counted.body, rewritten: true });
    assert.deepEqual(
      [body.rows['conversations'], body.rows['messages'], body.rows['users']],
      [1, 2, 1],
    );
    assert.equal((await callApi(`${test.url}/api/me`, { token: ada.token })).status, 401);
    const { actor, action, subject, after } = (await auditLogOf(test, acme)).at(-1) ?? {};
    assert.deepEqual(
      { actor, action, subject, after },
      {
        ...{ actor: `user:${boss.id}`, action: 'person.erase', subject: `user:${ada.id}` },
        after: { found: [subject], rows: body.rows },
      },
    );
    // The record of the account is kept without personal data.
    const created = (await auditLogOf(test, acme)).find(
      (change) => change.action === 'user.create' && change.subject === subject,
    );
    assert.equal(created?.after, null);
  });

  it('does not erase the last admin of an organization', async () => {
    const own = await callApi<Erased>(`${test.url}/api/me/erase`, {
      token: boss.token,
      body: { current_password: boss.password },
    });
    assert.deepEqual([own.status, own.body.code], [409, 'conflict']);
    assert.equal((await erase(boss.token, `user/${boss.id}`)).status, 409);
    const second = await addAccount(test, acme, 'Second', 'admin');
    assert.equal((await erase(second.token, `user/${boss.id}`)).status, 200);
  });

  it('lets a person erase themselves only with their password', async () => {
    const url = `${test.url}/api/me/erase`;
    const wrong = await callApi(url, { token: ada.token, body: { current_password: 'not it' } });
    assert.equal(wrong.status, 422);
    const body = { current_password: ada.password };
    assert.equal((await callApi(url, { token: ada.token, body })).status, 200);
    assert.equal((await callApi(url, { token: ada.token, body })).status, 401);
    const { actor, subject } = (await auditLogOf(test, acme)).at(-1) ?? {};
    assert.deepEqual([actor, subject], [`user:${ada.id}`, `user:${ada.id}`]);
  });

  it('keeps and names the entries that were published from a person’s questions', async () => {
    const filed = await callApi<{ id: number }>(`${test.url}/api/knowledge/requests`, {
      token: ada.token,
      body: { question: 'Who repairs the pump?', url: 'https://acme.example/' },
    });
    const resolved = await callApi<{ knowledge_entry_id: string }>(
      `${test.url}/api/knowledge/requests/${filed.body.id}`,
      {
        ...{ token: boss.token, method: 'PUT' },
        body: { status: 'resolved', response: 'Grace does.', publish: true },
      },
    );
    const { body } = await erase(boss.token, `user/${ada.id}`);
    assert.deepEqual(body.published_entries, [resolved.body.knowledge_entry_id]);
    const entry = `${test.url}/api/knowledge/${resolved.body.knowledge_entry_id}`;
    assert.equal((await callApi(entry, { token: boss.token })).status, 200);
  });

  it('keeps the conversations of an account that is deleted but not erased', async () => {
    await ask(ada, 'Where is the pump?');
    await deleteUser(test.app, acme.operator, ada.id);
    const kept = await test.app.db.read('conversations').select('user_id');
    assert.deepEqual(kept, [{ user_id: null }]);
  });
});
