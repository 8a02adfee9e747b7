import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Knex } from 'knex';
import { giveConversation } from '../../src/conversations/store/conversations.repository.js';
import { signVisitorToken, verifyVisitorToken } from '../../src/federation/visitor-tokens.js';
import { fileRequest } from '../../src/requests/file-request.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { callApi } from '../support/api-client.js';
import { openEventStream } from '../support/event-reader.js';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { connectTo } from '../support/raw-http.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  beforeNextTransaction,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { addKeyWithSecret, addUserToken, addWidgetKey } from '../support/widget-keys.js';

interface Reply {
  response: string;
  conversationId: string;
  messageId: number;
  visitorToken?: string;
}
interface List {
  data: { id: string; channel: string; role: string; content: string }[];
  pagination: { total: number };
}

describe('Visitors and end users of the widget over HTTP', () => {
  let ollama: OllamaStandIn;
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let key: string;
  const origin = 'https://acme.example';
  const said = 'They are made every single night [1].';
  const body = {
    message: 'When are the backups of the server made?',
    context: { url: `${origin}/backups`, title: 'Backups' },
  };

  beforeEach(async () => {
    ollama = await startOllamaStandIn({ answer: () => said });
    test = await serveTestApp({ ollama: { url: ollama.url } });
    acme = await addOrganization(test);
    key = await addWidgetKey(test, acme, 'public');
    const content = 'Backups of the server are made every single night.';
    await storeEntry(test, acme, { title: 'Backups', content });
  });
  afterEach(async () => {
    await test.close();
    await ollama.stop();
  });

  const ask = (headers: Record<string, string>, more: object = {}) =>
    callApi<Reply>(`${test.url}/widget/message`, {
      headers: { Origin: origin, ...headers },
      body: { ...body, ...more },
    });
  const list = (headers: Record<string, string>) =>
    callApi<List>(`${test.url}/widget/conversations`, { headers: { Origin: origin, ...headers } });

  it('get a visitor token and find their earlier conversations', async () => {
    const first = await ask({ 'X-Widget-Key': key });
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('access-control-allow-origin'), origin);
    const { visitorToken = '', conversationId } = first.body;
    const mine = { 'X-Widget-Key': key, 'X-Visitor-Token': visitorToken };
    const second = await ask(mine, { conversationId });
    assert.equal(second.body.conversationId, conversationId);
    assert.ok(second.body.visitorToken);
    const { data, pagination } = (await list(mine)).body;
    assert.deepEqual([data[0]?.id, data[0]?.channel], [conversationId, 'widget']);
    assert.equal(pagination.total, 1);
    assert.equal((await list({ 'X-Widget-Key': key })).body.pagination.total, 0);
  });

  it('can claim the conversations that they had as visitors, and no others', async () => {
    const host = await addKeyWithSecret(test, acme);
    const tokens = await Promise.all(
      ['ada', 'bob'].map((externalId) => addUserToken(test, host, { externalId })),
    );
    const [ada, bob] = tokens.map((token) => ({ Authorization: `Bearer ${token}` }));
    const claim = async (headers: Record<string, string>, id: string, visitorToken: string) => {
      const url = `${test.url}/widget/conversations/${id}/claim`;
      const given = { headers: { Origin: origin, ...headers }, body: { visitorToken } };
      return (await callApi(url, given)).status;
    };
    const { visitorToken = '', conversationId: id } = (await ask({ 'X-Widget-Key': key })).body;
    const mine = { 'X-Widget-Key': key, 'X-Visitor-Token': visitorToken };
    const filed = await callApi<{ id: number }>(`${test.url}/widget/requests`, {
      headers: { Origin: origin, ...mine },
      body: { question: body.message, conversationId: id },
    });
    const stranger = (await ask({ 'X-Widget-Key': key })).body.visitorToken ?? '';
    assert.ok(ada && bob);
    // Of another visitor, of nobody, as nobody: refused, and the conversation stays where it is.
    assert.equal(await claim(ada, id, stranger), 404);
    assert.equal(await claim(ada, id, 'not a token'), 404);
    assert.equal(await claim({ 'X-Widget-Key': key }, id, visitorToken), 404);
    assert.equal((await list(mine)).body.pagination.total, 1);
    // What is taken is gone for the visitor, and taken again it changes nothing.
    assert.equal(await claim(ada, id, visitorToken), 204);
    assert.equal(await claim(ada, id, visitorToken), 204);
    assert.equal(await claim(bob, id, visitorToken), 404);
    assert.deepEqual(
      (await list(ada)).body.data.map((one) => one.id),
      [id],
    );
    for (const one of [mine, bob]) assert.equal((await list(one)).body.pagination.total, 0);
    const handed = await callApi<{ data: { id: number }[] }>(
      `${test.url}/widget/requests?conversationId=${id}`,
      { headers: { Origin: origin, ...ada } },
    );
    assert.deepEqual(
      handed.body.data.map((one) => one.id),
      [filed.body.id],
    );
  });

  it('lose no answer or request if they claim a conversation while both are being made', async () => {
    const host = await addKeyWithSecret(test, acme);
    const ada = { Authorization: `Bearer ${await addUserToken(test, host)}` };
    const first = (await ask({ 'X-Widget-Key': key })).body;
    const { visitorToken = '', conversationId } = first;
    const mine = { 'X-Widget-Key': key, 'X-Visitor-Token': visitorToken };
    ollama.stallAfter = 0;
    const second = ask(mine, { conversationId });
    await ollama.until(() => ollama.running === 1);
    // Both of these have found the conversation to be the visitor's when it becomes Ada's.
    const visitor = {
      ...{ kind: 'visitor' as const, organizationId: acme.operator.organizationId },
      ...{ appId: acme.appId, keyKind: 'public' as const },
      visitorId: (await verifyVisitorToken(test.app, visitorToken))?.visitorId ?? '',
    };
    while (test.app.runningAnswers.size < 2) await nextTurn();
    beforeNextTransaction(test.app, async () => {
      const endUser = await test.app.db.read<{ id: number }>('end_users').first();
      const taken = { id: conversationId, appId: acme.appId };
      assert.ok(await giveConversation(test.app, taken, [visitor.visitorId], endUser?.id ?? 0));
    });
    await assert.rejects(
      fileRequest(test.app, visitor, { question: 'Why?', conversationId }, 'widget'),
      { code: 'not_found' },
    );
    ollama.release();
    assert.equal((await second).status, 200);
    const messages = await callApi<List>(
      `${test.url}/widget/conversations/${conversationId}/messages`,
      { headers: { Origin: origin, ...ada } },
    );
    assert.equal(messages.body.data.filter(({ role }) => role === 'assistant').length, 2);
  });

  it('get the answer to a request that was filed just before they claimed its conversation', async () => {
    const host = await addKeyWithSecret(test, acme);
    const ada = { Authorization: `Bearer ${await addUserToken(test, host)}` };
    const { visitorToken = '', conversationId } = (await ask({ 'X-Widget-Key': key })).body;
    const claim = () =>
      callApi(`${test.url}/widget/conversations/${conversationId}/claim`, {
        headers: { Origin: origin, ...ada },
        body: { visitorToken },
      });
    const visitor = {
      ...{ kind: 'visitor' as const, organizationId: acme.operator.organizationId },
      ...{ appId: acme.appId, keyKind: 'public' as const },
      visitorId: (await verifyVisitorToken(test.app, visitorToken))?.visitorId ?? '',
    };
    const { db } = test.app;
    let claimed: ReturnType<typeof claim> | undefined;
    // It is taken along between what is written and what is read outside of the transaction.
    const read = new Proxy(db.read, {
      apply(read, self, args: [string]) {
        const query = Reflect.apply(read, self, args) as Knex.QueryBuilder;
        const run = query.then.bind(query) as (...then: unknown[]) => unknown;
        const late = async (...then: unknown[]) => {
          await (claimed ??= claim());
          return run(...then);
        };
        return args[0] === 'knowledge_requests' ? Object.assign(query, { then: late }) : query;
      },
    });
    const app = { ...test.app, db: { ...db, read } };
    const asked = { question: 'Why?', conversationId };
    const { id } = await fileRequest(app, visitor, asked, 'widget');
    assert.equal((await (claimed ?? claim())).status, 204);
    const headers = { Origin: origin, ...ada };
    const hers = await callApi<List>(`${test.url}/widget/requests`, { headers });
    assert.deepEqual(
      hers.body.data.map((one) => Number(one.id)),
      [id],
    );
  });

  it('can’t claim a conversation into another app or organization, even under the same visitor id', async () => {
    const { visitorToken = '', conversationId: id } = (await ask({ 'X-Widget-Key': key })).body;
    const visitorId = (await verifyVisitorToken(test.app, visitorToken))?.visitorId ?? '';
    const globex = await addOrganization(test, 'Globex');
    const { id: appId } = await createApp(test.app, acme.operator, { name: 'Second' });
    const second = { ...acme, appId, domain: 'second.example' };
    await claimDomain(test.app, acme.operator, { host: second.domain, appId });
    for (const other of [globex, second]) {
      const host = await addKeyWithSecret(test, other, { appId: other.appId });
      const userToken = await addUserToken(test, host);
      const { token } = await signVisitorToken(test.app, { visitorId, appId: other.appId });
      const { status } = await callApi(`${test.url}/widget/conversations/${id}/claim`, {
        headers: { Origin: `https://${other.domain}`, Authorization: `Bearer ${userToken}` },
        body: { visitorToken: token },
      });
      assert.equal(status, 404, other.domain);
    }
  });

  it('cause one database query per call for the host of origin and page', async () => {
    const asked: string[] = [];
    test.app.db.read.on('query', ({ sql }: { sql: string }) => {
      if (/from [`"]domains/.test(sql)) asked.push(sql);
    });
    assert.equal((await ask({ 'X-Widget-Key': key })).status, 200);
    assert.equal(asked.length, 1);
    await test.app.db.write('domains').where({ app_id: acme.appId }).delete();
    assert.equal((await ask({ 'X-Widget-Key': key })).status, 403);
    assert.equal(asked.length, 2);
  });

  it('can delete only their own conversations', async () => {
    const { visitorToken = '', conversationId } = (await ask({ 'X-Widget-Key': key })).body;
    const path = `${test.url}/widget/conversations/${conversationId}`;
    const remove = (headers: Record<string, string>) =>
      callApi(path, {
        method: 'DELETE',
        headers: { Origin: origin, 'X-Widget-Key': key, ...headers },
      });
    const other = (await ask({ 'X-Widget-Key': key })).body.visitorToken ?? '';
    assert.equal((await remove({ 'X-Visitor-Token': other })).status, 404);
    const mine = { 'X-Widget-Key': key, 'X-Visitor-Token': visitorToken };
    assert.equal((await list(mine)).body.pagination.total, 1);
    assert.equal((await remove({ 'X-Visitor-Token': visitorToken })).status, 204);
    assert.equal((await list(mine)).body.pagination.total, 0);
  });

  it('stay the same end user under each new token', async () => {
    const host = await addKeyWithSecret(test, acme);
    const headers = async () => ({ Authorization: `Bearer ${await addUserToken(test, host)}` });
    const first = await ask(await headers());
    assert.equal(first.body.visitorToken, undefined);
    const { data } = (await list(await headers())).body;
    assert.deepEqual(
      data.map(({ id }) => id),
      [first.body.conversationId],
    );
  });

  it('are billed to the organization, whose staff can read their questions', async () => {
    const { conversationId } = (await ask({ 'X-Widget-Key': key })).body;
    const [event] = await test.app.db.read<{ [column: string]: unknown }>('usage_events');
    assert.deepEqual(
      [event?.['channel'], event?.['payer_organization_id'], event?.['payer_user_id']],
      ['widget', acme.operator.organizationId, null],
    );
    const [staff, user] = [
      await addUser(test, acme, 'backoffice'),
      await addUser(test, acme, 'user'),
    ];
    const path = `${test.url}/api/conversations/${conversationId}/messages`;
    assert.equal((await callApi(path, { token: staff.token })).status, 200);
    assert.equal((await callApi(path, { token: user.token })).status, 404);
  });

  it('receive the answer as a stream after their visitor token', async () => {
    const stream = await openEventStream(`${test.url}/widget/message`, {
      body,
      headers: { Origin: origin, 'X-Widget-Key': key },
    });
    const events = await stream.rest();
    const deltas = events.filter(({ event }) => event === 'delta');
    assert.equal(deltas.map(({ data }) => (data as { text: string }).text).join(''), said);
    const [welcome, started] = events;
    assert.deepEqual([welcome?.event, started?.event], ['welcome', 'started']);
    const done = events.at(-1);
    assert.equal(done?.event, 'done');
    assert.equal((done.data as Reply).response, said);
    assert.equal(stream.headers.get('x-accel-buffering'), 'no');
    assert.match(stream.headers.get('cache-control') ?? '', /no-transform/);
  });

  it('resume a lost stream after the last event they received, and can cancel the answer', async () => {
    ollama.stallAfter = 2;
    const stream = await openEventStream(`${test.url}/widget/message`, {
      body,
      headers: { Origin: origin, 'X-Widget-Key': key },
    });
    const [welcome, started] = [await stream.next(), await stream.next()];
    const { visitorToken } = welcome.data as { visitorToken: string };
    const { conversationId, questionId } = started.data as {
      conversationId: string;
      questionId: number;
    };
    const seen = await stream.until(({ event }) => event === 'delta');
    stream.leave();
    const headers = { Origin: origin, 'X-Widget-Key': key, 'X-Visitor-Token': visitorToken };
    const path = `${test.url}/widget/conversations/${conversationId}/messages/${questionId}`;
    const lastEventId = seen.at(-1)?.id ?? 0;
    const again = await openEventStream(`${path}/events`, { headers, lastEventId });
    assert.equal((await again.next()).id, lastEventId + 1);
    const cancelled = await callApi(`${path}/cancel`, { method: 'POST', headers });
    assert.equal(cancelled.status, 204);
    await ollama.until(() => ollama.aborted === 1);
    await again.rest();
  });

  it('are refused from a malformed origin, which the answer does not repeat', async () => {
    // Once it is optimised, Node 20 says of more bytes that they are an address.
    for (let call = 0; call < 20_000; call++) URL.canParse(`https://acme${call % 10}.example`);
    for (const origin of [
      ...['https://acme\xe3\x80\x82example', 'https://acme%2eexample', 'https://acme.example.'],
      ...['https://acme..example', 'https://.acme.example', 'https://*.example', 'https://'],
      ...['https://a@acme.example', 'https://acme.example/', 'https://acme.example:'],
    ]) {
      for (const path of ['config', 'page?url=https%3A%2F%2Facme.example%2F']) {
        const { socket, closed } = await connectTo(test.url);
        socket.write(
          `GET /widget/${path} HTTP/1.1\r\nHost: x\r\nX-Widget-Key: ${key}\r\nOrigin: ${origin}\r\nConnection: close\r\n\r\n`,
          'latin1',
        );
        const answer = await closed;
        assert.match(answer, /^HTTP\/1\.1 403 /, answer);
        assert.doesNotMatch(answer, /Access-Control-Allow-Origin/i, answer);
      }
    }
  });

  it('may come from any port and scheme of a registered name, and from subdomains of a wildcard only', async () => {
    const { operator, appId } = acme;
    await claimDomain(test.app, operator, { host: '*.wild.example', appId });
    for (const [page, status] of [
      ['http://acme.example:8080', 200],
      ['https://ACME.example', 200],
      ['https://a.wild.example', 200],
      ['https://b.a.wild.example', 200],
      ['https://wild.example', 403],
    ] as const) {
      const reply = await callApi(`${test.url}/widget/conversations`, {
        key,
        headers: { Origin: page },
      });
      assert.equal(reply.status, status, page);
    }
  });
});
