import assert from 'node:assert/strict';
import { strFromU8, unzipSync } from 'fflate';
import { mintToken } from '../../src/accounts/users/mint-token.js';
import { updateUser } from '../../src/accounts/users/manage-users.js';
import { erasePerson } from '../../src/privacy/erase-person.js';
import { exportPerson } from '../../src/privacy/export-person.js';
import type { NamedPerson } from '../../src/privacy/person.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { callApi } from '../support/api-client.js';
import { addAccount, link } from '../support/accounts.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { storedBytes } from './plant-markers.js';
import { addKeyWithSecret, addUserToken, addWidgetKey } from '../support/widget-keys.js';

const origin = 'https://acme.example';
/** Words that no processing changes. The test would not find a text that is stored in another form. */
const words = (person: string) => ({
  question: `${person}fragewort when are the backups made`,
  title: `${person}seitenwort`,
  path: `${person}pfadwort`,
  selected: `${person}auswahlwort`,
  comment: `${person}kommentarwort`,
  request: `${person}bittwort who repairs the pump`,
});

interface Asked {
  conversationId: string;
  messageId: number;
  visitorToken?: string;
}

describe('The data that a person leaves in the product', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;

  beforeEach(async () => {
    test = await serveTestApp({
      mail: { host: 'mail.example', from: 'a@acme.example' },
      notifications: { worker: false },
    });
    acme = await addOrganization(test);
    await storeEntry(test, acme, { title: 'Backups', content: 'Backups are made every night.' });
  });
  afterEach(() => test.close());

  /** Asks, rates and files a request that is answered, through the API or the widget. */
  async function leaveTraces(
    door: '/api' | '/widget',
    person: string,
    headers: Record<string, string>,
  ): Promise<Record<string, string>> {
    const texts = words(person);
    const own = { Origin: origin, ...headers };
    const context = {
      url: `${origin}/${texts.path}`,
      title: texts.title,
      selectedText: texts.selected,
      pageStructure: { headings: [texts.title], navigation: [] },
    };
    const asking = door === '/api' ? '/api/conversations/message' : '/widget/message';
    const asked = await callApi<Asked>(`${test.url}${asking}`, {
      headers: own,
      body: { message: texts.question, context },
    });
    assert.equal(asked.status, 200);
    const { conversationId, messageId, visitorToken } = asked.body;
    const back = visitorToken === undefined ? own : { ...own, 'X-Visitor-Token': visitorToken };
    const rating = { rating: 'down', comment: texts.comment };
    const rated =
      door === '/api'
        ? await callApi(
            `${test.url}/api/conversations/${conversationId}/messages/${messageId}/feedback`,
            { method: 'PUT', headers: back, body: rating },
          )
        : await callApi(`${test.url}/widget/feedback`, {
            headers: back,
            body: { ...rating, conversationId, messageId },
          });
    assert.ok(rated.status < 300);
    const filing = door === '/api' ? '/api/knowledge/requests' : '/widget/requests';
    const filed = await callApi<{ id: number }>(`${test.url}${filing}`, {
      headers: back,
      body: {
        question: texts.request,
        url: `${origin}/${texts.path}`,
        ...(door === '/api' ? {} : { conversationId, email: `${person}@antwort.example` }),
      },
    });
    assert.equal(filed.status, 201);
    const response = `Dear ${person}antwortwort, Grace does.`;
    const { id } = filed.body;
    await updateRequest(test.app, acme.operator, id, { response });
    await updateRequest(test.app, acme.operator, id, { status: 'resolved', response });
    return back;
  }

  /** Checks that the person's texts are in the database file and the export, and in no file after an erasure. */
  async function checkPerson(
    named: NamedPerson,
    person: string,
    identity: string[],
  ): Promise<void> {
    const left = [
      ...['fragewort', 'seitenwort', 'pfadwort', 'kommentarwort', 'bittwort', 'antwortwort'],
    ].map((word) => `${person}${word}`);
    const all = await storedBytes(test.app);
    const stored = [...left, ...identity].filter((text) => all.includes(text));
    // The title of a page helps to find an answer, and is not stored.
    const expected = [...left, ...identity].filter((text) => text !== `${person}seitenwort`);
    assert.deepEqual(stored, expected);
    const { zip } = await exportPerson(test.app, acme.operator, named);
    const whole = Object.values(unzipSync(zip))
      .map((bytes) => strFromU8(bytes))
      .join('\n');
    for (const text of stored) assert.ok(whole.includes(text), `${text} is not in the export`);
    const { rewritten } = await erasePerson(test.app, acme.operator, named);
    assert.equal(rewritten, true);
    const rest = await storedBytes(test.app);
    for (const text of [...stored, `${person}auswahlwort`]) {
      assert.ok(!rest.includes(text), `${text} is still there`);
    }
  }

  it('is exported and erased for a user, with former names, tokens, links and widget conversations', async () => {
    const ada = await addAccount(test, acme, 'Adafirstname');
    const admin = await addAccount(test, acme, 'Boss', 'admin');
    const { organizationId } = acme.operator;
    const boss = { kind: 'user', organizationId, userId: admin.id, role: 'admin' } as const;
    const signedIn = await callApi(`${test.url}/api/auth/login`, {
      body: { email: ada.email, password: ada.password },
    });
    assert.equal(signedIn.status, 200);
    await mintToken(test.app, boss, { email: ada.email, name: 'adatokenword', days: 30 });
    const email = 'adanewaddress@mail.example';
    await updateUser(test.app, boss, { id: ada.id, email, displayName: 'Adalastname' });
    await leaveTraces('/api', 'adaone', { Authorization: `Bearer ${ada.token}` });
    const host = await addKeyWithSecret(test, acme);
    const token = await addUserToken(test, host, {
      ...{ externalId: 'adahostid', email: 'adahostmail@mail.example', displayName: 'Adahostname' },
    });
    await leaveTraces('/widget', 'adatwo', { Authorization: `Bearer ${token}` });
    const linked = await link(test, ada, { widgetKey: host.key.key, token, origin });
    assert.equal(linked.status, 201);
    const two = words('adatwo');
    const [place] = await test.app.db.read<{ place_hash: string }>('sign_in_places');
    assert.ok(place !== undefined && (await storedBytes(test.app)).includes(place.place_hash));
    await checkPerson({ email }, 'adaone', [
      ...['adafirstname@', 'Adafirstname', email, 'Adalastname', 'adatokenword', 'adahostid'],
      ...[
        'adahostmail@mail.example',
        'Adahostname',
        two.comment,
        two.path,
        'adatwo@antwort.example',
      ],
    ]);
    assert.ok(!(await storedBytes(test.app)).includes(place.place_hash));
  });

  it('is exported and erased for a person of a host, whose linked account stays', async () => {
    const ada = await addAccount(test, acme, 'Ada');
    const host = await addKeyWithSecret(test, acme);
    const token = await addUserToken(test, host, {
      externalId: 'gracehostid',
      displayName: 'Grace',
    });
    await leaveTraces('/widget', 'gracewords', { Authorization: `Bearer ${token}` });
    await link(test, ada, { widgetKey: host.key.key, token, origin });
    const row = await test.app.db.read<{ id: number }>('end_users').first('id');
    const id = String(row?.id);
    await checkPerson({ kind: 'end_user', id }, 'gracewords', [
      'gracehostid',
      'gracewords@antwort',
    ]);
    assert.equal((await callApi(`${test.url}/api/me`, { token: ada.token })).status, 200);
  });

  it('is exported and erased for a visitor, by the id in one of their requests', async () => {
    const key = await addWidgetKey(test, acme, 'public');
    const back = await leaveTraces('/widget', 'visitor', { 'X-Widget-Key': key });
    const staff = await addAccount(test, acme, 'Staff', 'backoffice');
    const requests = await callApi<{ data: { requester: { kind: string; id: string } }[] }>(
      `${test.url}/api/knowledge/requests`,
      { token: staff.token },
    );
    const requester = requests.body.data[0]?.requester;
    assert.equal(requester?.kind, 'visitor');
    const { id } = requester;
    const held = await callApi<{ data: { id: string }[] }>(`${test.url}/api/conversations`, {
      token: staff.token,
    });
    const conversation = { kind: 'conversation', id: held.body.data[0]?.id ?? '' } as const;
    const found = await exportPerson(test.app, acme.operator, conversation);
    assert.equal(found.person, `visitor:${id}`);
    await checkPerson({ kind: 'visitor', id }, 'visitor', [id, 'visitor@antwort.example']);
    const list = await callApi<{ pagination: { total: number } }>(
      `${test.url}/widget/conversations`,
      { headers: back },
    );
    assert.equal(list.body.pagination.total, 0);
  });
});
