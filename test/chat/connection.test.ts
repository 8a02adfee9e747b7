import assert from 'node:assert/strict';
import type { SocketListener } from '../../src/chat/connection/browser-host.js';
import { createConnection } from '../../src/chat/connection/connection.js';
import { openTestBrowser } from '../support/test-browser.js';

describe('The widget’s connection after a long outage', () => {
  const { setTimeout: later } = globalThis;
  /** How long it was to be waited for another try, in milliseconds. */
  let delays: number[];
  let end: () => void;
  beforeEach(() => {
    delays = [];
  });
  afterEach(() => {
    globalThis.setTimeout = later;
    end();
  });

  const open = () => {
    const sockets: SocketListener[] = [];
    const host = openTestBrowser('https://acme.example');
    host.openSocket = (_url, events) => {
      sockets.push(events);
      return { send: () => undefined, close: () => undefined };
    };
    const connection = createConnection(host, {
      url: 'ws://acme.example',
      hello: () => Promise.resolve({ type: 'hello' }),
      ...{ onFrame: () => undefined, onState: () => undefined },
      onRefused: () => Promise.resolve(true),
    });
    end = () => connection.close();
    connection.open();
    sockets[0]?.onMessage('{"type":"welcome"}');
    for (let n = 0; n < 9; n += 1) {
      host.setOnline(false);
      host.setOnline(true);
    }
    globalThis.setTimeout = ((callback: () => void, ms: number) => {
      delays.push(ms);
      return later(callback, ms);
    }) as typeof setTimeout;
    const refuse = async () => {
      sockets.at(-1)?.onClose(4401);
      await new Promise(setImmediate);
      return delays.pop() ?? Infinity;
    };
    return { connection, sockets, refuse };
  };

  it('retries soon after a refusal by a reachable service, then waits longer each time', async () => {
    const { connection, refuse } = open();
    assert.ok((await refuse()) <= 500);
    connection.greet();
    const second = await refuse();
    assert.ok(second >= 500 && second <= 1000, String(second));
  });

  it('reconnects at once with other credentials', async () => {
    const { connection, sockets, refuse } = open();
    await refuse();
    const before = sockets.length;
    connection.greet();
    assert.equal(sockets.length, before + 1);
    connection.greet();
    assert.equal(sockets.length, before + 1);
  });
});
