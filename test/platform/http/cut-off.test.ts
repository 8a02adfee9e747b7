import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import { cutOff } from '../../../src/platform/http/read-bytes.js';
import { connectTo } from '../../support/raw-http.js';

describe('The rest of a refused body', () => {
  const size = 1_000_000;

  /** A server that refuses every body. */
  async function refusing(use: (port: number, sockets: Socket[]) => Promise<void>): Promise<void> {
    const koa = new Koa();
    koa.use((ctx) => {
      if (!ctx.req.complete) cutOff(ctx);
      ctx.status = 413;
      ctx.body = 'too large';
    });
    const handle = koa.callback();
    const server = createServer((request, response) => void handle(request, response));
    const sockets: Socket[] = [];
    server.on('connection', (socket) => sockets.push(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await use((server.address() as AddressInfo).port, sockets);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it('is received and discarded, so that a client that first sends everything gets the refusal', async () => {
    await refusing(async (port, sockets) => {
      const { socket, closed } = await connectTo(`http://127.0.0.1:${port}`);
      socket.pause();
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${size + 1}\r\n\r\n`);
      await new Promise<void>((resolve) => socket.write(' '.repeat(size), () => resolve()));
      socket.resume();
      assert.match(await closed, /^HTTP\/1\.1 413 [^]*too large/);
      const received = sockets[0]?.bytesRead ?? 0;
      assert.ok(received > size, String(received));
    });
  });

  it('does not prevent the next request of the client', async () => {
    await refusing(async (port) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const send = async (body: Buffer) => {
        const call = request({ port, host: '127.0.0.1', agent, method: 'POST' });
        call.end(body);
        const [response] = (await once(call, 'response')) as [IncomingMessage];
        await text(response);
        return response.statusCode;
      };
      try {
        assert.equal(await send(Buffer.alloc(size)), 413);
        assert.equal(await send(Buffer.alloc(10)), 413);
      } finally {
        agent.destroy();
      }
    });
  });
});
