import assert from 'node:assert/strict';
import { sourceLink } from '../../src/chat/dom/source-link.js';

describe('The link of a source', () => {
  const origin = 'https://shop.example.com';
  const docs = 'https://docs.example.com/en/';

  it('opens an exact page of the reader’s site or of its documentation', () => {
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
    it(`is absent for ${pattern === '' ? 'an empty address' : pattern}`, () => {
      assert.equal(sourceLink(pattern, origin, docs), undefined);
    });

  it('is absent for a documentation page with a malformed address', () => {
    assert.equal(sourceLink('https://docs.example.com/', origin, 'not an address'), undefined);
    assert.equal(sourceLink('https://docs.example.com/', origin, undefined), undefined);
  });
});
