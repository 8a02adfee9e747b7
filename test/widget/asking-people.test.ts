import assert from 'node:assert/strict';
import { deleteConversation } from '../../src/conversations/delete-conversation.js';
import { getRequest } from '../../src/requests/read-requests.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { callApi, type CallOptions } from '../support/api-client.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { addKeyWithSecret, addUserToken, addWidgetKey } from '../support/widget-keys.js';

interface Filed {
  id: number;
  status: string;
  question: string;
  created_at: string;
  visitorToken?: string;
}
interface Told {
  data: {
    id: number;
    question: string;
    response: string;
    conversation_id: string | null;
    read_at: string | null;
  }[];
  pagination: { total: number };
}
interface Asked {
  conversationId: string;
  messageId: number;
  visitorToken?: string;
}

describe('Knowledge requests in the widget', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let key: string;
  const origin = 'https://acme.example';
  const question = 'Who repairs the pump of hall 7?';

  beforeEach(async () => {
    test = await serveTestApp({ mail: { host: 'mail.example', from: 'a@acme.example' } });
    acme = await addOrganization(test);
    key = await addWidgetKey(test, acme, 'public');
  });
  afterEach(() => test.close());

  const call = <T>(path: string, headers: Record<string, string>, options: CallOptions = {}) =>
    callApi<T>(`${test.url}/widget${path}`, {
      ...options,
      headers: { Origin: origin, ...headers },
    });
  const file = (headers: Record<string, string>, more: object = {}) =>
    call<Filed>('/requests', headers, { body: { question, ...more } });
  const told = async (headers: Record<string, string>, query = '') =>
    (await call<Told>(`/notifications${query}`, headers)).body;
  const resolve = (id: number, response = 'The workshop does.') =>
    updateRequest(test.app, acme.operator, id, { status: 'resolved', response });
  const visitorHeaders = (reply: { visitorToken?: string }) => ({
    'X-Widget-Key': key,
    'X-Visitor-Token': reply.visitorToken ?? '',
  });

  it('stores a repeated question once while its request is open, and creates a new request after it was resolved', async () => {
    const asked = { url: `${origin}/hall` };
    const first = await file({ 'X-Widget-Key': key }, asked);
    assert.equal(first.status, 201);
    const mine = visitorHeaders(first.body);
    const clicks = await Promise.all([file(mine, asked), file(mine, asked), file(mine, asked)]);
    for (const again of clicks) {
      assert.equal(again.status, 200);
      assert.equal(again.body.id, first.body.id);
      assert.equal(again.headers.get('location'), `/widget/requests/${first.body.id}`);
    }
    // Other words, another page, another person: another request.
    assert.equal((await file(mine, { ...asked, question: 'And hall 8?' })).status, 201);
    assert.equal((await file(mine, { url: `${origin}/office` })).status, 201);
    assert.equal((await file({ 'X-Widget-Key': key }, asked)).status, 201);
    await updateRequest(test.app, acme.operator, first.body.id, { status: 'in_progress' });
    assert.equal((await file(mine, asked)).body.id, first.body.id);
    await resolve(first.body.id);
    const later = await file(mine, asked);
    assert.equal(later.status, 201);
    assert.notEqual(later.body.id, first.body.id);
  });

  it('notifies the latest address when the same question is sent again with another address', async () => {
    const first = await file({ 'X-Widget-Key': key });
    const mine = visitorHeaders(first.body);
    const address = async () =>
      (await getRequest(test.app, acme.operator, first.body.id)).requesterEmail;
    await file(mine, { email: 'eve@example.org' });
    assert.equal(await address(), 'eve@example.org');
    await file(mine);
    assert.equal(await address(), 'eve@example.org');
    await file(mine, { email: 'eva@example.org' });
    assert.equal(await address(), 'eva@example.org');
  });

  it('shows the answer with the conversation of the request, only to its owner, until the conversation is deleted', async () => {
    const ask = async (headers: Record<string, string>) => {
      const body = { message: question, context: { url: `${origin}/hall`, title: 'Hall' } };
      const reply = await call<Asked>('/message', headers, { body });
      return reply.body;
    };
    const asked = await ask({ 'X-Widget-Key': key });
    const mine = visitorHeaders(asked);
    const { conversationId } = asked;
    const other = await ask(mine);
    const inside = await file(mine, { conversationId });
    const outside = await file(mine, { question: 'Who repairs the lamp?' });
    for (const { body } of [inside, outside]) await resolve(body.id);
    const from = async (headers: Record<string, string>, id: string) =>
      (await told(headers, `?conversationId=${id}`)).data;
    const [answer, ...more] = await from(mine, conversationId);
    assert.deepEqual(
      [answer?.question, answer?.conversation_id, more],
      [question, conversationId, []],
    );
    assert.deepEqual(await from(mine, other.conversationId), []);
    assert.deepEqual(
      await from(visitorHeaders(await ask({ 'X-Widget-Key': key })), conversationId),
      [],
    );
    const ids = async () => (await told(mine)).data.map((one) => one.conversation_id);
    assert.deepEqual(await ids(), [null, conversationId]);
    await deleteConversation(test.app, acme.operator, conversationId);
    assert.deepEqual(await ids(), [null, null]);
    assert.deepEqual(await from(mine, conversationId), []);
  });

  it('shows staff the page of the request, and shows the answer only to the visitor who asked', async () => {
    const filed = await file(
      { 'X-Widget-Key': key },
      { question: `${question} I am ada@example.org`, url: `${origin}/hall?q=1` },
    );
    assert.equal(filed.status, 201);
    assert.equal(filed.body.status, 'open');
    assert.doesNotMatch(filed.body.question, /ada@example/);
    const mine = visitorHeaders(filed.body);
    assert.equal((await told(mine)).pagination.total, 0);
    const own = filed.headers.get('location') ?? '';
    const look = (headers: Record<string, string>) =>
      callApi<{ status: string; response: string | null }>(test.url + own, {
        headers: { Origin: origin, ...headers },
      });
    assert.equal((await look(mine)).body.status, 'open');
    assert.equal((await look({ 'X-Widget-Key': key })).status, 404);
    await resolve(filed.body.id);
    assert.equal((await look(mine)).body.response, 'The workshop does.');
    const { data } = await told(mine, '?unread=true');
    assert.deepEqual(
      data.map(({ response, read_at }) => [response, read_at]),
      [['The workshop does.', null]],
    );
    assert.equal((await told({ 'X-Widget-Key': key })).pagination.total, 0);
    // The same browser on pages behind a sign-in is another visitor.
    const inner = await addWidgetKey(test, acme, 'authenticated');
    assert.equal((await told({ ...mine, 'X-Widget-Key': inner })).pagination.total, 0);

    const path = `/notifications/${data[0]?.id}/read`;
    const stranger = await call(path, { 'X-Widget-Key': key }, { method: 'POST' });
    assert.equal(stranger.status, 404);
    const read = await call<{ read_at: string | null }>(path, mine, { method: 'POST' });
    assert.ok(read.body.read_at);
    assert.equal((await told(mine, '?unread=true')).pagination.total, 0);
    assert.equal((await told(mine, '?unread=false')).pagination.total, 1);
  });

  it('gives an end user the answer under each of their tokens', async () => {
    const host = await addKeyWithSecret(test, acme);
    const headers = async (externalId: string) => ({
      Authorization: `Bearer ${await addUserToken(test, host, { externalId })}`,
    });
    const { body } = await file(await headers('ada'));
    assert.equal(body.visitorToken, undefined);
    await resolve(body.id);
    assert.equal((await told(await headers('ada'))).pagination.total, 1);
    assert.equal((await told(await headers('bob'))).pagination.total, 0);
    const config = await call<{ unread: number }>('/config', await headers('ada'));
    assert.equal(config.body.unread, 1);
  });

  it('sends mail to the address in a request and shows the address only to staff', async () => {
    const filed = await file({ 'X-Widget-Key': key }, { email: 'eve@example.org' });
    const staff = await addUser(test, acme, 'backoffice');
    const path = `${test.url}/api/knowledge/requests/${filed.body.id}`;
    const shown = await callApi<{ requester_email: string; app_id: number; requester: unknown }>(
      path,
      { token: staff.token },
    );
    assert.equal(shown.body.requester_email, 'eve@example.org');
    assert.equal(shown.body.app_id, acme.appId);
    assert.doesNotMatch(JSON.stringify(filed.body), /eve@/);
    await resolve(filed.body.id);
    const deliveries = await test.app.db.read<{ target: string }>('outbox_deliveries');
    assert.deepEqual(
      deliveries.map(({ target }) => target),
      ['eve@example.org'],
    );
    const recorded = await test.app.db.read<{ after: string }>('audit_log');
    assert.doesNotMatch(JSON.stringify(recorded), /eve@example/);
    for (const email of ['eve@example.org\nBcc: all@x', '<eve@example.org>']) {
      const bad = await file({ 'X-Widget-Key': key }, { email });
      assert.equal(bad.status, 400, email);
    }
  });

  it('accepts only a conversation that belongs to the person who asks', async () => {
    const body = { message: question, context: { url: `${origin}/`, title: '' } };
    const asked = await call<Asked>('/message', { 'X-Widget-Key': key }, { body });
    const { conversationId } = asked.body;
    const mine = visitorHeaders(asked.body);
    assert.equal((await file(mine, { conversationId })).status, 201);
    assert.equal((await file({ 'X-Widget-Key': key }, { conversationId })).status, 404);
  });

  it('lists a person’s own requests, filtered by conversation if one is named', async () => {
    const body = { message: question, context: { url: `${origin}/`, title: '' } };
    const asked = await call<Asked>('/message', { 'X-Widget-Key': key }, { body });
    const { conversationId } = asked.body;
    const mine = visitorHeaders(asked.body);
    await file(mine, { conversationId });
    await file(mine, { question: 'Who repairs the lamp?' });
    const listed = async (headers: Record<string, string>, query = '') => {
      const { body } = await call<{ data: Filed[] }>(`/requests${query}`, headers);
      return body.data.map((one) => one.question);
    };
    assert.deepEqual(await listed(mine), ['Who repairs the lamp?', question]);
    assert.deepEqual(await listed(mine, `?conversationId=${conversationId}`), [question]);
    const stranger = visitorHeaders((await file({ 'X-Widget-Key': key })).body);
    assert.deepEqual(await listed(stranger, `?conversationId=${conversationId}`), []);
    const admin = await addUser(test, acme, 'admin');
    const staff = await callApi<{ data: Filed[] }>(
      `${test.url}/api/knowledge/requests?conversation_id=${conversationId}`,
      { token: admin.token },
    );
    assert.deepEqual(
      staff.body.data.map((one) => one.question),
      [question],
    );
  });

  it('limits the requests of each address and refuses pages of other sites', async () => {
    const few = await serveTestApp({ limits: { requests_per_minute: 2 } });
    try {
      const north = await addOrganization(few, 'North');
      const north_key = await addWidgetKey(few, north, 'public');
      const send = (page?: string) =>
        callApi(`${few.url}/widget/requests`, {
          key: north_key,
          body: { question },
          headers: page === undefined ? {} : { Origin: page },
        });
      assert.equal((await send()).body.code, 'origin_required');
      assert.equal((await send('https://evil.example')).body.code, 'origin_not_allowed');
      const statuses = [];
      for (let i = 0; i < 3; i += 1) statuses.push((await send('https://north.example')).status);
      assert.deepEqual(statuses, [201, 201, 429]);
    } finally {
      await few.close();
    }
  });

  it('refuses tokens of other apps and access tokens of /api', async () => {
    const globex = await addOrganization(test, 'Globex');
    const other = await addWidgetKey(test, globex, 'public');
    const filed = await call<Filed>(
      '/requests',
      { 'X-Widget-Key': other, Origin: 'https://globex.example' },
      { body: { question } },
    );
    const foreign = { 'X-Widget-Key': key, 'X-Visitor-Token': filed.body.visitorToken ?? '' };
    assert.equal((await file(foreign)).status, 401);
    const { token } = await addUser(test, acme, 'admin');
    assert.equal((await file({ Authorization: `Bearer ${token}` })).status, 401);
    assert.equal((await file({})).status, 401);
  });

  it('lets only the asker rate an answer, change the rating and remove it', async () => {
    await storeEntry(test, acme, { title: 'Pumps', content: 'The pump is oiled every month.' });
    const body = {
      message: 'How often is the pump oiled?',
      context: { url: `${origin}/`, title: '' },
    };
    const asked = await call<Asked>('/message', { 'X-Widget-Key': key }, { body });
    const { conversationId, messageId } = asked.body;
    const rate = (headers: Record<string, string>, rating: 'up' | 'down' | null) =>
      call<{ rating: string | null }>('/feedback', headers, {
        body: { conversationId, messageId, rating },
      });
    const mine = visitorHeaders(asked.body);
    const stored = async () =>
      (await test.app.db.read<{ rating: string }>('message_feedback')).map(({ rating }) => rating);
    assert.deepEqual((await rate(mine, 'up')).body, { rating: 'up' });
    assert.deepEqual((await rate(mine, 'down')).body, { rating: 'down' });
    assert.deepEqual(await stored(), ['down']);
    assert.equal((await rate({ 'X-Widget-Key': key }, 'up')).status, 404);
    assert.deepEqual((await rate(mine, null)).body, { rating: null });
    assert.deepEqual(await stored(), []);
  });
});
