import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { createBoundedSender } from '../../src/widget/hold-socket.js';
import type { ServerFrame } from '../../src/chat/protocol.js';

describe('The bounded sender of a WebSocket', () => {
  let server: WebSocketServer;
  let near: WebSocket;
  let far: WebSocket;
  const text = 'x'.repeat(64 * 1024);
  const piece = (event: number): ServerFrame => ({ type: 'delta', id: 'a', event, text });
  /** More than the buffers of any system take. */
  const many = 1000;

  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connected = once(server, 'connection') as Promise<[WebSocket]>;
    far = new WebSocket(`ws://127.0.0.1:${port}`);
    [near] = await connected;
    await once(far, 'open');
  });
  afterEach(async () => {
    far.terminate();
    near.terminate();
    server.close();
    await once(server, 'close');
  });

  it('waits for a slow client, keeps the buffer small and loses no frame', async () => {
    const sender = createBoundedSender(near, 10_000);
    far.pause();
    let sent = 0;
    let most = 0;
    const all = (async () => {
      for (; sent < many; sent += 1) {
        await sender.send(piece(sent));
        most = Math.max(most, near.bufferedAmount);
      }
    })();
    // Held up: what the system's own buffers take has been sent, and no more follows.
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.ok(sent < many, `${sent} of ${many} were sent to a client that reads nothing`);
    const events: number[] = [];
    far.on('message', (data: Buffer) => {
      events.push((JSON.parse(data.toString()) as { event: number }).event);
    });
    far.resume();
    await all;
    while (events.length < many) await once(far, 'message');
    assert.deepEqual(
      events,
      Array.from({ length: many }, (_, index) => index),
    );
    assert.ok(most < 512 * 1024, `${most} bytes waited`);
  });

  it('cuts off a client that reads nothing for too long', async () => {
    const sender = createBoundedSender(near, 50);
    far.pause();
    const cut = once(near, 'close');
    for (let event = 0; event < many && near.readyState === near.OPEN; event += 1) {
      await sender.send(piece(event));
    }
    await cut;
    assert.equal(near.readyState, near.CLOSED);
    await sender.send(piece(0));
  });

  it('cuts off a client if a caller that does not wait exceeds the buffer’s limit', async () => {
    const sender = createBoundedSender(near, 10_000);
    far.pause();
    const cut = once(near, 'close');
    for (let event = 0; event < many; event += 1) void sender.send(piece(event));
    await cut;
  });
});
