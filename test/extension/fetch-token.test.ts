import assert from 'node:assert/strict';
import { endpointOf, fetchToken } from '../../src/extension/browser/page/fetch-token.js';
import { serverAddressOf } from '../../src/extension/browser/service/server-address.js';

const page = 'https://host.example/app/page?a=1#b';

/** A fetch that answers so, and remembers what it was asked. */
function answering(response: Response | (() => Promise<Response>)) {
  const asked: { url: string; init: RequestInit }[] = [];
  const ask = (input: unknown, init: RequestInit = {}) => {
    asked.push({ url: String(input), init });
    return typeof response === 'function' ? response() : Promise.resolve(response);
  };
  return { asked, fetch: ask as typeof fetch };
}

const json = (text: string, headers: Record<string, string> = {}) =>
  new Response(text, { headers: { 'content-type': 'application/json', ...headers } });

describe('The token that the extension asks a host for', () => {
  it('comes from an address of the very origin of the page, or nothing is asked', async () => {
    const right = [
      '/token',
      'token',
      '?token',
      'https://host.example/token',
      '//host.example:443/t',
    ];
    for (const given of right) assert.ok('url' in endpointOf(given, page), given);
    const elsewhere = [
      ...['https://other.example/token', '//other.example/token', 'http://host.example/token'],
      ...['https://host.example:8443/token', 'https://sub.host.example/t', '\\\\other.example/t'],
      ...['https://host.example@other.example/t', 'https:\\\\other.example', '/\\other.example'],
      ...['https://host.example.other.example/', 'https://hоst.example/cyrillic'],
    ];
    for (const given of elsewhere) {
      const { asked, fetch } = answering(json('{"token":"a.b.c"}'));
      assert.deepEqual(
        await fetchToken(given, page, { fetch }),
        { problem: 'cross_origin' },
        given,
      );
      assert.equal(asked.length, 0, given);
    }
    const none = ['javascript:alert(1)', 'data:application/json,{}', 'blob:https://host.example/1'];
    for (const given of [...none, 'http://', 'https://user:word@host.example/token']) {
      assert.deepEqual(endpointOf(given, page), { problem: 'bad_endpoint' }, given);
    }
    for (const at of ['about:srcdoc', 'file:///home/page.html', 'data:text/html,']) {
      assert.deepEqual(endpointOf('/token', at), { problem: 'bad_endpoint' }, at);
    }
  });

  it('is asked for with the site’s cookies, without a referrer, and without following anything', async () => {
    const { asked, fetch } = answering(json('{"token":"aa.bb.cc","more":"ignored"}'));
    assert.deepEqual(await fetchToken('/token#part', page, { fetch }), { token: 'aa.bb.cc' });
    assert.equal(asked[0]?.url, 'https://host.example/token');
    const { credentials, redirect, referrerPolicy, method } = asked[0].init;
    assert.deepEqual(
      { credentials, redirect, referrerPolicy, method },
      {
        ...{ credentials: 'include', redirect: 'manual', referrerPolicy: 'no-referrer' },
        method: undefined,
      },
    );
  });

  const answers: [string, () => Response, object][] = [
    ['a problem', () => json('{}', {}), { problem: 'no_token' }],
    ['JSON of another kind', () => json('[1]'), { problem: 'no_token' }],
    ['null', () => json('null'), { problem: 'no_token' }],
    ['nothing', () => json(''), { problem: 'bad_json' }],
    ['a token of two parts', () => json('{"token":"a.b"}'), { problem: 'no_token' }],
    ['a token with a space', () => json('{"token":"a.b.c "}'), { problem: 'no_token' }],
    [
      'a large document',
      () => json(`{"token":"a.b.c","more":"${'x'.repeat(16_400)}"}`),
      { problem: 'too_large' },
    ],
    [
      'a large document that says so',
      () => json('{"token":"a.b.c"}', { 'content-length': '10485760' }),
      { problem: 'too_large' },
    ],
    [
      'a page',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      { problem: 'not_json' },
    ],
    [
      'JSON as text',
      () => new Response('{"token":"a.b.c"}', { headers: { 'content-type': 'text/plain' } }),
      { problem: 'not_json' },
    ],
    ['401', () => new Response('{}', { status: 401 }), { problem: 'signed_out' }],
    ['403', () => new Response('{}', { status: 403 }), { problem: 'signed_out' }],
    ['404', () => new Response('{}', { status: 404 }), { problem: 'bad_status' }],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: '/x' } }),
      { problem: 'redirect' },
    ],
    [
      'JSON by another name',
      () =>
        new Response('{"token":"a.b.c"}', { headers: { 'content-type': 'application/x+JSON' } }),
      { token: 'a.b.c' },
    ],
  ];
  for (const [what, make, expected] of answers) {
    it(`is taken from ${what} as it should be`, async () => {
      assert.deepEqual(await fetchToken('/t', page, { fetch: answering(make()).fetch }), expected);
    });
  }

  it('is not waited for without an end, neither for the answer nor for the rest of it', async () => {
    const never = (init?: RequestInit) =>
      new Promise<never>((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const silent = ((_: unknown, init?: RequestInit) => never(init)) as typeof fetch;
    assert.deepEqual(await fetchToken('/t', page, { fetch: silent, patience: 5 }), {
      problem: 'timeout',
    });
    const stalled = ((_: unknown, init?: RequestInit) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"token":'));
          init?.signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
        },
      });
      const headers = { 'content-type': 'application/json' };
      return Promise.resolve(new Response(body, { headers }));
    }) as typeof fetch;
    assert.deepEqual(await fetchToken('/t', page, { fetch: stalled, patience: 5 }), {
      problem: 'timeout',
    });
    const { fetch } = answering(() => Promise.reject(new TypeError('no route')));
    assert.deepEqual(await fetchToken('/t', page, { fetch }), { problem: 'unreachable' });
  });
});

