import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import Koa from 'koa';
import { createDiscards, cutOff } from '../../../src/platform/http/read-bytes.js';
import { connectTo } from '../../support/raw-http.js';

describe('The rest of a refused body', () => {
  const size = 1_000_000;

  /** How many bytes the server received of a client that sends everything before it reads, and what that read. */
  async function refused(taken: number): Promise<{ received: number; answer: string }> {
    const discards = createDiscards();
    for (let place = 0; place < taken; place++) assert.ok(discards.take('bodies'));
    const koa = new Koa();
    koa.use((ctx) => {
      cutOff(ctx, discards);
      ctx.status = 413;
      ctx.body = 'too large';
    });
    const server = createServer((request, response) => void koa.callback()(request, response));
    const sockets: Socket[] = [];
    server.on('connection', (socket) => sockets.push(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const { socket, closed } = await connectTo(`http://127.0.0.1:${port}`);
      socket.pause();
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${size + 1}\r\n\r\n`);
      await new Promise<void>((resolve) => socket.write(' '.repeat(size), () => resolve()));
      socket.resume();
      const answer = await closed;
      return { received: sockets[0]?.bytesRead ?? 0, answer };
    } finally {
      server.close();
    }
  }

  it('is received and discarded while few are', async () => {
    const { received, answer } = await refused(3);
    assert.match(answer, /^HTTP\/1\.1 413 [^]*too large/);
    assert.ok(received > size, String(received));
  });

  it('is left where it is while many are, and its client reads the refusal all the same', async () => {
    const { received, answer } = await refused(4);
    assert.match(answer, /^HTTP\/1\.1 413 [^]*too large/);
    assert.ok(received < size / 2, String(received));
  });
});
