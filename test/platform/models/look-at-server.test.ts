import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lookAtServer } from '../../../src/platform/models/look-at-server.js';
import { createOllamaClient } from '../../../src/platform/models/ollama-client.js';
import { ollamaSettings } from '../../../src/platform/models/ollama-settings.js';
import { configSchema } from '../../../src/platform/config/schema.js';
import { startOllamaStandIn } from '../../support/ollama-stand-in.js';

describe('The quick check of the model server', () => {
  const servers: Server[] = [];
  afterEach(() => servers.splice(0).forEach((server) => server.close().closeAllConnections()));

  const serve = async (answer: RequestListener) => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const look = (url: string, timeoutMs = 20_000) =>
    lookAtServer({ url, chat_model: 'llama3.2' }, timeoutMs).status;
  const failureOf = async (url: string, timeoutMs?: number) => {
    const status = await look(url, timeoutMs);
    assert.equal(status.reachable, false);
    return [status.failure, status.reason] as const;
  };

  it('returns the same status as the client', async () => {
    const ollama = await startOllamaStandIn({ models: ['llama3.2:latest', 'other:1b'] });
    const { ollama: settings } = configSchema.parse({ ollama: { url: ollama.url } });
    const client = createOllamaClient(ollamaSettings(settings));
    try {
      const found = await look(ollama.url);
      assert.deepEqual(found, await client.status());
      assert.equal(found.reachable && found.chatModelInstalled, true);
    } finally {
      await client.close();
      await ollama.stop();
    }
  });

  it('reports each failure with its cause', async () => {
    assert.match(
      (await failureOf('http://127.0.0.1:9'))[1],
      /connection was refused.*ollama serve/,
    );
    const page = await serve((_request, response) => response.end('<html>'));
    assert.equal((await failureOf(page))[0], 'not_ollama');
    const other = await serve((_request, response) => response.end('{"ok": true}'));
    assert.equal((await failureOf(other))[0], 'not_ollama');
    const closed = await serve((_request, response) => response.writeHead(401).end());
    assert.deepEqual((await failureOf(closed))[0], 'refused');
    const broken = await serve((_request, response) => response.destroy());
    assert.equal((await failureOf(broken))[0], 'broke_off');
  });

  it('waits no longer than its time limit', async () => {
    const silent = await serve(() => undefined);
    const [failure, reason] = await failureOf(silent, 50);
    assert.equal(failure, 'too_slow');
    assert.match(reason, /did not answer within 0\.05 s\. .*assistant doctor/);
  });

  it('sends the name and password of the address, and does not show them in the address', async () => {
    let given: string | undefined;
    const url = await serve((request, response) => {
      given = request.headers.authorization;
      response.writeHead(403).end();
    });
    const { base, status } = lookAtServer({ url: `http://ada:x@${url}`, chat_model: 'a' }, 20_000);
    await status;
    assert.equal(given, `Basic ${Buffer.from('ada:x').toString('base64')}`);
    assert.equal(base, `http://${url}`);
  });
});
