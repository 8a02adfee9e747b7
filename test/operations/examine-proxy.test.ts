import assert from 'node:assert/strict';
import { examineProxy, type SeenAddress } from '../../src/operations/examine-proxy.js';
import { configSchema, type Config } from '../../src/platform/config/schema.js';

describe('The check of the proxy before the server', () => {
  const check = (server: Partial<Config['server']>, seen: Partial<SeenAddress>) =>
    examineProxy(configSchema.parse({ server }).server, {
      ...{ host: 'help.acme.example', referrer: '', isForwarded: false },
      ...seen,
    }).map(({ finding, remedy }) => `${finding} ${remedy ?? ''}`);
  const page = 'https://help.acme.example/backoffice/system';

  it('finds nothing where browsers reach the server as it is set, or nothing is known', () => {
    assert.deepEqual(check({}, {}), []);
    assert.deepEqual(check({}, { host: 'localhost:8080' }), []);
    const set = { public_url: 'https://help.acme.example', trust_proxy: 1 };
    assert.deepEqual(check(set, { referrer: page, isForwarded: true }), []);
  });

  it('finds a proxy that does not pass Host on', () => {
    const [found = '', ...more] = check({}, { host: '127.0.0.1:8080', referrer: page });
    assert.match(found, /help\.acme\.example, but the proxy asks the server for 127\.0\.0\.1:8080/);
    assert.match(found, /proxy_set_header Host/);
    assert.deepEqual(more, []);
  });

  it('finds a public address that is another one than the browser’s, its scheme too', () => {
    const elsewhere = { public_url: 'https://old.acme.example' };
    assert.match(check(elsewhere, { referrer: page })[0] ?? '', /https:\/\/help\.acme\.example/);
    assert.match(check(elsewhere, {})[0] ?? '', /opened at https:\/\/help\.acme\.example/);
    const plain = { public_url: 'http://help.acme.example' };
    assert.equal(check(plain, { referrer: page }).length, 1);
  });

  it('says nothing of the public address to somebody at the machine itself', () => {
    const set = { public_url: 'https://help.acme.example' };
    assert.deepEqual(check(set, { host: 'localhost:8080' }), []);
    assert.deepEqual(check(set, { host: '[::1]:8080' }), []);
  });

  it('finds a proxy that is not trusted', () => {
    assert.match(check({}, { isForwarded: true })[0] ?? '', /server\.trust_proxy 1/);
  });
});
