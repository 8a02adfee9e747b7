import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';

// A program of its own, started by server-process.ts: one route that answers a little JSON.
const koa = new Koa();
const router = new Router();
router.get('/', (ctx) => {
  ctx.body = { ok: true };
});
koa.use(router.routes());
const handle = koa.callback();
const server = createServer((request, response) => void handle(request, response));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
