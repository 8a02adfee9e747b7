import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { codeOf } from '../../src/platform/errors.js';
import { goneSignal } from '../../src/platform/http/request-end.js';
import { readJsonBody } from '../../src/platform/http/serve-operation.js';
import { createQueues } from '../../src/platform/workers/queues.js';
import { connectTo } from '../support/raw-http.js';

describe('A client that disconnects before its request is handled', () => {
  for (const [name, body] of [
    ['after its whole body', '{"a":1}'],
    ['in the middle of its body', '{"a"'],
  ] as const) {
    it(`is noticed ${name}, and waiting for its body ends`, async () => {
      let report: (seen: unknown[]) => void = () => undefined;
      const seen = new Promise<unknown[]>((resolve) => (report = resolve));
      const koa = new Koa();
      koa.silent = true;
      koa.use(async (ctx) => {
        // As if its credentials were being checked.
        await once(ctx.res, 'close');
        const read = readJsonBody({ queues: createQueues() }, ctx, 8).catch(codeOf);
        report([goneSignal(ctx).aborted, await read]);
      });
      const handle = koa.callback();
      const server = createServer((request, response) => void handle(request, response));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const { socket } = await connectTo(`http://127.0.0.1:${port}`);
      const arrived = once(server, 'request');
      const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
      socket.write(`${head}Content-Length: 7\r\n\r\n${body}`);
      await arrived;
      socket.destroy();
      assert.deepEqual(await seen, [true, 'invalid_request']);
      server.close();
    });
  }
});
