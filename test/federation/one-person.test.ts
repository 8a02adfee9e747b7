import assert from 'node:assert/strict';
import { updateUser } from '../../src/accounts/users/manage-users.js';
import type { KeyWithSecret } from '../../src/federation/manage-widget-keys.js';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { addAccount, link } from '../support/accounts.js';
import { callApi, type CallOptions } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { createTestClock } from '../support/test-clock.js';
import { welcomeWidget } from '../support/widget-client.js';
import { addKeyWithSecret, addUserToken } from '../support/widget-keys.js';

interface Reply {
  id: number;
  code: string;
  conversationId: string;
  messageId: number;
  response: string;
  sources: { title: string }[];
  withheld: boolean;
  identity: { displayName: string | null };
  unread: number;
  data: {
    id: string | number;
    content: string;
    withheld: boolean;
    role: string;
    question: string;
  }[];
  pagination: { total: number };
}

/** An account and the host's identity that is linked to it, each with its calls. */
interface Linked {
  account: TestUser;
  linkId: number;
  api: (path: string, options?: CallOptions) => Promise<{ status: number; body: Reply }>;
  widget: (path: string, options?: CallOptions) => Promise<{ status: number; body: Reply }>;
  userToken: string;
}

describe('A person with a linked account', () => {
  const clock = createTestClock();
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let pair: KeyWithSecret;
  let count = 0;
  const origin = 'https://acme.example';
  const page = { url: `${origin}/pump`, title: '' };
  const question = 'How often is the pump oiled?';

  before(async () => {
    test = await serveTestApp(
      { answers: { mode: 'extractive' }, widget: { allow_localhost: true } },
      clock,
    );
    acme = await addOrganization(test);
    pair = await addKeyWithSecret(test, acme);
    await storeEntry(test, acme, { title: 'Pump', content: 'The pump is oiled every month.' });
    const content = 'The word of the vault is zebra-quartz.';
    await storeEntry(test, acme, { title: 'Vault', content, visibility: 'internal' });
  });
  after(() => test.close());

  /** A person with an account and an identity, linked by default. */
  async function somebody(role: 'user' | 'backoffice' = 'user', isLinked = true): Promise<Linked> {
    count += 1;
    const account = await addAccount(test, acme, `Ada${count}`, role);
    const person = { externalId: `person-${count}`, displayName: 'As the host says' };
    const userToken = await addUserToken(test, pair, person);
    const body = { widgetKey: pair.key.key, token: userToken };
    const made = isLinked ? await link(test, account, body) : undefined;
    assert.ok(made === undefined || made.status === 201);
    // Other tests cover the notification about the link.
    await test.app.db.write('notifications').where({ kind: 'account_linked' }).delete();
    const { url } = test;
    const headers = { Origin: origin };
    return {
      ...{ account, userToken, linkId: made?.body.id ?? 0 },
      api: (path, options) =>
        callApi<Reply>(`${url}/api${path}`, { token: account.token, ...options }),
      widget: (path, options) =>
        callApi<Reply>(`${url}/widget${path}`, { token: userToken, headers, ...options }),
    };
  }
  const ask = async (call: Linked['api'], more: object = {}) => {
    const body = { message: question, context: page, ...more };
    const reply = await call('/message', { body });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return reply.body;
  };
  const overApi = ({ api }: Linked, more: object = {}) =>
    ask((path, options) => api(`/conversations${path}`, options), more);
  const overWidget = ({ widget }: Linked, more: object = {}) => ask(widget, more);
  const idsOf = async (call: Linked['api']) => {
    const { status, body } = await call('/conversations');
    assert.equal(status, 200);
    return new Set(body.data.map(({ id }) => id));
  };
  const unlink = async ({ api, linkId }: Linked) => {
    const { status } = await api(`/account-links/${linkId}`, { method: 'DELETE' });
    assert.equal(status, 204);
  };

  it('has the account’s name in the widget, and the host’s name after the link has ended', async () => {
    const ada = await somebody();
    const name = async () => (await ada.widget('/config')).body.identity.displayName;
    assert.equal(await name(), `Ada${count}`);
    await updateUser(test.app, acme.operator, { id: ada.account.id, displayName: 'Countess' });
    assert.equal(await name(), 'Countess');
    await unlink(ada);
    assert.equal(await name(), 'As the host says');
  });

  it('finds and continues the conversations of all channels in each channel', async () => {
    const ada = await somebody();
    const eve = await somebody();
    const ids = [
      await overWidget(ada),
      await overApi(ada),
      await overApi(ada, { channel: 'extension' }),
    ].map(({ conversationId }) => conversationId);
    assert.deepEqual(await idsOf(ada.api), new Set(ids));
    assert.deepEqual(await idsOf(ada.widget), new Set(ids));
    const [inWidget, inApi] = ids;
    await overWidget(ada, { conversationId: inApi });
    await overApi(ada, { conversationId: inWidget });
    for (const id of [inWidget, inApi]) {
      for (const call of [ada.api, ada.widget]) {
        const { status, body } = await call(`/conversations/${id}/messages`);
        assert.deepEqual([status, body.data.length], [200, 4]);
      }
      for (const call of [eve.api, eve.widget]) {
        assert.equal((await call(`/conversations/${id}/messages`)).status, 404);
        assert.equal((await idsOf(call)).size, 0);
      }
    }
  });

  it('finds their own conversations of all channels as staff, among everybody’s', async () => {
    const ada = await somebody('backoffice');
    const eve = await somebody();
    const held = [await overWidget(ada), await overApi(ada, { channel: 'extension' })];
    const ids = new Set(held.map(({ conversationId }) => conversationId));
    const other = await overWidget(eve);
    const of = async (by: Linked, { account }: Linked) => {
      const { body } = await by.api(`/conversations?user_id=${account.id}`);
      return new Set(body.data.map(({ id }) => id));
    };
    assert.deepEqual(await of(ada, ada), ids);
    assert.deepEqual(await of(ada, eve), new Set([other.conversationId]));
    assert.deepEqual(await of(eve, ada), new Set());
    await unlink(ada);
    assert.deepEqual(await of(ada, ada), new Set([held[1]?.conversationId]));
  });

  it('can rate and delete answers of both channels in either of them', async () => {
    const ada = await somebody();
    const inWidget = await overWidget(ada);
    const inApi = await overApi(ada);
    const path = `/conversations/${inWidget.conversationId}`;
    const rating = { method: 'PUT', body: { rating: 'up' } };
    const rated = await ada.api(`${path}/messages/${inWidget.messageId}/feedback`, rating);
    assert.equal(rated.status, 200);
    const { conversationId, messageId } = inApi;
    const body = { conversationId, messageId, rating: 'down' };
    const other = await ada.widget('/feedback', { body });
    assert.ok(other.status < 300, String(other.status));
    assert.equal((await ada.api(path, { method: 'DELETE' })).status, 204);
    assert.deepEqual(await idsOf(ada.widget), new Set([conversationId]));
  });

  it('sees no conversation about other apps in the widget', async () => {
    const ada = await somebody();
    const second = await createApp(test.app, acme.operator, { name: `Second ${count}` });
    const host = `second-${count}.example`;
    await claimDomain(test.app, acme.operator, { host, appId: second.id });
    const elsewhere = await overApi(ada, { context: { url: `https://${host}/`, title: '' } });
    const nowhere = await overApi(ada, { context: { url: 'https://nobody.example/', title: '' } });
    assert.equal((await idsOf(ada.widget)).size, 0);
    for (const { conversationId } of [elsewhere, nowhere]) {
      const read = await ada.widget(`/conversations/${conversationId}/messages`);
      assert.equal(read.status, 404);
      const more = { message: question, context: page, conversationId };
      assert.equal((await ada.widget('/message', { body: more })).status, 404);
    }
    // A linked identity in the other app sees only that app's conversation; the account sees all.
    const other = await addKeyWithSecret(test, acme, { appId: second.id });
    const token = await addUserToken(test, other, { externalId: `person-${count}` });
    await link(test, ada.account, { widgetKey: other.key.key, token });
    const list = await callApi<Reply>(`${test.url}/widget/conversations`, {
      ...{ token, headers: { Origin: `https://${host}` } },
    });
    assert.deepEqual(
      list.body.data.map(({ id }) => id),
      [elsewhere.conversationId],
    );
    assert.equal((await idsOf(ada.api)).size, 2);
  });

  it('sees no messages about other apps in the widget, even in a conversation about its own app', async () => {
    const ada = await somebody();
    const second = await createApp(test.app, acme.operator, { name: `Second ${count}` });
    const host = `apart-${count}.example`;
    await claimDomain(test.app, acme.operator, { host, appId: second.id });
    const { conversationId } = await overApi(ada);
    const at = (url: string) => ({ conversationId, context: { url, title: '' } });
    const message = (of: string) => `How often is the pump of ${of} oiled?`;
    const elsewhere = [
      await overApi(ada, { ...at(`https://${host}/private`), message: message('marigold') }),
      await overApi(ada, { ...at('https://nobody.example/'), message: message('larkspur') }),
      // This page belongs to the app again, but the answer follows messages about other pages.
      await overApi(ada, { ...at(page.url), message: message('begonia') }),
    ];
    const path = `/conversations/${conversationId}/messages`;
    const all = (await ada.api(path)).body.data;
    assert.equal(all.length, 8);
    const inWidget = await ada.widget(path);
    assert.equal(inWidget.body.pagination.total, 2);
    assert.deepEqual(
      inWidget.body.data.map(({ id }) => id),
      all.slice(0, 2).map(({ id }) => id),
    );
    for (const { id, role } of all.slice(2)) {
      const events = await ada.widget(`${path}/${id}/events`);
      assert.equal(events.status, 404);
      if (role === 'user') continue;
      const body = { conversationId, messageId: id, rating: 'up' };
      assert.equal((await ada.widget('/feedback', { body })).status, 404);
    }
    assert.ok(all.some(({ id }) => id === elsewhere[0]?.messageId));
    const next = await overWidget(ada, { conversationId });
    const after = (await ada.widget(path)).body;
    assert.equal(after.pagination.total, 4);
    assert.equal(after.data.at(-1)?.id, next.messageId);
    assert.doesNotMatch(JSON.stringify(after), /marigold|larkspur|begonia/);
    assert.equal((await ada.api(path)).body.data.length, 10);
  });

  it('is two separate people as soon as the link has ended, even on open connections', async () => {
    const ada = await somebody();
    const inWidget = await overWidget(ada);
    const inApi = await overApi(ada);
    const socket = await welcomeWidget(test.url, origin, { userToken: ada.userToken });
    await unlink(ada);
    assert.deepEqual(await idsOf(ada.api), new Set([inApi.conversationId]));
    assert.deepEqual(await idsOf(ada.widget), new Set([inWidget.conversationId]));
    const { conversationId } = inApi;
    socket.send({ type: 'message', id: 'a', message: question, context: page, conversationId });
    assert.equal((await socket.next('error', 'a')).code, 'not_found');
    await socket.close();
  });

  it('has only the host’s identity in the widget while the account is disabled', async () => {
    const ada = await somebody();
    const inWidget = await overWidget(ada);
    await overApi(ada);
    await updateUser(test.app, acme.operator, { id: ada.account.id, disabled: true });
    assert.deepEqual(await idsOf(ada.widget), new Set([inWidget.conversationId]));
    const { body } = await ada.widget('/config');
    assert.equal(body.identity.displayName, 'As the host says');
    assert.equal((await ada.api('/conversations')).status, 401);
  });

  it('sees the requests and notifications of both channels, each once', async () => {
    const ada = await somebody();
    const file = { question: 'Who repairs the pump?', url: `${origin}/pump` };
    const filed = [
      await ada.api('/knowledge/requests', { body: file }),
      await ada.widget('/requests', { body: { ...file, question: 'Who paints the pump?' } }),
    ];
    const socket = await welcomeWidget(test.url, origin, { userToken: ada.userToken });
    for (const { status, body } of filed) {
      assert.equal(status, 201);
      assert.equal((await ada.widget(`/requests/${body.id}`)).status, 200);
      assert.equal((await ada.api(`/knowledge/requests/${body.id}`)).status, 200);
      const response = `Answer ${body.id}`;
      await updateRequest(test.app, acme.operator, body.id, { status: 'resolved', response });
    }
    const last = `Answer ${filed[1]?.body.id ?? 0}`;
    await socket.until(
      (frame) => frame.type === 'notification' && frame.notification.response === last,
    );
    const shown = socket.frames.filter(({ type }) => type === 'notification');
    assert.equal(shown.length, 2);
    await socket.close();
    for (const call of [ada.api, ada.widget]) {
      const { body } = await call('/notifications');
      assert.equal(body.pagination.total, 2);
    }
    const first = (await ada.widget('/notifications')).body.data.at(-1);
    assert.equal((await ada.widget('/config')).body.unread, 2);
    await ada.widget(`/notifications/${first?.id ?? 0}/read`, { method: 'POST' });
    assert.equal((await ada.widget('/config')).body.unread, 1);
    await unlink(ada);
    for (const call of [ada.api, ada.widget]) {
      assert.equal((await call('/notifications')).body.pagination.total, 1);
    }
  });

  it('sees no answers to their requests as staff in the widget', async () => {
    const ada = await somebody('backoffice');
    const body = { question: 'What is in the vault?', url: `${origin}/vault` };
    const filed = await ada.api('/knowledge/requests', { body });
    const socket = await welcomeWidget(test.url, origin, { userToken: ada.userToken });
    const change = { status: 'resolved' as const, response: 'zebra-quartz' };
    await updateRequest(test.app, acme.operator, filed.body.id, change);
    assert.equal((await ada.widget('/notifications')).body.pagination.total, 0);
    assert.equal((await ada.widget(`/requests/${filed.body.id}`)).status, 404);
    assert.equal((await ada.api('/notifications')).body.pagination.total, 1);
    socket.send({ type: 'ping' });
    await socket.next('pong');
    assert.ok(socket.frames.every(({ type }) => type !== 'notification'));
    await socket.close();
  });

  it('sees no answers from their time as staff in the widget', async () => {
    const ada = await somebody('backoffice');
    const filed = async (question: string) => {
      const body = { question, url: `${origin}/vault` };
      const { id } = (await ada.api('/knowledge/requests', { body })).body;
      const change = { status: 'resolved' as const, response: `zebra-quartz ${question}` };
      return { id, resolve: () => updateRequest(test.app, acme.operator, id, change) };
    };
    const { id, resolve } = await filed('What is in the vault?');
    await resolve();
    const { id: userId } = ada.account;
    await updateUser(test.app, acme.operator, { id: userId, role: 'user' });
    await updateUser(test.app, acme.operator, { id: userId, role: 'user', displayName: 'Ada' });
    assert.equal((await ada.widget('/notifications')).body.pagination.total, 0);
    assert.equal((await ada.widget('/config')).body.unread, 0);
    assert.equal((await ada.widget(`/requests/${id}`)).status, 404);
    assert.equal((await ada.api('/notifications')).body.pagination.total, 1);
    // Later answers are shown as to everybody.
    clock.advance(1);
    const later = await filed('Who repairs the vault?');
    await later.resolve();
    assert.equal((await ada.widget('/notifications')).body.pagination.total, 1);
    assert.equal((await ada.widget(`/requests/${later.id}`)).status, 200);
  });

  it('sees no answer from internal knowledge in the widget, but can continue the conversation', async () => {
    const ada = await somebody('backoffice');
    const message = 'What is the word of the vault?';
    const asked = await overApi(ada, { message });
    assert.match(asked.response, /zebra-quartz/);
    const { conversationId } = asked;
    const { body } = await ada.widget(`/conversations/${conversationId}/messages`);
    assert.deepEqual(
      body.data.map(({ role, withheld }) => [role, withheld]),
      [
        ['user', false],
        ['assistant', true],
      ],
    );
    assert.doesNotMatch(JSON.stringify(body), /zebra-quartz|Vault/);
    const events = await ada.widget(
      `/conversations/${conversationId}/messages/${body.data[0]?.id ?? 0}/events`,
    );
    assert.equal(events.status, 200);
    const again = await overWidget(ada, { message, conversationId });
    assert.doesNotMatch(JSON.stringify(again), /zebra-quartz/);
    const read = await ada.api(`/conversations/${conversationId}/messages`);
    assert.match(JSON.stringify(read.body), /zebra-quartz/);
  });
});
