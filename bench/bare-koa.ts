import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import Router from '@koa/router';
import Koa from 'koa';

// Run as a worker thread by requests.ts: one route that answers a little JSON.
const koa = new Koa();
const router = new Router();
router.get('/', (ctx) => {
  ctx.body = { ok: true };
});
koa.use(router.routes());
const handle = koa.callback();
const server = createServer((request, response) => void handle(request, response));
server.listen(0, '127.0.0.1', () =>
  parentPort?.postMessage((server.address() as AddressInfo).port),
);
