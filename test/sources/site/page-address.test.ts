import assert from 'node:assert/strict';
import {
  matchesPath,
  pageAddress,
  pageKey,
  siteScope,
} from '../../../src/sources/site/page-address.js';

describe('The address of a page', () => {
  const addressOf = (text: string, base?: string) =>
    pageAddress(text, base === undefined ? undefined : new URL(base))?.href;

  it('loses what does not say which page it is', () => {
    const cases: [written: string, address: string][] = [
      ['HTTPS://Docs.Example.com:443/a#part', 'https://docs.example.com/a'],
      ['https://docs.example.com/a#', 'https://docs.example.com/a'],
      ['https://docs.example.com/a?', 'https://docs.example.com/a'],
      ['https://u:p@docs.example.com/', 'https://docs.example.com/'],
      ['https://docs.example.com/a/index.html?x', 'https://docs.example.com/a/?x'],
      ['https://docs.example.com/index.php', 'https://docs.example.com/'],
      ['https://docs.example.com/a?utm_source=b&x=1&gclid=c', 'https://docs.example.com/a?x=1'],
      ['https://docs.example.com/a?UTM_source=b', 'https://docs.example.com/a'],
      ['https://docs.example.com/a;jsessionid=5F/b', 'https://docs.example.com/a/b'],
      ['https://docs.example.com//a///b', 'https://docs.example.com/a/b'],
      [' https://docs.example.com/ä ', 'https://docs.example.com/%C3%A4'],
    ];
    for (const [written, address] of cases) assert.equal(addressOf(written), address, written);
    assert.equal(addressOf('../b', 'https://docs.example.com/x/a'), 'https://docs.example.com/b');
  });

  it('is http or https, and of a length that a person may have made', () => {
    const others = ['javascript:alert(1)', 'mailto:a@b.example', 'data:text/html,x', 'file:///x'];
    for (const text of [
      ...others,
      'http://',
      'https://[::',
      `https://a.example/${'x'.repeat(1000)}`,
    ]) {
      assert.equal(addressOf(text), undefined, text);
    }
  });

  it('is one with and without a final slash, in any order of parameters', () => {
    const keyOf = (path: string) => pageKey(new URL(path, 'https://docs.example.com'));
    assert.equal(keyOf('/a/'), keyOf('/a'));
    assert.equal(keyOf('/a?y=2&x=1'), keyOf('/a/?x=1&y=2'));
    assert.notEqual(keyOf('/a'), keyOf('/A'));
    assert.notEqual(keyOf('/a'), keyOf('/a?x=1'));
  });

  it('belongs to a site by its host and by the folder of the start address', () => {
    const includes = (start: string, address: string) =>
      siteScope(new URL(start), { include: [], exclude: [] }).includes(new URL(address));
    assert.ok(includes('https://a.example/docs/intro.html', 'https://a.example/docs/next/x'));
    assert.ok(includes('https://a.example/docs', 'https://a.example/docs/x'));
    assert.ok(includes('https://a.example/docs', 'https://a.example/docs'));
    assert.ok(includes('https://a.example/', 'http://a.example/x'));
    for (const other of [
      'https://a.example/docs-old/x',
      'https://a.example/',
      'https://b.a.example/docs/x',
      'https://a.example:8443/docs/x',
      'https://a.example.evil.example/docs/x',
    ]) {
      assert.ok(!includes('https://a.example/docs/', other), other);
    }
  });

  it('matches a pattern as a whole, in which a star stands for anything', () => {
    assert.ok(matchesPath('/docs/*', '/docs/a/b'));
    assert.ok(matchesPath('*/old/*.html', '/docs/old/a.html'));
    assert.ok(matchesPath('/docs', '/docs'));
    assert.ok(!matchesPath('/docs', '/docs/'));
    assert.ok(!matchesPath('/docs/*', '/doc'));
    assert.ok(!matchesPath('*.pdf', '/a.pdf.html'));
    assert.ok(!matchesPath(`${'*a'.repeat(200)}b`, 'a'.repeat(1000)));
  });
});
