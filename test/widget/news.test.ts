import assert from 'node:assert/strict';
import { revokeWidgetKey } from '../../src/federation/manage-widget-keys.js';
import type { App } from '../../src/platform/app.js';
import { updateRequest } from '../../src/requests/update-request.js';
import { callApi } from '../support/api-client.js';
import {
  addOrganization,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { welcomeWidget, type WidgetClient } from '../support/widget-client.js';
import { addKeyWithSecret, addUserToken, addWidgetKey } from '../support/widget-keys.js';

describe('Notifications over the widget’s WebSocket', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let key: string;
  const origin = 'https://acme.example';
  const clients: WidgetClient[] = [];

  beforeEach(async () => {
    test = await serveTestApp();
    acme = await addOrganization(test);
    key = await addWidgetKey(test, acme, 'public');
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await test.close();
  });

  async function connect(credentials: Parameters<typeof welcomeWidget>[2]) {
    const client = await welcomeWidget(test.url, origin, credentials);
    clients.push(client);
    return client;
  }
  async function file(headers: Record<string, string>): Promise<number> {
    const reply = await callApi<{ id: number }>(`${test.url}/widget/requests`, {
      headers: { Origin: origin, ...headers },
      body: { question: 'Who repairs the pump?', url: `${origin}/pump` },
    });
    assert.equal(reply.status, 201);
    return reply.body.id;
  }
  const resolve = (id: number, response = 'The workshop.', app: App = test.app) =>
    updateRequest(app, acme.operator, id, { status: 'resolved', response });
  const newsOf = ({ frames }: WidgetClient) =>
    frames.flatMap((frame) => (frame.type === 'notification' ? [frame.notification] : []));
  /** What was sent before this came back has arrived. */
  async function settle(client: WidgetClient): Promise<void> {
    const pongs = client.frames.filter(({ type }) => type === 'pong').length;
    client.send({ type: 'ping' });
    await client.until(() => client.frames.filter(({ type }) => type === 'pong').length > pongs);
  }

  it('reach all tabs of the person who asked, once each, and nobody else', async () => {
    const first = await connect({ apiKey: key });
    const { visitorToken } = first;
    const second = await connect({ apiKey: key, visitorToken });
    const other = await connect({ apiKey: key });
    const id = await file({ 'X-Widget-Key': key, 'X-Visitor-Token': visitorToken });
    await resolve(id);
    const { notification } = await first.next('notification');
    await second.next('notification');
    assert.equal(notification.response, 'The workshop.');
    assert.equal(notification.url, `${origin}/pump`);
    assert.deepEqual(Object.keys(notification).sort(), [
      ...['conversation_id', 'created_at', 'id', 'kind', 'question', 'response', 'url'],
    ]);
    // The same hello again begins nothing anew; another answer is another notification.
    first.send({ type: 'hello', apiKey: key, visitorToken });
    await resolve(id, 'The new workshop.');
    await first.until(() => newsOf(first).length === 2);
    await second.until(() => newsOf(second).length === 2);
    for (const client of [first, second, other]) await settle(client);
    const responses = newsOf(first).map(({ response }) => response);
    assert.deepEqual(responses, ['The workshop.', 'The new workshop.']);
    assert.equal(newsOf(second).length, 2);
    assert.equal(newsOf(other).length, 0);
  });

  it('arrive when another process resolves the request', async () => {
    const client = await connect({ apiKey: key });
    const headers = { 'X-Widget-Key': key, 'X-Visitor-Token': client.visitorToken };
    const id = await file(headers);
    const cli = await test.openAnother();
    try {
      await resolve(id, 'By the command line.', cli);
    } finally {
      await cli.close();
    }
    const { notification } = await client.next('notification');
    assert.equal(notification.response, 'By the command line.');
  });

  it('reach only the person who is signed in on the connection now', async () => {
    const host = await addKeyWithSecret(test, acme);
    const [ada, bob] = [
      await addUserToken(test, host, { externalId: 'ada' }),
      await addUserToken(test, host, { externalId: 'bob' }),
    ];
    const client = await connect({ userToken: ada });
    const ids = [];
    for (const token of [ada, bob]) ids.push(await file({ Authorization: `Bearer ${token}` }));
    client.send({ type: 'hello', userToken: bob });
    await client.until(() => client.frames.filter(({ type }) => type === 'welcome').length === 2);
    await resolve(ids[0] ?? 0, 'For Ada.');
    await resolve(ids[1] ?? 0, 'For Bob.');
    await client.next('notification');
    await settle(client);
    assert.deepEqual(
      newsOf(client).map(({ response }) => response),
      ['For Bob.'],
    );
  });

  it('do not reach a person whose key was revoked', async () => {
    const host = await addKeyWithSecret(test, acme);
    const userToken = await addUserToken(test, host);
    const client = await connect({ userToken });
    const id = await file({ Authorization: `Bearer ${userToken}` });
    await revokeWidgetKey(test.app, acme.operator, host.key.id);
    const watcher = await connect({ apiKey: key });
    const other = await file({ 'X-Widget-Key': key, 'X-Visitor-Token': watcher.visitorToken });
    await resolve(id);
    await resolve(other);
    await watcher.next('notification');
    await settle(client);
    assert.equal(newsOf(client).length, 0);
  });
});