describe('The address of a service that somebody types', () => {
  it('is taken with a path and without a slash at its end, by https unless said otherwise', () => {
    const of = (typed: string) => serverAddressOf(typed);
    assert.deepEqual(of(' assistant.example.com/ '), {
      url: 'https://assistant.example.com',
      pattern: 'https://assistant.example.com/*',
      isPlain: false,
    });
    assert.equal(
      of('https://example.com:8443/assistant/')?.url,
      'https://example.com:8443/assistant',
    );
    assert.equal(of('http://10.0.0.4:8080')?.isPlain, true);
    assert.equal(of('http://localhost:8080')?.isPlain, false);
    for (const typed of [
      ...['', '   ', 'ftp://example.com', 'https://a:b@example.com', 'http://', 'a b'],
      ...[
        'foo',
        'foo:3000',
        'foo/a.html',
        'foo.',
        '.foo',
        'localhosts',
        'mailto:a@b.example',
        '12',
      ],
    ]) {
      assert.equal(of(typed), undefined, typed);
    }
  });

  it('may be a single word where its scheme says that it is meant, and is http on this machine', () => {
    const urls = (...typed: string[]) => typed.map((one) => serverAddressOf(one)?.url);
    assert.deepEqual(urls('http://assistant', 'https://intranet:8443'), [
      ...['http://assistant', 'https://intranet:8443'],
    ]);
    assert.deepEqual(urls('localhost:3000', 'localhost', '127.0.0.1:3000/a', '[::1]:3000'), [
      ...['http://localhost:3000', 'http://localhost', 'http://127.0.0.1:3000/a'],
      'http://[::1]:3000',
    ]);
    assert.deepEqual(urls('10.0.0.4:8080', 'localhost.example.com'), [
      ...['https://10.0.0.4:8080', 'https://localhost.example.com'],
    ]);
  });
});
