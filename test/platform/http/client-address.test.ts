import assert from 'node:assert/strict';
import type { Context } from 'koa';
import Koa from 'koa';
import { addressKey, clientAddress, isLocal } from '../../../src/platform/http/client-address.js';

describe('The address of a client', () => {
  /** Koa's context of a request behind a number of trusted proxies. */
  const request = (remoteAddress: string, headers: Record<string, string> = {}, proxies = 0) => {
    const koa = new Koa();
    koa.proxy = proxies > 0;
    koa.maxIpsCount = proxies;
    const incoming = { headers, socket: { remoteAddress }, url: '/' };
    return koa.createContext(incoming as never, {} as never) as Context;
  };
  const forged = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };

  it('is the address of the connection if no proxy is trusted', () => {
    assert.equal(clientAddress(request('192.0.2.1', forged)), '192.0.2.1');
  });

  it('is the address that the outermost trusted proxy saw, even with a forged header', () => {
    assert.equal(clientAddress(request('192.0.2.1', forged, 1)), '203.0.113.9');
    assert.equal(clientAddress(request('192.0.2.1', forged, 2)), '198.51.100.7');
    assert.equal(clientAddress(request('192.0.2.1', {}, 1)), '192.0.2.1');
    const odd = { 'x-forwarded-for': 'unknown' };
    assert.equal(clientAddress(request('192.0.2.1', odd, 1)), '192.0.2.1');
  });

  it('is the same for each notation', () => {
    for (const written of ['203.0.113.9', '203.0.113.9:4711', '::ffff:203.0.113.9']) {
      const headers = { 'x-forwarded-for': written };
      assert.equal(clientAddress(request('192.0.2.1', headers, 1)), '203.0.113.9', written);
    }
    const headers = { 'x-forwarded-for': '[2001:db8::1]:4711' };
    assert.equal(clientAddress(request('192.0.2.1', headers, 1)), '2001:db8::1');
    assert.equal(clientAddress(request('::ffff:192.0.2.1')), '192.0.2.1');
  });

  it('is limited by its /64 network if it is an IPv6 address', () => {
    for (const address of [
      '2001:db8:0:1::1',
      '2001:0db8:0000:0001:ffff::2',
      '2001:DB8:0:1:2:3:4:5',
    ]) {
      assert.equal(addressKey(address), '2001:0db8:0000:0001', address);
    }
    assert.equal(addressKey('2001:db8::1'), '2001:0db8:0000:0000');
    assert.equal(addressKey('::1'), '0000:0000:0000:0000');
    assert.equal(addressKey('fe80::1%eth0'), 'fe80:0000:0000:0000');
    assert.equal(addressKey('203.0.113.9'), '203.0.113.9');
  });

  it('is local only if no proxy forwarded the request, and it names this machine', () => {
    const named = { host: 'localhost:8080' };
    for (const address of ['127.0.0.1', '127.3.4.5', '::1', '::ffff:127.0.0.1']) {
      assert.ok(isLocal(request(address, named)), address);
      assert.ok(
        !isLocal(request(address, { ...named, 'x-forwarded-for': '203.0.113.9' })),
        address,
      );
      assert.ok(!isLocal(request(address, { ...named, via: '1.1 proxy' })), address);
      assert.ok(!isLocal(request(address, { host: 'docs.acme.example' })), address);
      assert.ok(!isLocal(request(address)), address);
    }
    for (const address of ['192.168.1.4', '10.0.0.1', '2001:db8::1']) {
      assert.ok(!isLocal(request(address, named)), address);
    }
  });
});
