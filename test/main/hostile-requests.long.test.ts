import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { callApi, type CallOptions } from '../support/api-client.js';
import { connectTo } from '../support/raw-http.js';
import { serveTestApp, type TestApp } from '../support/test-app.js';

describe('A hostile request with an oversized body', () => {
  let test: TestApp & { url: string };
  const login = '/api/auth/login';
  const json = { 'Content-Type': 'application/json' };

  before(async () => {
    test = await serveTestApp({ server: { stall_timeout_ms: 300 }, ingestion: { max_file_mb: 1 } });
  });
  after(() => test.close());

  const call = (path: string, options: CallOptions = {}) => callApi(`${test.url}${path}`, options);
  const sendBytes = async (bytes: Uint8Array, headers: Record<string, string> = json) => {
    const body = new Uint8Array(bytes);
    const response = await fetch(`${test.url}${login}`, { method: 'POST', headers, body });
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    return { status: response.status, code, detail };
  };

  it('is unpacked up to the limit only', async () => {
    const text = '{"email":"a@b","password":"p"}';
    for (const [name, pack] of Object.entries({
      gzip: gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
    })) {
      const headers = { ...json, 'Content-Encoding': name };
      assert.equal((await sendBytes(pack(text), headers)).status, 401, name);
      const bomb = pack(Buffer.alloc(8_000_000, ' '));
      const refused = await sendBytes(bomb, headers);
      assert.deepEqual([refused.status, refused.code], [413, 'body_too_large'], name);
      const cut = pack(text).subarray(0, 12);
      assert.equal((await sendBytes(cut, headers)).status, 400, `${name}, cut off`);
    }
    // Compressed pieces that unpack to nothing.
    const empty = Buffer.alloc(1_200_000, gzipSync(''));
    const headers = { ...json, 'Content-Encoding': 'gzip' };
    assert.equal((await sendBytes(empty, headers)).status, 413);
    for (const encoding of ['zstd', 'gzip, gzip', '__proto__', 'constructor']) {
      const { status, code } = await sendBytes(Buffer.from(text), {
        ...json,
        'Content-Encoding': encoding,
      });
      assert.deepEqual([status, code], [415, 'unsupported_media_type'], encoding);
    }
  });

  it('is answered while it sends without end, and then cut off', async () => {
    const { socket, until, closed } = await connectTo(test.url);
    socket.write(
      `POST ${login} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    let sending = true;
    const send = () => {
      if (sending) socket.write(piece, () => setImmediate(send));
    };
    send();
    const [, status] = await until(/^HTTP\/1\.1 (\d+)/);
    assert.equal(status, '413');
    await until(/body_too_large/);
    await closed;
    sending = false;
    assert.equal((await call('/health/live')).status, 200);
  });

  it('receives its refusal on a connection that closes too, whatever it still sends', async () => {
    // The default timeout, since on a busy machine a client pauses for longer while it sends.
    const patient = await serveTestApp();
    try {
      const body = ' '.repeat(20_000_000);
      const length = `Content-Length: ${body.length}`;
      for (const [start, status] of [
        [`POST ${login} HTTP/1.1\r\nContent-Type: application/json`, 413],
        ['POST /api/knowledge HTTP/1.1\r\nContent-Type: application/json', 401],
        [`POST ${login} HTTP/1.0\r\nContent-Type: application/json`, 413],
      ] as const) {
        for (let time = 0; time < 5; time++) {
          const { socket, closed } = await connectTo(patient.url);
          socket.write(`${start}\r\nHost: x\r\nConnection: close\r\n${length}\r\n\r\n`);
          // Many clients read the answer only after they have sent everything.
          socket.pause();
          await new Promise<void>((resolve) => socket.write(body, () => resolve()));
          socket.resume();
          const answer = await closed;
          assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} [^]*request_id`), start);
        }
      }
    } finally {
      await patient.close();
    }
  });
});
