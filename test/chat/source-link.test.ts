import assert from 'node:assert/strict';
import { sourceLink } from '../../src/chat/dom/source-link.js';

describe('The link of a source', () => {
  const origin = 'https://shop.example.com';
  const docs = 'https://docs.example.com/en/';

  it('leads to what is one page of the site that the reader is on, or of its documentation', () => {
    assert.equal(sourceLink('/help/orders', origin, docs), `${origin}/help/orders`);
    assert.equal(sourceLink(`${origin}/help`, origin, undefined), `${origin}/help`);
    assert.equal(
      sourceLink('https://docs.example.com/en/orders', origin, docs),
      'https://docs.example.com/en/orders',
    );
  });

  for (const pattern of [
    ...['/orders/:id', '/orders/*', '', 'orders', 'javascript:alert(1)', '//evil.example/x'],
    ...['/\\evil.example/x', 'https://evil.example/', 'https://docs.example.com.evil.example/'],
    ...['data:text/html,x', 'https://docs.example.com/*', 'https://user:word@shop.example.com/'],
  ])
    it(`is not there for ${pattern === '' ? 'no address' : pattern}`, () => {
      assert.equal(sourceLink(pattern, origin, docs), undefined);
    });

  it('is not there for a page of a documentation whose address makes no sense', () => {
    assert.equal(sourceLink('https://docs.example.com/', origin, 'not an address'), undefined);
    assert.equal(sourceLink('https://docs.example.com/', origin, undefined), undefined);
  });
});
