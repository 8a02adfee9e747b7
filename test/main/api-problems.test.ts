import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { callApi, type CallOptions } from '../support/api-client.js';
import { addOrganization, addUser, serveTestApp, type TestApp } from '../support/test-app.js';

describe('The API', () => {
  let test: TestApp & { url: string };
  let token: string;
  const login = '/api/auth/login';
  const message = '/api/conversations/message';
  const context = { url: 'https://acme.example/', title: '' };

  before(async () => {
    test = await serveTestApp();
    token = (await addUser(test, await addOrganization(test), 'admin')).token;
  });
  after(() => test.close());

  const call = (path: string, options: CallOptions = {}) => callApi(`${test.url}${path}`, options);
  const assertProblem = async (
    path: string,
    options: CallOptions,
    [status, code]: [number, string],
    what = path,
  ) => {
    const reply = await call(path, options);
    assert.deepEqual([reply.status, reply.body.code], [status, code], what.slice(0, 100));
    assert.equal(reply.headers.get('content-type'), 'application/problem+json', what);
    assert.equal(reply.body.status, status);
    assert.equal(reply.body.type, `urn:assistant:problem:${code}`);
    assert.equal(reply.body.title, code.replaceAll('_', ' '));
    assert.ok(reply.body.detail.length > 10);
    assert.equal(reply.body.request_id, reply.headers.get('x-request-id'));
    return reply;
  };

  it('answers 404 with a problem to an unknown path', async () => {
    for (const path of ['/', '/api', '/api/nothing', '/api/auth/login/x', '/%00', '/a%2Fb']) {
      await assertProblem(path, {}, [404, 'not_found']);
    }
  });

  it('answers 405 with the allowed methods to a wrong or unknown method', async () => {
    for (const [path, method, allow] of [
      [login, 'GET', 'POST'],
      ['/health/live', 'POST', 'HEAD, GET'],
      ['/api/conversations', 'DELETE', 'HEAD, GET'],
      ['/api/auth/refresh', 'PROPFIND', 'POST'],
    ] as const) {
      const { headers, body } = await assertProblem(path, { method }, [405, 'method_not_allowed']);
      assert.equal(headers.get('allow'), allow);
      assert.ok(body.detail.includes(allow));
    }
  });

  it('answers 415 to a body that is not declared as JSON or has an unknown encoding', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      await assertProblem(
        login,
        { body: '{"email":"a","password":"b"}', headers: { 'Content-Type': type } },
        [415, 'unsupported_media_type'],
        type,
      );
    }
    const odd = { 'Content-Type': 'application/json', 'Content-Encoding': 'odd' };
    await assertProblem(
      login,
      { body: '{}', headers: odd },
      [415, 'unsupported_media_type'],
      'odd',
    );
  });

  it('answers 400 to a body that is not valid JSON', async () => {
    const latin = { 'Content-Type': 'application/json; charset=latin1' };
    for (const body of [
      '{',
      '{"email":}',
      'null',
      '"text"',
      '7',
      ' ',
      'NaN',
      '{"a":1}}',
      '\u0000',
    ]) {
      await assertProblem(login, { body }, [400, 'invalid_request'], body);
    }
    await assertProblem(login, { body: '{"x":', headers: latin }, [400, 'invalid_request']);
    const broken = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    await assertProblem(login, { body: '{}', headers: broken }, [400, 'invalid_request'], 'gzip');
    await assertProblem(login, { method: 'POST' }, [400, 'invalid_request'], 'no body');
  });

  it('answers 413 to a body over 1 MB, with or without its length, and to one that unpacks to it', async () => {
    const large = JSON.stringify({ email: 'x'.repeat(1024 * 1024), password: 'y' });
    await assertProblem(login, { body: large }, [413, 'body_too_large']);
    const headers = { 'Content-Type': 'application/json' };
    for (const more of [{}, { 'Content-Encoding': 'gzip' }]) {
      const bytes = 'Content-Encoding' in more ? gzipSync(large) : Buffer.from(large);
      const response = await fetch(`${test.url}${login}`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: new Blob([new Uint8Array(bytes)]).stream(),
        duplex: 'half',
      } as RequestInit);
      const { code } = (await response.json()) as { code: string };
      assert.deepEqual([response.status, code], [413, 'body_too_large']);
    }
    const fits = { body: { email: 'a@b', password: 'x'.repeat(1000) } };
    assert.equal((await call(login, fits)).status, 401);
  });

  it('answers 413 to a question over 128 KB, but accepts a knowledge entry of that size', async () => {
    const body = { title: 'x', content: 'y'.repeat(200 * 1024), domain: 'docs.acme.example' };
    const { body: problem } = await assertProblem(message, { body, token }, [
      413,
      'body_too_large',
    ]);
    assert.match(problem.detail, /larger than 128 KB/);
    assert.equal((await call('/api/knowledge', { body, token })).status, 201);
  });

  it('answers 400 with the path, the given value and the expected type of every invalid field', async () => {
    const body = { email: 7, pasword: 'x', extra: { deep: 1 } };
    const reply = await assertProblem(login, { body }, [400, 'invalid_request']);
    const errors = reply.body.errors?.map(({ path, message: text }) => `${path}: ${text}`);
    assert.deepEqual(errors?.sort(), [
      'email: got 7; expected a string',
      'extra: unknown key',
      'password: missing; expected a string',
      'pasword: unknown key',
    ]);
    const nested = { message: 'x', context: { url: 7, title: [] } };
    const other = await assertProblem(message, { body: nested, token }, [400, 'invalid_request']);
    assert.deepEqual(other.body.errors?.map(({ path }) => path).sort(), [
      'context.title',
      'context.url',
    ]);
  });

  it('answers 400 without repeating a long value', async () => {
    const body = { title: 'm'.repeat(900_000), content: 'c' };
    const options = { body, token };
    const { body: problem } = await assertProblem('/api/knowledge', options, [
      400,
      'invalid_request',
    ]);
    assert.ok(JSON.stringify(problem).length < 1000);
  });

  it('answers with a status below 500, whatever texts and paths contain', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const words = Array.from({ length: 2600 }, (_, index) => index.toString(36).padStart(2, 'q'));
    const bodies: [string, unknown][] = [
      [login, { email: 'a\u0000b@c', password: '\u0000' }],
      [login, { email: '\ud800@example.com', password: '\udfff' }],
      [login, `{"email":${deep},"password":"x"}`],
      [login, deep],
      [login, '{"__proto__":{"email":"x"},"constructor":1}'],
      ['/api/auth/refresh', { refreshToken: '\u0000' }],
      ['/api/auth/logout', { refreshToken: "' or 1=1 --" }],
      [message, { message: 'null\u0000byte \ud800', context }],
      [message, { message: '\u0000', context }],
      [message, { message: '"*():^-+{}[] NEAR/2 AND', context }],
      [message, { message: words.join(' ').slice(0, 8000), context }],
      [message, { message: '字'.repeat(8000), context }],
      [message, { message: 'a-'.repeat(4000), context }],
      [message, { message: 'x', context: { url: 'https://a\u0000b/', title: '' } }],
      [message, { message: 'x', context: { url: 'https://acme.example/%00%FF', title: '\u0000' } }],
      [message, { message: 'x', context, conversationId: '\u0000' }],
      [message, `{"message":"x","context":{"url":"https://a.b/","title":"","forms":${deep}}}`],
    ];
    for (const [path, body] of bodies) {
      const { status } = await call(path, { body, token });
      assert.ok(status < 500, `${status} to ${path} ${JSON.stringify(body).slice(0, 100)}`);
    }
    const paths = [
      '/api/conversations/%/messages',
      '/api/conversations/%E0%A4%A/messages',
      '/api/conversations/%00/messages',
      '/api/conversations/..%2F..%2Fetc/messages',
      `/api/conversations/${'x'.repeat(5000)}/messages`,
      '/api/conversations?page=1e999',
      '/api/conversations?page=-1&limit=0',
      '/api/conversations?page=9007199254740993&limit=100',
      '/api/conversations?page=999999999999&limit=100',
      '/api/conversations?limit=10&limit=20',
      '/api/conversations?__proto__=1',
      '/api/knowledge/page?url=%00',
      '/api/knowledge/page?url=https://acme.example/%00%FF%ZZ',
      '/api/knowledge/page?url=https://acme.example/&view_id=99999999999999999999',
      '/api/knowledge/page?url=https://acme.example/&view_path=%00',
      `/api/knowledge/page?url=https://acme.example/${'a/'.repeat(1500)}`,
      '/api/knowledge/ingestion-batches/%00',
      '/api/knowledge/ingestion-batches?status=%00',
    ];
    for (const path of paths) {
      const { status } = await call(path, { token });
      assert.ok(status < 500, `${status} to ${path.slice(0, 100)}`);
    }
  });

  it('answers 400 to a path that can’t be decoded', async () => {
    for (const id of ['%', '%E0%A4%A', '%zz', '%FF']) {
      const path = `/api/conversations/${id}/messages`;
      await assertProblem(path, { token }, [400, 'invalid_request']);
    }
    await assertProblem('/%', {}, [400, 'invalid_request']);
  });

  it('answers with the request’s own X-Request-Id if that is plain, and otherwise with a new one', async () => {
    const echoed = async (id: string) => {
      const { headers } = await call('/health/live', { headers: { 'X-Request-Id': id } });
      return headers.get('x-request-id') ?? '';
    };
    assert.equal(await echoed('my-request.42_a'), 'my-request.42_a');
    for (const id of ['', 'a b', '<script>', 'x'.repeat(101)]) {
      assert.match(await echoed(id), /^[0-9a-f-]{36}$/);
    }
    const made = [await call('/health/live'), await call('/health/live')];
    assert.notEqual(made[0]?.headers.get('x-request-id'), made[1]?.headers.get('x-request-id'));
  });

  it('answers with headers that forbid caching and content sniffing', async () => {
    for (const path of ['/health/live', '/nothing']) {
      const { headers } = await call(path);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
  });

  it('continues to answer after a client that does not send HTTP, or stops in the middle', async () => {
    const { port } = new URL(test.url);
    for (const text of [
      '\u0016\u0003\u0001\u0002',
      'GET / HTTP/9.9\r\n\r\n',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"em',
    ]) {
      await new Promise<void>((resolve, reject) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.end(text));
        socket.on('error', reject);
        socket.on('close', () => resolve());
        socket.resume();
      });
    }
    assert.equal((await call('/health/live')).status, 200);
  });
});
