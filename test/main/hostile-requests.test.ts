import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { callApi, type CallOptions } from '../support/api-client.js';
import { connectTo } from '../support/raw-http.js';
import { addOrganization, addUser, serveTestApp, type TestApp } from '../support/test-app.js';

describe('A hostile request', () => {
  let test: TestApp & { url: string };
  let token: string;
  const login = '/api/auth/login';
  const ask = '/api/conversations/message';
  const json = { 'Content-Type': 'application/json' };
  const context = { url: 'https://acme.example/', title: '' };

  before(async () => {
    test = await serveTestApp({
      server: { stall_timeout_ms: 1500 },
      ingestion: { max_file_mb: 1 },
    });
    token = (await addUser(test, await addOrganization(test), 'backoffice')).token;
  });
  after(() => test.close());

  const call = (path: string, options: CallOptions = {}) => callApi(`${test.url}${path}`, options);
  const refusal = async (path: string, options: CallOptions) => {
    const { status, body } = await call(path, { token, ...options });
    return [status, body.code, ...(body.errors ?? []).map((problem) => problem.path)];
  };
  const sendBytes = async (bytes: Uint8Array, headers: Record<string, string> = json) => {
    const body = new Uint8Array(bytes);
    const response = await fetch(`${test.url}${login}`, { method: 'POST', headers, body });
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    return { status: response.status, code, detail };
  };

  it('is refused with the path of each text that can’t be stored', async () => {
    const bad = ['a\u0000b', '\ud800', 'x\udfff'];
    for (const text of bad) {
      const body = { message: text, context: { url: 'https://acme.example/', title: text } };
      assert.deepEqual(await refusal(ask, { body }), [
        ...[400, 'invalid_request', 'context.title', 'message'],
      ]);
    }
    const nested = { message: 'x', context: { ...context, list: [{ deep: ['ok', '\u0000'] }] } };
    assert.deepEqual((await refusal(ask, { body: nested }))[2], 'context.list.0.deep.1');
    const key = { message: 'x', context: { ...context, 'a\u0000': 1 } };
    assert.deepEqual((await refusal(ask, { body: key }))[2], 'context');
    const many = {
      message: 'x',
      context: Object.fromEntries(bad.concat('y').map((t, i) => [`k${i}`, t])),
    };
    assert.equal((await refusal(ask, { body: many })).length, 5);
    const emoji = { message: 'pairs are fine: 😀 \ufffd', context };
    assert.equal((await call(ask, { token, body: emoji })).status, 200);
  });

  it('is refused if its body is not UTF-8', async () => {
    const bytes = Buffer.from('{"email":"\xff\xfe@x","password":"p"}', 'latin1');
    const { status, code, detail } = await sendBytes(bytes);
    assert.deepEqual([status, code], [400, 'invalid_request']);
    assert.match(detail, /UTF-8/);
    const utf16 = Buffer.from('\ufeff{"email":"a","password":"p"}', 'utf16le');
    assert.equal((await sendBytes(utf16)).status, 400);
    const withMark = Buffer.from('\ufeff{"email":"a@b","password":"p"}');
    assert.equal((await sendBytes(withMark)).status, 401, 'a byte order mark is harmless');
  });

  it('is refused if it is nested more than 64 levels deep, where brackets in texts do not count', async () => {
    const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const body = (value: string) => `{"email":"a","password":"p","x":${value}}`;
    for (const [value, pattern] of [
      [nest(64), /nested more than 64/],
      [nest(3000), /nested more than 64/],
      [nest(63), /x: unknown key/],
      [`"${'['.repeat(100)}\\"${'{'.repeat(100)}"`, /x: unknown key/],
      [`"${'\\"['.repeat(1500)}`, /not valid JSON/],
    ] as const) {
      const { status, detail } = await sendBytes(Buffer.from(body(value)));
      assert.equal(status, 400);
      assert.match(detail, pattern);
    }
  });

  it('is refused if it has too many keys and items, and gets at most 20 problems', async () => {
    const keys = (number: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: number }, (_, at) => [`k${at}`, 1])));
    assert.equal((await sendBytes(Buffer.from(keys(80_000)))).status, 413, 'a sign-in is small');
    assert.equal((await refusal(login, { body: keys(100) })).length, 22);
    const body = (value: string) => `{"message":"x","context":{"url":"u","title":"","x":${value}}}`;
    const ones = (number: number) => `[${'1,'.repeat(number - 1)}1]`;
    const { status, body: problem } = await call(ask, { token, body: body(ones(60_000)) });
    assert.deepEqual([status, problem.code], [400, 'invalid_request']);
    assert.match(problem.detail, /more than 5000 keys and items/);
    const within = `{"message":${ones(4900)}}`;
    assert.equal((await refusal(ask, { body: within }))[0], 400);
    const text = JSON.stringify(','.repeat(15_000));
    const commas = `{"message":"x","context":{"url":"https://acme.example/","title":${text}}}`;
    assert.doesNotMatch((await call(ask, { token, body: commas })).body.detail, /keys/);
  });

  it('has no effect with keys such as __proto__ and constructor', async () => {
    for (const text of [
      '{"__proto__":{"email":"x"},"email":"a@b","password":"p"}',
      '{"email":"a@b","password":"p","__proto__":1}',
      '{"constructor":{"prototype":{"polluted":1}},"email":"a@b","password":"p"}',
    ]) {
      assert.equal((await sendBytes(Buffer.from(text))).status, 400, text);
    }
    assert.equal(({} as { polluted?: number }).polluted, undefined);
    const twice = '{"email":"a@b","email":"c@d","password":"p"}';
    assert.equal((await sendBytes(Buffer.from(twice))).status, 401, 'the last one counts');
  });

  it('is cut off if it stops sending in its headers or its body', async () => {
    const starts = [
      `POST ${login} HTTP/1.1\r\nHost: x\r\nContent-`,
      `POST ${login} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"em`,
      `POST /api/knowledge/ingest-pdf HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000\r\n\r\n--b\r\n`,
    ];
    const answers = starts.map(async (start) => {
      const { socket, closed } = await connectTo(test.url);
      socket.write(start);
      return closed;
    });
    for (const answer of await Promise.all(answers)) assert.doesNotMatch(answer, / 200 | 500 /);
    assert.equal((await call('/health/live')).status, 200);
  });

  it('gets a problem if it is not HTTP, too long or too slow, or has two hosts or none', async () => {
    const hosted = 'GET /health/live HTTP/1.1\r\nHost: x\r\n';
    for (const [sent, status, code] of [
      ['\u0016\u0003\u0001\r\n\r\n', 400, 'invalid_request'],
      [`${hosted}A: ${'x'.repeat(100_000)}\r\n\r\n`, 431, 'headers_too_large'],
      [`${hosted}Expect: wonders\r\n\r\n`, 417, 'expectation_failed'],
      [`${hosted}X-`, 408, 'request_timeout'],
      [`${hosted}Host: y\r\nConnection: close\r\n\r\n`, 400, 'invalid_request'],
      ['GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
      [
        `${hosted}Host: y\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        ...([400, 'invalid_request'] as const),
      ],
      ['GET /health/live HTTP/1.0\r\n\r\n', 200, 'live'],
    ] as const) {
      const { socket, closed } = await connectTo(test.url);
      socket.write(sent);
      const answer = await closed;
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} [^]*"${code}"`), answer);
      if (status !== 200) assert.match(answer, /application\/problem\+json[^]*"request_id":"/);
      assert.match(answer, /nosniff[^]*frame-ancestors 'none'[^]*no-store/);
    }
    // No problem may be written into a running response.
    const { socket, until, closed } = await connectTo(test.url);
    socket.write('GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(/^HTTP\/1\.1 200/);
    socket.write('\u0000\r\n\r\n');
    assert.match(await closed, /^HTTP\/1\.1 200 /);
  });

  it('does not keep others waiting if hundreds are late at once', async () => {
    let refused = 0;
    const late = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const { socket, until, closed } = await connectTo(test.url);
        socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nX-');
        return { first: until(/^HTTP\/1\.1 408/).then(() => (refused += 1)), closed };
      }),
    );
    await Promise.race(late.map(async ({ first }) => first));
    assert.equal((await call('/health/live')).status, 200);
    assert.ok(refused < late.length, 'the others were refused first');
    await Promise.all(late.map(async ({ closed }) => closed));
    assert.equal(refused, late.length);
  });

  it('may send its body slowly, as long as it keeps sending', async () => {
    const { socket, until } = await connectTo(test.url);
    const body = '{"email":"a@b","password":"p"}';
    socket.write(
      `POST ${login} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    // Ten pieces take longer together than a client may pause.
    for (const piece of body.match(/.{1,3}/g) ?? []) {
      await wait(200);
      socket.write(piece);
    }
    await until(/^HTTP\/1\.1 401/);
    socket.destroy();
  });

  it('is answered if its body is empty despite its headers', async () => {
    for (const path of ['/api/knowledge', '/api/auth/login', '/api/knowledge/ingest-pdf']) {
      for (const length of ['Content-Length: 0', 'Transfer-Encoding: chunked']) {
        const type = path.endsWith('pdf') ? 'multipart/form-data; boundary=b' : 'application/json';
        const { socket, until } = await connectTo(test.url);
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`,
        );
        if (length.endsWith('chunked')) socket.write('0\r\n\r\n');
        assert.equal((await until(/^HTTP\/1\.1 (\d+)/))[1], '400', `${path} ${length}`);
        socket.destroy();
      }
    }
  });

  it('is answered as usual if it has an unexpected body', async () => {
    const { socket, until } = await connectTo(test.url);
    const get = 'GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nwhatever\u0000';
    socket.write(get);
    await until(/HTTP\/1\.1 200[\s\S]*"live"/);
    socket.write(get);
    await until(/"live"[\s\S]*HTTP\/1\.1 200[\s\S]*"live"/);
    socket.destroy();
  });

  it('is refused with the names of its invalid or repeated parameters', async () => {
    for (const [query, path] of [
      ['page=1&page=2', 'page'],
      ['limit=%', 'limit'],
      ['page=%ff', 'page'],
      ['page=%00', 'page'],
      ['limit=1&__proto__=1', '__proto__'],
      ['page[]=1', 'page[]'],
    ] as const) {
      assert.deepEqual(
        await refusal(`/api/conversations?${query}`, {}),
        [400, 'invalid_request', path],
        query,
      );
    }
    assert.deepEqual(await refusal('/api/conversations/%00/messages', {}), [
      ...[400, 'invalid_request', 'id'],
    ]);
    const longest = encodeURIComponent('日'.repeat(8000));
    assert.equal((await call(`/api/knowledge/search?q=${longest}`, { token })).status, 200);
    const longer = `/api/knowledge/search?q=${longest}x`;
    assert.deepEqual(await refusal(longer, {}), [400, 'invalid_request', 'q']);
    const long = 'x'.repeat(10_000);
    assert.deepEqual((await refusal(`/api/conversations/${long}/messages`, {}))[0], 400);
    const tooLong = await fetch(`${test.url}/api/conversations/${'x'.repeat(100_000)}/messages`);
    assert.equal(tooLong.status, 431);
  });

  it('is refused with the names of its invalid form fields', async () => {
    const upload = async (fill: (form: FormData) => void) => {
      const form = new FormData();
      form.set('file', new Blob(['%PDF-']), 'a.pdf');
      fill(form);
      const response = await fetch(`${test.url}/api/knowledge/ingest-pdf`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: form,
      });
      const problem = (await response.json()) as { errors?: { path: string }[] };
      return [response.status, ...(problem.errors ?? []).map(({ path }) => path)];
    };
    assert.deepEqual(await upload((form) => form.set('domain', 'a\u0000b')), [400, 'domain']);
    assert.deepEqual(
      await upload((form) => {
        form.set('visibility', 'public');
        form.append('visibility', 'internal');
      }),
      [400, 'visibility'],
    );
    const [status] = await upload((form) => form.set('__proto__', '1'));
    assert.equal(status, 400);
    assert.deepEqual(await upload((form) => form.set('file', new Blob(['%PDF-']), 'a\u0000.pdf')), [
      400,
      'file',
    ]);
    const raw = (part: Buffer) => {
      const body = Buffer.concat([Buffer.from('--b\r\n'), part, Buffer.from('\r\n--b--\r\n')]);
      return fetch(`${test.url}/api/knowledge/ingest-pdf`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'multipart/form-data; boundary=b',
        },
        body: new Uint8Array(body),
      });
    };
    const file =
      'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-\r\n--b\r\n';
    const field = Buffer.from(
      `${file}Content-Disposition: form-data; name="domain"\r\n\r\n\xff`,
      'latin1',
    );
    assert.equal((await raw(field)).status, 400);
    for (const part of ['', 'x', 'Content-Disposition: form-data\r\n\r\nx', '\u0000\u0000']) {
      assert.equal((await raw(Buffer.from(part))).status, 400, part);
    }
  });

  it('causes no failure with a form that is hard to parse', async () => {
    const post = async (boundary: string, head: string, content: string | Buffer) => {
      const open = `--${boundary}\r\nContent-Disposition: form-data; name="file"; ${head}\r\nContent-Type: application/pdf\r\n\r\n`;
      const body = Buffer.concat(
        [open, content, `\r\n--${boundary}--\r\n`].map((part) => Buffer.from(part)),
      );
      const response = await fetch(`${test.url}/api/knowledge/ingest-pdf`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': `multipart/form-data; boundary=${boundary}`,
        },
        body: new Uint8Array(body),
      });
      return response.status;
    };
    const named = 'filename="a.pdf"';
    // A parser could need hundreds of bytes of memory for each of these bytes.
    assert.equal(await post('b', named, Buffer.alloc(1_000_000, '%PDF-1.4\r\r\r\r\r\r\r')), 202);
    assert.equal(await post('b', 'filename="'.repeat(90_000), '%PDF-1.4'), 400);
    for (const boundary of ['json', 'octet-stream', 'urlencoded', 'x'.repeat(70)])
      assert.equal(await post(boundary, named, `%PDF-1.4 ${boundary}`), 202);
    for (const boundary of ['', 'x'.repeat(1000)])
      assert.equal(await post(boundary, named, '%PDF-1.4'), 400);
  });

  it('is accepted if its form has types for fields, or no type for the file', async () => {
    const send = async (...parts: string[]) => {
      const body = parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`);
      const response = await fetch(`${test.url}/api/knowledge/ingest-pdf`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'multipart/form-data; boundary=b',
        },
        body: `${body.join('')}--b--\r\n`,
      });
      return response.status;
    };
    const large = 'x'.repeat(20_000);
    const file = `name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4 untyped`;
    const field = (type: string) => `name="force"\r\nContent-Type: ${type}\r\n\r\ntrue`;
    assert.equal(await send(`${file}${large}`), 202);
    assert.equal(await send(field('text/plain; charset=utf-8'), file), 202);
    assert.equal(await send(file, field('text/plain')), 202);
    const unnamed = `name="file"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4 unnamed`;
    assert.equal(await send(unnamed, field('text/plain')), 202);
    // Encodings of mails, which once caused an uncaught error in a parser and ended the server.
    for (const encoding of ['7bit', '8bit', 'binary', 'base64', 'none']) {
      const encoded = `name="force"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\ntrue`;
      assert.equal(await send(file, encoded), 202, encoding);
    }
    assert.equal(await send(file, field('application/json')), 400, 'a second file');
    assert.equal(await send(`name="file"\r\n\r\n%PDF-1.4`), 400, 'a field');
  });

  it('gets a problem if its target is not an address', async () => {
    for (const target of [
      'http://[::',
      'http://',
      'ws://[',
      'http://[::/api/auth/login',
      '/%',
      '*',
    ]) {
      const connection = await connectTo(test.url);
      connection.socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const answer = await connection.closed;
      assert.match(answer, /^HTTP\/1\.1 40[04] /, target);
      assert.match(answer, /application\/problem\+json/, target);
      assert.match(answer, /^X-Request-Id: /im, target);
    }
  });

  it('gets the headers by HEAD, and the allowed methods by OPTIONS', async () => {
    const head = await fetch(`${test.url}/health/live`, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
    const refused = await fetch(`${test.url}/api/conversations`, { method: 'HEAD' });
    assert.equal(refused.status, 401);
    const options = await fetch(`${test.url}/api/conversations`, { method: 'OPTIONS' });
    assert.equal(options.status, 200);
    assert.equal(options.headers.get('allow'), 'HEAD, GET');
    const unknown = await fetch(`${test.url}/nothing`, { method: 'OPTIONS' });
    assert.equal(unknown.status, 404);
  });
});
