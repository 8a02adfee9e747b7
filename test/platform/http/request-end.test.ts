import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa, { type Context } from 'koa';
import { goneSignal, onRequestEnd } from '../../../src/platform/http/request-end.js';
import { connectTo } from '../../support/raw-http.js';

describe('The end of a request', () => {
  let server: Server;

  /** Sends three requests at once on one connection, to a server that answers each by `answer`. */
  async function pipeline(answer: (ctx: Context) => Promise<void>) {
    const koa = new Koa();
    koa.silent = true;
    koa.use(answer);
    const handle = koa.callback();
    server = createServer((request, response) => void handle(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connection = await connectTo(`http://127.0.0.1:${port}`);
    connection.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3));
    return connection;
  }
  afterEach(() => server.close());

  it('is reported once for each answered request', async () => {
    let ended = 0;
    const { socket, until } = await pipeline((ctx) => {
      onRequestEnd(ctx, () => (ended += 1));
      ctx.body = 'done';
      return Promise.resolve();
    });
    await until(/(done[^]*){3}/);
    const closed = once(socket, 'close');
    socket.end();
    await closed;
    assert.equal(ended, 3);
  });

  it('leaves no listener on the signal of the server’s stop', async () => {
    const stopping = new AbortController().signal;
    const { socket, until } = await pipeline((ctx) => {
      goneSignal(ctx, stopping);
      assert.ok(getEventListeners(stopping, 'abort').length > 0);
      ctx.body = 'done';
      return Promise.resolve();
    });
    await until(/(done[^]*){3}/);
    const closed = once(socket, 'close');
    socket.end();
    await closed;
    assert.equal(getEventListeners(stopping, 'abort').length, 0);
  });

  it('is reported for each request if the connection ends before the answers, or had already ended', async () => {
    const contexts: Context[] = [];
    const signals: AbortSignal[] = [];
    let ended = 0;
    let all = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (all = resolve));
    const { socket } = await pipeline((ctx) => {
      contexts.push(ctx);
      signals.push(goneSignal(ctx));
      onRequestEnd(ctx, () => (ended += 1));
      if (contexts.length === 3) all();
      return new Promise(() => undefined);
    });
    await arrived;
    const gone = once(contexts[0]?.req.socket ?? socket, 'close');
    socket.destroy();
    await gone;
    assert.equal(ended, 3);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, true, true],
    );
    contexts.forEach((ctx) => onRequestEnd(ctx, () => (ended += 1)));
    assert.equal(ended, 6);
  });
});
