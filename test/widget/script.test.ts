import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, request as send, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Router from '@koa/router';
import Koa from 'koa';
import { authenticateRequest } from '../../src/main/authenticate-request.js';
import { answerProblems } from '../../src/platform/http/problems.js';
import { createRequestLimits } from '../../src/platform/http/request-limits.js';
import { securityHeaders } from '../../src/platform/http/security-headers.js';
import { serveOperation } from '../../src/platform/http/serve-operation.js';
import { readBuiltScript } from '../../src/widget/built-script.js';
import { scriptOperations } from '../../src/widget/script.routes.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

const source = Buffer.from('window.Assistant = { greeting: "¡Hola!" };\n'.repeat(50));

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

describe('The widget’s script', () => {
  let test: TestApp;
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let server: Server;

  beforeEach(async () => {
    test = await openTestApp();
    folder = await makeTemporaryFolder();
    await writeFile(join(folder.path, 'assistant.js'), source);
    await writeFile(join(folder.path, 'assistant.js.gz'), gzipSync(source));
    await writeFile(join(folder.path, 'assistant.js.br'), brotliCompressSync(source));
    const koa = new Koa();
    const router = new Router();
    const limits = createRequestLimits(test.app, () => undefined);
    for (const one of scriptOperations(folder.path)) {
      serveOperation(router, test.app, authenticateRequest, limits, one);
    }
    koa.use(securityHeaders).use(answerProblems(test.app, limits)).use(router.routes());
    const handle = koa.callback();
    server = createServer((request, response) => void handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await new Promise((resolve) => server.close(resolve));
    await folder.remove();
    await test.close();
  });

  /** Not by fetch, which asks for encodings, and takes them off, by itself. */
  const get = (headers: Record<string, string> = {}, method = 'GET', query = '') =>
    new Promise<Answer>((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const path = `/widget/v1/assistant.js${query}`;
      const asked = send({ host: '127.0.0.1', port, path, method, headers }, (reply) => {
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => parts.push(part));
        reply.on('end', () => {
          const { statusCode: status = 0, headers } = reply;
          resolve({ status, headers, body: Buffer.concat(parts) });
        });
      });
      asked.on('error', reject).end();
    });

  it('is served to pages of any origin, without credentials and with its content type', async () => {
    const { status, headers, body } = await get({ Origin: 'https://anywhere.example' });
    assert.equal(status, 200);
    assert.deepEqual(body, source);
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(
      headers['cache-control'] ?? '',
      /^public, max-age=300, stale-while-revalidate=\d+/,
    );
    assert.equal(headers['vary'], 'Accept-Encoding');
    assert.equal(headers['content-encoding'], undefined);
  });

  it('is served unchanged whatever query a site appends to its address', async () => {
    for (const query of [
      '?v=1',
      '?ver=6.5',
      '?v=a&v=b',
      '?t=1&cb=%E4',
      '?',
      '?=',
      '?__proto__=1',
    ]) {
      const { status, body } = await get({}, 'GET', query);
      assert.equal(status, 200, query);
      assert.deepEqual(body, source);
    }
  });

  it('is sent in the encoding that the client prefers, else in Brotli', async () => {
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0.5, gzip;q=0.9', 'gzip'],
      ['br;q=0, *', 'gzip'],
      ['*;q=0.2, gzip;q=0', 'br'],
      ['identity, gzip;q=0.5', undefined],
      ['deflate', undefined],
      ['br;q=2, gzip;q=x', undefined],
      ['*;q=0', undefined],
      ['', undefined],
    ] as const) {
      const { status, headers, body } = await get({ 'Accept-Encoding': accepted });
      assert.equal(status, 200);
      assert.equal(headers['content-encoding'], encoding, accepted);
      assert.equal(headers['content-length'], String(body.length));
      const plain =
        encoding === 'br'
          ? brotliDecompressSync(body)
          : encoding === 'gzip'
            ? gunzipSync(body)
            : body;
      assert.deepEqual(plain, source);
    }
  });

  it('answers 304 only to a client that has it in the same encoding', async () => {
    const { headers } = await get({ 'Accept-Encoding': 'br' });
    const etag = headers.etag ?? '';
    assert.match(etag, /^"[^"]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get({ 'Accept-Encoding': 'br', 'If-None-Match': known });
      assert.equal(again.status, 304, known);
      assert.equal(again.body.length, 0);
      assert.equal(again.headers.etag, etag);
      assert.equal(again.headers['content-length'], undefined);
      assert.match(again.headers['cache-control'] ?? '', /public/);
      assert.equal(again.headers.vary, 'Accept-Encoding');
    }
    const plain = await get({ 'If-None-Match': etag });
    assert.equal(plain.status, 200);
    assert.notEqual(plain.headers.etag, etag);
  });

  it('answers HEAD with the headers and no body', async () => {
    const { status, headers, body } = await get({ 'Accept-Encoding': 'gzip' }, 'HEAD');
    assert.equal(status, 200);
    assert.equal(body.length, 0);
    assert.equal(headers['content-length'], String(gzipSync(source).length));
  });

  it('is kept in memory and has the integrity hash that the tag names', async () => {
    const { integrity } = await readBuiltScript('assistant.js', folder.path);
    const digest = createHash('sha384').update(source).digest('base64');
    assert.equal(integrity, `sha384-${digest}`);
    await get();
    await rm(join(folder.path, 'assistant.js'));
    assert.equal((await get()).status, 200);
  });

  it('answers 503 with the build command if it was not built, and looks again at the next request', async () => {
    await rm(join(folder.path, 'assistant.js'));
    const { status, headers, body } = await get();
    assert.equal(status, 503);
    assert.equal(headers['cache-control'], 'no-store');
    const problem = JSON.parse(body.toString()) as { code: string; detail: string };
    assert.equal(problem.code, 'widget_not_built');
    assert.match(problem.detail, /npm run build/);
    await writeFile(join(folder.path, 'assistant.js'), source);
    assert.equal((await get()).status, 200);
  });

  it('is sent in another encoding if one compressed variant is missing', async () => {
    await rm(join(folder.path, 'assistant.js.br'));
    const { headers } = await get({ 'Accept-Encoding': 'br, gzip' });
    assert.equal(headers['content-encoding'], 'gzip');
  });
});
