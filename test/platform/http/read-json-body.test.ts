import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { readJsonBody } from '../../../src/platform/http/serve-operation.js';
import { createQueues } from '../../../src/platform/workers/queues.js';

describe('Large bodies that arrive together', () => {
  it('are each parsed in a separate turn of the event loop, so that other requests are answered in between', async () => {
    const queues = createQueues();
    let turn = 0;
    let next = setImmediate(count);
    function count(): void {
      turn += 1;
      next = setImmediate(count);
    }
    const turns: number[] = [];
    // All have arrived before the first is parsed, so the turns count parsing, not arrival.
    let arrived = 0;
    let open = () => {};
    const all = new Promise<void>((resolve) => (open = resolve));
    const koa = new Koa();
    koa.use(async (ctx) => {
      arrived += 1;
      if (arrived === 6) open();
      await all;
      const body = (await readJsonBody({ queues }, ctx, 1024)) as { text: string };
      turns.push(turn);
      ctx.body = { length: body.text.length };
    });
    const server = koa.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const replies = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const reply = await fetch(`http://127.0.0.1:${port}/`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ text: 'x'.repeat(500_000) }),
          });
          return (await reply.json()) as unknown;
        }),
      );
      assert.deepEqual(
        new Set(replies.map((one) => (one as { length: number }).length)),
        new Set([500_000]),
      );
      assert.equal(new Set(turns).size, 6, `parsed in the turns ${turns.join(', ')}`);
    } finally {
      clearImmediate(next);
      server.closeAllConnections();
      server.close();
    }
  });
});
