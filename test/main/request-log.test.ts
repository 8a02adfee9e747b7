import assert from 'node:assert/strict';
import { pino } from 'pino';
import { callApi } from '../support/api-client.js';
import { connectTo } from '../support/raw-http.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  refuseInserts,
  serveTestApp,
  type ConfigInput,
  type TestApp,
} from '../support/test-app.js';

interface Line {
  level: number;
  msg: string;
  request_id?: string;
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
  caller?: string;
}

describe('The request log', () => {
  let lines: Line[];
  let test: TestApp & { url: string };

  const open = async (config: ConfigInput = {}) => {
    lines = [];
    const write = (text: string) => lines.push(JSON.parse(text) as Line);
    // The most detailed level, without the redaction that would hide a mistake.
    const log = pino({ level: 'trace', base: null }, { write });
    test = await serveTestApp(config, undefined, log);
    return addOrganization(test);
  };
  afterEach(() => test.close());
  const requests = () => lines.filter(({ msg }) => msg === 'request');

  it('has one line for each request, with the declared path and the caller', async () => {
    const acme = await open();
    const user = await addUser(test, acme, 'user');
    const headers = { 'X-Request-Id': 'mine' };
    const { token } = user;
    await callApi(`${test.url}/api/conversations/secret-id/messages?page=7`, { token, headers });
    await callApi(`${test.url}/api/unknown/secret-id?q=secret`);
    await callApi(`${test.url}/health/live`);
    assert.deepEqual(
      requests().map(({ level, request_id, method, path, status, caller }) => {
        return [level, request_id === 'mine', method, path, status, caller];
      }),
      [
        [30, true, 'GET', '/api/conversations/:id/messages', 404, `user:${user.id}`],
        [30, false, 'GET', 'none', 404, 'anonymous'],
        // Proxies ask every two seconds.
        [20, false, 'GET', '/health/live', 200, 'anonymous'],
      ],
    );
    assert.ok(requests().every(({ ms }) => typeof ms === 'number' && ms >= 0));
  });

  it('has status 499 if the connection ended before the answer began', async () => {
    await open();
    const { socket, until } = await connectTo(test.url);
    const head =
      'Host: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue';
    socket.write(`POST /api/auth/login HTTP/1.1\r\n${head}\r\n\r\n`);
    await until(/100 Continue/);
    socket.destroy();
    while (requests().every(({ path }) => path !== '/api/auth/login')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const line = requests().find(({ path }) => path === '/api/auth/login');
    assert.equal(line?.status, 499);
  });

  it('is written at level debug if log.requests is off', async () => {
    await open({ log: { requests: false } });
    await callApi(`${test.url}/api/unknown`);
    assert.deepEqual(
      requests().map(({ level }) => level),
      [20],
    );
  });

  it('contains no password, token, text or query at any level, even after errors', async () => {
    const ollama = await startOllamaStandIn({ answer: () => 'zebra-answer [1].' });
    try {
      const acme = await open({ ollama: { url: ollama.url } });
      await storeEntry(test, acme, {
        title: 'Filter',
        content: 'The zebra-content filter is clean.',
      });
      const admin = await addUser(test, acme, 'admin');
      const secrets = [admin.password, admin.token, 'zebra'];
      const call = <T>(path: string, options: object = {}) =>
        callApi<T>(`${test.url}${path}`, options);
      const login = { email: admin.email, password: admin.password };
      const { body: session } = await call<{ token: string; refreshToken: string }>(
        '/api/auth/login',
        { body: login },
      );
      secrets.push(session.token, session.refreshToken);
      const { token } = session;
      const context = { url: 'https://acme.example/zebra?zebra', title: 'zebra' };
      const message = { message: 'Is the zebra-question filter clean?', context };
      const form = new FormData();
      form.set('file', new Blob(['%PDF-1.4 zebra'], { type: 'application/pdf' }), 'zebra.pdf');
      const calls: [string, object][] = [
        ['/api/auth/login', { body: { ...login, password: 'zebra-wrong' } }],
        ['/api/auth/login', { body: { ...login, zebra: 'zebra' } }],
        ['/api/auth/login', { body: '{"zebra' }],
        ['/api/conversations/message', { token, body: message }],
        ['/api/conversations/message', { token, body: { ...message, conversationId: 'zebra' } }],
        [`/api/conversations?token=${token}`, { token: 'zebra-token' }],
        [`/api/conversations/${token}/messages`, { headers: { 'X-Widget-Key': 'zebra' } }],
        ['/api/knowledge/page?url=https://acme.example/zebra', { token }],
        ['/zebra/%', { token }],
        ['/api/auth/refresh', { body: { refreshToken: session.refreshToken } }],
        ['/api/auth/refresh', { body: { refreshToken: session.refreshToken } }],
        ['/api/auth/logout', { body: { refreshToken: session.refreshToken } }],
      ];
      for (const [path, options] of calls) await call(path, options);
      await fetch(`${test.url}/api/knowledge/ingest-pdf`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${admin.token}` },
        body: form,
      });
      // Internal errors are logged completely, but without the text that was to be stored.
      await refuseInserts(test.app, 'messages', `new.role = 'assistant'`);
      const failed = await call('/api/conversations/message', {
        token: admin.token,
        body: message,
      });
      assert.equal(failed.status, 500);
      ollama.errorAfter = 1;
      await call('/api/conversations/message', { token: admin.token, body: message });

      assert.ok(requests().length > calls.length);
      assert.ok(lines.some(({ level }) => level === 50));
      const whole = JSON.stringify(lines);
      for (const secret of secrets) assert.ok(!whole.includes(secret), `${secret} is in the log`);
    } finally {
      await ollama.stop();
    }
  });
});
