import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import { createDiscards, cutOff } from '../../../src/platform/http/read-bytes.js';
import { connectTo } from '../../support/raw-http.js';

describe('The rest of a refused body', () => {
  const size = 1_000_000;

  /** A server that refuses every body, while so many bodies are discarded. */
  async function refusing<T>(
    taken: number,
    use: (server: { port: number; sockets: Socket[] }) => Promise<T>,
  ): Promise<T> {
    const discards = createDiscards();
    for (let place = 0; place < taken; place++) assert.ok(discards.take('bodies'));
    const koa = new Koa();
    koa.use((ctx) => {
      if (!ctx.req.complete) cutOff(ctx, discards);
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
      return await use({ port, sockets });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  /** How many bytes the server received of a client that sends everything before it reads, and what that read. */
  const refused = (taken: number) =>
    refusing(taken, async ({ port, sockets }) => {
      const { socket, closed } = await connectTo(`http://127.0.0.1:${port}`);
      socket.pause();
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${size + 1}\r\n\r\n`);
      await new Promise<void>((resolve) => socket.write(' '.repeat(size), () => resolve()));
      socket.resume();
      const answer = await closed;
      return { received: sockets[0]?.bytesRead ?? 0, answer };
    });

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

  it('is left so that the next request of its client takes a new connection', async () => {
    await refusing(4, async ({ port, sockets }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const send = async (body: Buffer) => {
        const call = request({ port, host: '127.0.0.1', agent, method: 'POST' });
        call.end(body);
        const [response] = (await once(call, 'response')) as [IncomingMessage];
        await text(response);
        return response.statusCode;
      };
      try {
        // Longer than what is discarded at once, and short enough for the buffers between client and server.
        assert.equal(await send(Buffer.alloc(150_000)), 413);
        assert.equal(await send(Buffer.alloc(10)), 413);
        assert.equal(sockets.length, 2);
      } finally {
        agent.destroy();
      }
    });
  });
});
