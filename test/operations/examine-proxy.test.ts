import assert from 'node:assert/strict';
import { examineProxy, type SeenAddress } from '../../src/operations/examine-proxy.js';
import { configSchema, type Config } from '../../src/platform/config/schema.js';

describe('The check of the reverse proxy', () => {
  const check = (server: Partial<Config['server']>, seen: Partial<SeenAddress>) =>
    examineProxy(configSchema.parse({ server }).server, {
      ...{ host: 'help.acme.example', referrer: '', isForwarded: false },
      ...seen,
    }).map(({ finding, remedy }) => `${finding} ${remedy ?? ''}`);
  const page = 'https://help.acme.example/backoffice/system';

  it('finds no problem if browsers use the configured address, or if no browser was seen', () => {
    assert.deepEqual(check({}, {}), []);
    assert.deepEqual(check({}, { host: 'localhost:8080' }), []);
    const set = { public_url: 'https://help.acme.example', trust_proxy: 1 };
    assert.deepEqual(check(set, { referrer: page, isForwarded: true }), []);
  });

  it('finds a proxy that does not pass on the Host header', () => {
    const [found = '', ...more] = check({}, { host: '127.0.0.1:8080', referrer: page });
    assert.match(found, /help\.acme\.example, but the proxy asks the server for 127\.0\.0\.1:8080/);
    assert.match(found, /proxy_set_header Host/);
    assert.deepEqual(more, []);
  });

  it('finds a public_url that differs from the browser’s address, even only in the scheme', () => {
    const elsewhere = { public_url: 'https://old.acme.example' };
    assert.match(check(elsewhere, { referrer: page })[0] ?? '', /https:\/\/help\.acme\.example/);
    assert.match(check(elsewhere, {})[0] ?? '', /opened at https:\/\/help\.acme\.example/);
    const plain = { public_url: 'http://help.acme.example' };
    assert.equal(check(plain, { referrer: page }).length, 1);
  });

  it('does not compare public_url with localhost', () => {
    const set = { public_url: 'https://help.acme.example' };
    assert.deepEqual(check(set, { host: 'localhost:8080' }), []);
    assert.deepEqual(check(set, { host: '[::1]:8080' }), []);
  });

  it('finds a proxy that is not trusted', () => {
    assert.match(check({}, { isForwarded: true })[0] ?? '', /server\.trust_proxy 1/);
  });
});
