import assert from 'node:assert/strict';
import { endpointOf, fetchToken } from '../../src/extension/browser/page/fetch-token.js';
import { serverAddressOf } from '../../src/extension/browser/service/server-address.js';

const page = 'https://host.example/app/page?a=1#b';

/** A fetch with this response, which records its calls. */
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

describe('The token that the extension requests from a host', () => {
  it('is requested from the page’s own origin only', async () => {
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

  it('is requested with the site’s cookies, without a referrer, and without following redirects', async () => {
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

  const answers: [string, () => Response, { token?: string; problem?: string }][] = [
    ['an empty object', () => json('{}', {}), { problem: 'no_token' }],
    ['a JSON array', () => json('[1]'), { problem: 'no_token' }],
    ['null', () => json('null'), { problem: 'no_token' }],
    ['an empty body', () => json(''), { problem: 'bad_json' }],
    ['a token of two parts', () => json('{"token":"a.b"}'), { problem: 'no_token' }],
    ['a token with a space', () => json('{"token":"a.b.c "}'), { problem: 'no_token' }],
    [
      'a large document',
      () => json(`{"token":"a.b.c","more":"${'x'.repeat(16_400)}"}`),
      { problem: 'too_large' },
    ],
    [
      'a large Content-Length',
      () => json('{"token":"a.b.c"}', { 'content-length': '10485760' }),
      { problem: 'too_large' },
    ],
    [
      'an HTML page',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      { problem: 'not_json' },
    ],
    [
      'JSON as text/plain',
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
      'JSON as application/x+JSON',
      () =>
        new Response('{"token":"a.b.c"}', { headers: { 'content-type': 'application/x+JSON' } }),
      { token: 'a.b.c' },
    ],
  ];
  for (const [what, make, expected] of answers) {
    const outcome = expected.problem === undefined ? 'accepted' : `refused as ${expected.problem}`;
    it(`is ${outcome} if the host answers with ${what}`, async () => {
      assert.deepEqual(await fetchToken('/t', page, { fetch: answering(make()).fetch }), expected);
    });
  }

  it('is refused after a time limit, and at once if the host is unreachable', async () => {
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

describe('A typed server address', () => {
  it('may have a path, loses its final slash, and uses https by default', () => {
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

  it('may be a single word if it has a scheme, and uses http for localhost by default', () => {
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
