import assert from 'node:assert/strict';
import {
  claimsOn,
  normalizeHost,
  normalizePath,
  parsePageUrl,
} from '../../src/tenancy/page-address.js';
import { assertLinear } from '../support/assert-linear.js';

describe('The address of a page', () => {
  const cases: [string, string, string][] = [
    ['https://Docs.Example.COM/Install', 'docs.example.com', '/Install'],
    ['http://docs.example.com:8443/install/', 'docs.example.com', '/install'],
    ['https://docs.example.com', 'docs.example.com', '/'],
    ['https://docs.example.com./a//', 'docs.example.com', '/a'],
    ['https://user:secret@docs.example.com/a?b=/c#/d', 'docs.example.com', '/a'],
    ['https://bücher.example/käse', 'xn--bcher-kva.example', '/käse'],
    ['https://xn--bcher-kva.example/k%C3%A4se', 'xn--bcher-kva.example', '/käse'],
    ['https://docs.example.com/a/../b/./c', 'docs.example.com', '/b/c'],
    ['https://docs.example.com/100%', 'docs.example.com', '/100%'],
    ['https://docs.example.com/%FF/%C3%A4', 'docs.example.com', '/%FF/ä'],
    ['https://docs.example.com/files/a%2Fb', 'docs.example.com', '/files/a%2Fb'],
    ['https://docs.example.com/files/a%2fb', 'docs.example.com', '/files/a%2Fb'],
    ['https://[::1]:3000/x', '[::1]', '/x'],
    ['http://127.0.0.1/x', '127.0.0.1', '/x'],
  ];
  for (const [url, host, path] of cases) {
    it(`is parsed into ${host} and ${path} from ${url}`, () => {
      assert.deepEqual(parsePageUrl(url), { host, path });
    });
  }

  it('is refused, with the name of its field, if it is not a complete http address', () => {
    const bad = ['', 'x', '/install', 'docs.example.com/a', 'ftp://a.b/c', 'javascript:alert(1)'];
    for (const url of [...bad, 'file:///etc/passwd', 'https://', 'https://a b/', 'http://%zz/']) {
      assert.throws(
        () => parsePageUrl(url, 'context.url'),
        (error: unknown) => {
          const { code, problems } = error as { code: string; problems: { path: string }[] };
          return code === 'invalid_request' && problems[0]?.path === 'context.url';
        },
        url,
      );
    }
  });

  it('has a path that does not change when it is normalised again', () => {
    for (const path of ['/', '/a/', '/a%20b', '/ä', '/files/a%2Fb', '/100%', '//a//']) {
      assert.equal(normalizePath(normalizePath(path)), normalizePath(path), path);
    }
  });

  it('is parsed in linear time, however many slashes it has', () => {
    assertLinear((size) => parsePageUrl(`https://acme.example/${'/'.repeat(size)}!`), 64_000);
  });
});

describe('The name of a domain', () => {
  it('is normalised to lower case and punycode, without a trailing dot', () => {
    assert.equal(normalizeHost('Docs.Example.com.'), 'docs.example.com');
    assert.equal(normalizeHost('bücher.example'), 'xn--bcher-kva.example');
    assert.equal(normalizeHost('*.Example.com'), '*.example.com');
    assert.equal(normalizeHost('localhost'), 'localhost');
  });

  it('is refused with a scheme, path, port or space, or with a wildcard elsewhere than at its beginning', () => {
    const bad = [
      '',
      '*',
      '*.',
      '.',
      'https://a.b',
      'a.b/c',
      'a.b:80',
      'a b',
      'a@b',
      '*.*.a',
      'a.*.b',
    ];
    for (const host of [...bad, '**.a', '*a.b', '-', `${'a'.repeat(250)}.com`, 'a\u0000b']) {
      assert.throws(() => normalizeHost(host), { code: 'invalid_request' }, host);
    }
  });

  it('is claimed by itself first, then by the nearest wildcard above it', () => {
    assert.deepEqual(claimsOn('a.b.example.com'), [
      'a.b.example.com',
      '*.b.example.com',
      '*.example.com',
      '*.com',
    ]);
    assert.deepEqual(claimsOn('localhost'), ['localhost']);
  });
});
