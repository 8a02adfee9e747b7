import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { createServerClient, type ServerRequest } from '../../../src/platform/cli/server-client.js';

const reply = z.object({ ok: z.boolean() });
const token = 'secret-token';

/** Checks the pauses, which may vary by a quarter. */
function assertNear(pauses: readonly number[], means: readonly number[]): void {
  const quarters = pauses.map((pause, index) => Math.abs(pause / (means[index] ?? 0) - 1));
  assert.ok(pauses.length === means.length && Math.max(...quarters) <= 0.25, String(pauses));
}

describe('The client of a remote server', () => {
  let server: Server;
  let url: URL;
  let answers: RequestListener[];
  let paths: string[];
  let pauses: number[];
  let notes: string[];
  let stopping: AbortController;

  beforeEach(async () => {
    [answers, paths, pauses, notes] = [[], [], [], []];
    stopping = new AbortController();
    server = createServer((request, response) => {
      paths.push(request.url ?? '');
      assert.equal(request.headers.authorization, `Bearer ${token}`);
      const answer = answers.shift() ?? done;
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/under`);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const done: RequestListener = (_, response) => response.end('{"ok":true}');
  const refuse =
    (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
    (_, response) =>
      response.writeHead(status, headers).end(body);
  const ask = (request: ServerRequest = {}) =>
    createServerClient({
      ...{
        url,
        token: () => Promise.resolve(token),
        signal: stopping.signal,
        note: (text) => void notes.push(text),
      },
      pause: (ms) => Promise.resolve(void pauses.push(ms)),
    }).ask('/api/x', reply, request);

  it('does not repeat a request that must be sent only once, even if the answer is lost', async () => {
    for (const lost of [refuse(502), ((request) => request.socket.destroy()) as RequestListener]) {
      answers = [lost];
      await assert.rejects(ask({ method: 'POST', once: true }), { code: 'server_unreachable' });
    }
    assert.deepEqual([paths.length, pauses], [2, []]);
  });

  it('reports once that the server is silent, and again only after an answer', async () => {
    const silent: RequestListener = () => undefined;
    answers = [silent, silent, done, silent];
    const client = createServerClient({
      ...{ url, signal: stopping.signal, note: (text) => void notes.push(text), remarkMs: 1 },
      token: () => Promise.resolve(token),
      pause: () => Promise.resolve(),
    });
    for (let asked = 0; asked < 2; asked++) await client.ask('/api/x', reply, { timeoutMs: 50 });
    const remarks = notes.filter((note) => !note.includes('Trying again'));
    const remark = `${url.origin} has not answered yet. Waiting for up to 1 s.`;
    assert.deepEqual(remarks, [remark, remark]);
  });

  it('repeats a lost or temporarily refused request after the time that the server asks for', async () => {
    answers = [
      refuse(429, { 'Retry-After': '7' }),
      refuse(503, { 'Retry-After': new Date(Date.now() + 60_000).toUTCString() }),
      (request) => request.socket.destroy(),
      refuse(502),
    ];
    assert.deepEqual(await ask(), { ok: true });
    const [first, second = 0, ...rest] = pauses;
    assert.equal(first, 7000);
    assert.ok(second > 50_000 && second <= 60_000);
    assertNear(rest, [2000, 4000]);
    assert.equal(notes.length, 4);
    assert.ok(paths.every((path) => path === '/under/api/x'));
  });

  it('gives up after six attempts, or at once if the server asks for a long wait', async () => {
    answers = Array.from({ length: 9 }, () => refuse(503));
    await assert.rejects(ask(), { code: 'server_unreachable', message: /answered 503/ });
    assertNear(pauses, [500, 1000, 2000, 4000, 8000]);
    const problem = '{"code":"rate_limited","detail":"Come back tomorrow."}';
    answers = [refuse(429, { 'Retry-After': '86400' }, problem)];
    await assert.rejects(ask(), { code: 'rate_limited', message: 'Come back tomorrow.' });
    assert.equal(pauses.length, 5);
  });

  it('ends its wait for a silent server, even after a garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // The collection removes everything without a reference before the time is up.
    answers = [() => void setImmediate(collect)];
    await assert.rejects(ask({ once: true, timeoutMs: 500 }), {
      code: 'server_unreachable',
      message: /does not answer \(no answer within 1 s\)/,
    });
  });

  it('does not repeat a request to a port that is blocked for web clients', async () => {
    url = new URL('http://127.0.0.1:6000');
    const message = /^http:\/\/127\.0\.0\.1:6000: .* may not use this port/;
    await assert.rejects(ask(), { code: 'server_unreachable', message });
    assert.deepEqual(pauses, []);
  });

  it('passes on a refusal of the server at once', async () => {
    answers = [refuse(404, {}, '{"code":"not_found","detail":"There is no app 9."}')];
    await assert.rejects(ask(), { code: 'not_found', message: 'There is no app 9.' });
    assert.deepEqual(pauses, []);
  });

  it('follows no redirect, and names its target', async () => {
    answers = [refuse(302, { Location: 'http://other.example/' })];
    await assert.rejects(ask(), { message: /answered 302\. It points to http:\/\/other\.example/ });
    assert.equal(paths.length, 1);
  });

  it('reports that another program answers, and never shows the token', async () => {
    for (const body of ['<html>Welcome</html>', '{"ok":"yes"}', '']) {
      answers = [refuse(200, {}, body)];
      await assert.rejects(ask(), (error: Error) => {
        assert.match(error.message, /does not answer like an assistant/);
        return !error.message.includes(token);
      });
    }
    answers = [refuse(404, {}, '{"code":"constructor","detail":"A code of nobody."}')];
    await assert.rejects(ask(), { code: 'server_unreachable', message: /answered 404/ });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await assert.rejects(ask(), { code: 'server_unreachable', message: /\(ECONNREFUSED\)/ });
    assert.ok(!notes.join().includes(token));
  });

  it('ends at once if it is interrupted, and sends no more requests', async () => {
    answers = [() => stopping.abort()];
    await assert.rejects(ask(), { code: 'shutting_down' });
    await assert.rejects(ask(), { code: 'shutting_down' });
    assert.equal(paths.length, 1);
  });
});
