import assert from 'node:assert/strict';
import { signAccessToken } from '../../src/accounts/tokens/access-tokens.js';
import { revokeWidgetKey } from '../../src/federation/manage-widget-keys.js';
import { signVisitorToken } from '../../src/federation/visitor-tokens.js';
import { operations } from '../../src/main/create-server.js';
import { closeCodes } from '../../src/chat/protocol.js';
import { claimDomain, releaseDomain } from '../../src/tenancy/manage-domains.js';
import { callApi } from '../support/api-client.js';
import { connectTo } from '../support/raw-http.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import { createTestClock } from '../support/test-clock.js';
import { openWidget, welcomeWidget } from '../support/widget-client.js';
import { addKeyWithSecret, addUserToken, addWidgetKey } from '../support/widget-keys.js';

type Credentials = { apiKey?: string; userToken?: string; visitorToken?: string };

const clock = createTestClock();
const day = 86_400_000;

describe('The widget under attack', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let globex: TestOrganization;
  let apiKey: string;
  const origin = 'https://acme.example';
  const question = { message: 'When are backups made?', context: { url: origin, title: '' } };

  before(async () => {
    test = await serveTestApp({}, clock);
    acme = await addOrganization(test);
    globex = await addOrganization(test, 'Globex');
    apiKey = await addWidgetKey(test, acme, 'public');
    await storeEntry(test, acme, { title: 'Backups', content: 'Backups are made at night.' });
  });
  after(() => test.close());

  const headersOf = ({ apiKey: key, userToken, visitorToken }: Credentials) => ({
    ...(key === undefined ? {} : { 'X-Widget-Key': key }),
    ...(userToken === undefined ? {} : { Authorization: `Bearer ${userToken}` }),
    ...(visitorToken === undefined ? {} : { 'X-Visitor-Token': visitorToken }),
  });
  const ask = (credentials: Credentials, body: object = question) =>
    callApi<{ code: string; conversationId: string; messageId: number; visitorToken?: string }>(
      `${test.url}/widget/message`,
      { body, headers: { Origin: origin, ...headersOf(credentials) } },
    );
  const read = (credentials: Credentials, id: string) =>
    callApi<{ code: string }>(`${test.url}/widget/conversations/${id}/messages`, {
      headers: { Origin: origin, ...headersOf(credentials) },
    });

  describe('requests from a page that does not belong to the app', () => {
    const origins: [name: string, headers: Record<string, string>, code: string][] = [
      ['that names no origin', {}, 'origin_required'],
      ['with an empty origin', { Origin: '' }, 'origin_required'],
      ['of nobody', { Origin: 'https://evil.example' }, 'origin_not_allowed'],
      ['of another app', { Origin: 'https://globex.example' }, 'origin_not_allowed'],
      ['of a subdomain', { Origin: 'https://www.acme.example' }, 'origin_not_allowed'],
      ['whose name ends alike', { Origin: 'https://notacme.example' }, 'origin_not_allowed'],
      ['whose name begins alike', { Origin: 'https://acme.example.evil.io' }, 'origin_not_allowed'],
      ['in a sandbox', { Origin: 'null' }, 'origin_not_allowed'],
      ['of localhost', { Origin: 'http://localhost:3000' }, 'origin_not_allowed'],
      ['with a user in it', { Origin: 'https://acme.example@evil.io' }, 'origin_not_allowed'],
      ['with a path', { Origin: 'https://acme.example/' }, 'origin_not_allowed'],
      ['of another scheme', { Origin: 'ftp://acme.example' }, 'origin_not_allowed'],
      ['of two names', { Origin: 'https://acme.example, https://evil.io' }, 'origin_not_allowed'],
    ];
    const endpoints = operations.filter(({ access }) => access === 'widget');

    it('are tested on every endpoint that accepts the credentials of a page', () => {
      assert.deepEqual(endpoints.map(({ method, path }) => `${method} ${path}`).sort(), [
        'delete /widget/conversations/:id',
        'get /widget/config',
        'get /widget/conversations',
        'get /widget/conversations/:id/messages',
        'get /widget/conversations/:id/messages/:message_id/events',
        'get /widget/notifications',
        'get /widget/page',
        'get /widget/requests',
        'get /widget/requests/:id',
        'post /widget/conversations/:id/claim',
        'post /widget/conversations/:id/messages/:message_id/cancel',
        'post /widget/feedback',
        'post /widget/login',
        'post /widget/message',
        'post /widget/notifications/:id/read',
        'post /widget/requests',
      ]);
    });

    for (const [name, headers, code] of origins) {
      it(`are refused by each endpoint and by the WebSocket: a page ${name}`, async () => {
        for (const { method, path, body } of endpoints) {
          const reply = await callApi(test.url + path.replaceAll(/:\w+/g, '1'), {
            method: method.toUpperCase(),
            key: apiKey,
            headers,
            ...(body === undefined ? {} : { body: question }),
          });
          assert.equal(reply.status, 403, path);
          assert.equal(reply.body.code, code, path);
          // The page of the first call has to learn why it is refused; the others tell pages of nobody nothing.
          const from = headers['Origin'] ?? '';
          const isWritten = /^(null|https?:\/\/[a-z\d.-]+(:\d+)?)$/.test(from);
          const isReadable = name === 'of another app' || (path === '/widget/config' && isWritten);
          const allowed = reply.headers.get('access-control-allow-origin');
          assert.equal(allowed, isReadable ? from : null);
        }
        // A page of another app may open a connection: which app it means is said by its hello.
        if (name === 'of another app') {
          const client = await openWidget(test.url, { origin: 'https://globex.example' });
          client.send({ type: 'hello', apiKey });
          assert.equal((await client.next('error')).code, code);
          assert.equal((await client.closed).code, closeCodes.originNotAllowed);
        } else {
          const given = headers['Origin'] === undefined ? {} : { origin: headers['Origin'] };
          await assert.rejects(openWidget(test.url, given), { message: `403 ${code}` });
        }
      });
    }

    it('may have no Origin header only if the browser marks a GET as same-origin', async () => {
      const send = (path: string, site: string, body?: object) =>
        callApi(`${test.url}${path}`, {
          key: apiKey,
          headers: { 'Sec-Fetch-Site': site },
          ...(body === undefined ? {} : { body }),
        });
      assert.equal((await send('/widget/conversations', 'same-origin')).status, 200);
      for (const site of ['same-site', 'cross-site', 'none']) {
        assert.equal((await send('/widget/conversations', site)).status, 403, site);
      }
      assert.equal((await send('/widget/message', 'same-origin', question)).status, 403);
    });

    it('do not count as the server’s own pages under a host name that somebody else points at the server', async () => {
      const statusUnder = async (host: string, path: string) => {
        const { socket, until } = await connectTo(test.url);
        const key = `X-Widget-Key: ${apiKey}\r\nSec-Fetch-Site: same-origin`;
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${key}\r\n\r\n`);
        const [, status] = await until(/^HTTP\/1.1 (\d+)/);
        socket.destroy();
        return status;
      };
      for (const path of ['/widget/config', `/api/knowledge/page?url=${origin}/`]) {
        assert.equal(await statusUnder('evil.example', path), '403', path);
        for (const host of ['127.0.0.1', 'localhost:8080', '192.0.2.7', 'acme.example']) {
          assert.equal(await statusUnder(host, path), '200', `${host} ${path}`);
        }
      }
    });

    it('get no CORS permission in the preflight if nobody registered their page', async () => {
      const preflight = (from: string, path = '/widget/message') =>
        fetch(test.url + path, {
          method: 'OPTIONS',
          headers: { Origin: from, 'Access-Control-Request-Method': 'POST' },
        });
      const good = await preflight(origin);
      assert.equal(good.status, 204);
      assert.equal(good.headers.get('access-control-allow-origin'), origin);
      assert.match(good.headers.get('access-control-allow-headers') ?? '', /X-Visitor-Token/);
      assert.equal(good.headers.get('access-control-allow-credentials'), null);
      for (const reply of [
        await preflight('https://evil.example'),
        await preflight(origin, '/widget/token'),
      ]) {
        assert.equal(reply.headers.get('access-control-allow-origin'), null);
      }
    });
  });

  it('refuses invalid credentials over HTTP and on the WebSocket', async () => {
    const host = await addKeyWithSecret(test, acme);
    const userToken = await addUserToken(test, host);
    const gone = await addKeyWithSecret(test, acme);
    const ofGone = await addUserToken(test, gone);
    await revokeWidgetKey(test.app, acme.operator, gone.key.id);
    const foreign = await addKeyWithSecret(test, globex);
    const foreignUser = await addUserToken(test, foreign);
    const { token: visitorToken } = await signVisitorToken(test.app, {
      ...{ visitorId: 'v', appId: acme.appId },
    });
    const { token: foreignVisitor } = await signVisitorToken(test.app, {
      ...{ visitorId: 'v', appId: globex.appId },
    });
    const access = (await addUser(test, acme, 'admin')).token;
    const altered = (token: string) => token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA');
    const table: [string, Credentials][] = [
      ['nothing', {}],
      ['an unknown key', { apiKey: `wk_live_${'0'.repeat(32)}` }],
      ['an empty key', { apiKey: '' }],
      ['a revoked key', { apiKey: gone.key.key }],
      ['a user token of a revoked key', { userToken: ofGone }],
      ['an altered user token', { userToken: altered(userToken) }],
      ['a user token with a key of another app', { userToken, apiKey: foreign.key.key }],
      ['a visitor token alone', { visitorToken }],
      ['a visitor token of another app', { apiKey, visitorToken: foreignVisitor }],
      ['an altered visitor token', { apiKey, visitorToken: altered(visitorToken) }],
      ['a visitor token as a user token', { apiKey, userToken: visitorToken }],
      ['a user token as a visitor token', { apiKey, visitorToken: userToken }],
      ['an access token as a user token', { apiKey, userToken: access }],
      ['an access token as a visitor token', { apiKey, visitorToken: access }],
      ['a good user token with a bad visitor token', { userToken, visitorToken: 'x' }],
    ];
    for (const [name, credentials] of table) {
      const reply = await ask(credentials);
      assert.equal(reply.status, 401, name);
      const client = await openWidget(test.url, { origin });
      client.send({ type: 'hello', ...credentials });
      assert.equal((await client.next('error')).code, 'unauthenticated', name);
      assert.equal((await client.closed).code, closeCodes.unauthenticated, name);
    }
    const { status, body } = await ask({ userToken: foreignUser });
    assert.deepEqual([status, body.code], [403, 'origin_not_allowed']);
  });

  it('refuses the widget’s tokens in /api', async () => {
    const { visitorToken } = (await ask({ apiKey })).body;
    const userToken = await addUserToken(test, await addKeyWithSecret(test, acme));
    for (const token of [visitorToken ?? '', userToken]) {
      assert.equal((await callApi(`${test.url}/api/conversations`, { token })).status, 401);
      const body = question;
      assert.equal(
        (await callApi(`${test.url}/api/conversations/message`, { token, body })).status,
        401,
      );
    }
  });

  it('answers not_found to everybody who guesses the id of another person’s conversation', async () => {
    const host = await addKeyWithSecret(test, acme);
    const [one, two] = [
      await addUserToken(test, host, { externalId: 'one' }),
      await addUserToken(test, host, { externalId: 'two' }),
    ];
    const user = await addUser(test, acme, 'user');
    const asVisitor = await ask({ apiKey });
    const { visitorToken = '' } = asVisitor.body;
    const asOne = await ask({ userToken: one });
    const asUser = await callApi<{ conversationId: string; messageId: number }>(
      `${test.url}/api/conversations/message`,
      { token: user.token, body: question },
    );
    const visitor = { apiKey, visitorToken };
    const stranger = { apiKey, visitorToken: (await ask({ apiKey })).body.visitorToken ?? '' };
    const owners: [{ conversationId: string; messageId: number }, Credentials[]][] = [
      [asVisitor.body, [visitor]],
      [asOne.body, [{ userToken: one }, { userToken: one, apiKey }]],
      [asUser.body, []],
    ];
    const everybody = [visitor, stranger, { apiKey }, { userToken: one }, { userToken: two }];
    for (const [{ conversationId, messageId }, mine] of owners) {
      for (const credentials of mine) {
        assert.equal((await read(credentials, conversationId)).status, 200);
      }
      const same = (a: Credentials, b: Credentials) =>
        a.userToken === b.userToken && a.visitorToken === b.visitorToken;
      for (const credentials of everybody) {
        if (mine.some((own) => same(own, credentials))) continue;
        assert.equal((await read(credentials, conversationId)).status, 404);
        assert.equal((await ask(credentials, { ...question, conversationId })).status, 404);
        for (const [end, method] of [
          ['events', 'GET'],
          ['cancel', 'POST'],
        ]) {
          const path = `/widget/conversations/${conversationId}/messages/${messageId - 1}/${end}`;
          const headers = { Origin: origin, ...headersOf(credentials) };
          assert.equal(
            (await callApi(test.url + path, { method: method ?? '', headers })).status,
            404,
          );
        }
      }
    }
    const list = await callApi<{ data: { id: string }[] }>(`${test.url}/widget/conversations`, {
      headers: { Origin: origin, ...headersOf(visitor) },
    });
    assert.deepEqual(
      list.body.data.map(({ id }) => id),
      [asVisitor.body.conversationId],
    );
  });

  it('hides with a public key what the same browser was told with an authenticated key', async () => {
    const signedIn = await addWidgetKey(test, acme, 'authenticated');
    await storeEntry(test, acme, {
      ...{ title: 'Vault', content: 'The vault opens with 7788.', visibility: 'authenticated' },
    });
    const asked = { ...question, message: 'With what does the vault open?' };
    const told = (await ask({ apiKey: signedIn }, asked)).body;
    const { conversationId, visitorToken = '' } = told;
    assert.match(JSON.stringify(told), /7788/);
    const publicly = { apiKey, visitorToken };
    assert.equal((await read(publicly, conversationId)).status, 404);
    assert.equal((await ask(publicly, { ...question, conversationId })).status, 404);
    // One token for both: neither page makes the browser forget what it asked on the other.
    const own = (await ask(publicly)).body;
    const again = { apiKey: signedIn, visitorToken: own.visitorToken ?? '' };
    assert.equal((await read(again, conversationId)).status, 200);
    assert.equal((await read(again, own.conversationId)).status, 404);
    assert.equal((await read(publicly, own.conversationId)).status, 200);
    const client = await welcomeWidget(test.url, origin, publicly);
    client.send({ type: 'resume', id: 'r', conversationId, questionId: told.messageId - 1 });
    assert.equal((await client.next('error', 'r')).code, 'not_found');
    await client.close();
  });

  it('answers only from the app’s own knowledge if the request names a page of another app', async () => {
    await storeEntry(test, globex, { title: 'Moon', content: 'The moon base opens in May.' });
    const context = { url: 'https://globex.example/', title: '' };
    const { body, status } = await ask(
      { apiKey },
      { message: 'When does the moon base open?', context },
    );
    assert.equal(status, 200);
    assert.deepEqual([(body as unknown as { found: boolean }).found], [false]);
  });

  it('refuses a revoked key on a connection that is already open', async () => {
    const { key } = await addKeyWithSecret(test, acme);
    const client = await welcomeWidget(test.url, origin, { apiKey: key.key });
    client.send({ type: 'message', id: 'a', ...question });
    await client.next('done', 'a');
    await revokeWidgetKey(test.app, acme.operator, key.id);
    client.send({ type: 'message', id: 'b', ...question });
    assert.equal((await client.next('error', 'b')).code, 'unauthenticated');
    await client.close();
  });

  it('checks the page’s domain again after a slow request body has arrived completely', async () => {
    const { operator, appId } = acme;
    const { domain } = await claimDomain(test.app, operator, { host: 'slow.example', appId });
    const first = ' '.repeat(20_000);
    const last = JSON.stringify(question);
    const looked = new Promise<void>((resolve) => {
      test.app.db.read.on('query-response', (_rows, { sql }: { sql: string }) => {
        if (/[`"]domains[`"]/.test(sql)) resolve();
      });
    });
    const { socket, until } = await connectTo(test.url);
    socket.write(
      `POST /widget/message HTTP/1.1\r\nHost: x\r\nOrigin: https://slow.example\r\nX-Widget-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${first.length + last.length}\r\n\r\n${first}`,
    );
    // It was of the app by then.
    await looked;
    await releaseDomain(test.app, operator, domain.id);
    socket.write(last);
    assert.equal((await until(/^HTTP\/1\.1 (\d+)/))[1], '403');
    socket.destroy();
  });

  it('refuses visitor tokens and access tokens after they expire', async () => {
    const own = { visitorId: 'somebody', appId: acme.appId };
    const { token: visitorToken, expiresIn } = await signVisitorToken(test.app, own);
    assert.equal(expiresIn, 30 * 86_400);
    const expired = await signAccessToken(test.app, { userId: 1 }, 60);
    clock.advance(29 * day);
    assert.equal((await ask({ apiKey, visitorToken })).status, 200);
    clock.advance(day + 1000);
    assert.equal((await ask({ apiKey, visitorToken })).status, 401);
    assert.equal((await ask({ userToken: expired })).status, 401);
  });
});
