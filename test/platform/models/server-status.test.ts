import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  createOllamaClient,
  type OllamaClient,
} from '../../../src/platform/models/ollama-client.js';
import { isInstalled } from '../../../src/platform/models/installed-models.js';
import { startOllamaStandIn } from '../../support/ollama-stand-in.js';

describe('The status of the Ollama server', () => {
  const clients: OllamaClient[] = [];
  const open = (url: string, more: { statusKeepMs?: number; statusTimeoutMs?: number } = {}) => {
    const client = createOllamaClient({
      url,
      chatModel: 'llama3.2',
      numCtx: 4096,
      keepAlive: '5m',
      firstTokenTimeoutMs: 5000,
      idleTimeoutMs: 5000,
      totalTimeoutMs: 5000,
      concurrency: 1,
      ...more,
    });
    clients.push(client);
    return client;
  };

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });

  it('contains the version, the models, and whether the chat model is installed', async () => {
    const ollama = await startOllamaStandIn({ models: ['llama3.2:latest'], version: '0.9.1' });
    const status = await open(ollama.url).status();
    assert.ok(status.reachable);
    const { installed, ...rest } = status;
    assert.deepEqual(rest, {
      reachable: true,
      version: '0.9.1',
      models: ['llama3.2:latest'],
      chatModelInstalled: true,
    });
    assert.match(installed[0]?.digest ?? '', /^sha256:/);
    assert.equal(installed[0]?.parameters, '3.2B');
    await ollama.stop();
  });

  it('is requested once within its cache time, and again afterwards', async () => {
    const ollama = await startOllamaStandIn();
    const client = open(ollama.url, { statusKeepMs: 60_000 });
    await Promise.all([client.status(), client.status()]);
    await client.status();
    assert.equal(ollama.requests.length, 2);
    const forgetful = open(ollama.url, { statusKeepMs: 0 });
    await forgetful.status();
    await forgetful.status();
    assert.equal(ollama.requests.length, 6);
    await ollama.stop();
  });

  it('is requested again after a failed chat', async () => {
    const ollama = await startOllamaStandIn();
    const client = open(ollama.url, { statusKeepMs: 60_000 });
    assert.equal((await client.status()).reachable, true);
    await ollama.stop();
    await assert.rejects(client.chat({ messages: [{ role: 'user', content: 'x' }] }));
    assert.equal((await client.status()).reachable, false);
  });

  it('says how to start a server that does not run', async () => {
    const ollama = await startOllamaStandIn();
    await ollama.stop();
    const status = await open(ollama.url).status();
    assert.ok(!status.reachable);
    assert.match(status.reason, /refused.*ollama serve.*ollama\.url/);
  });

  it('says that another server is not Ollama', async () => {
    const bodies: [string, string][] = [
      ['application/json', '{"ok":true}'],
      ['application/json', 'not json'],
      ['text/html', '<html></html>'],
    ];
    for (const [type, body] of bodies) {
      const server = createServer((_request, response) => {
        response.setHeader('content-type', type).end(body);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const status = await open(`127.0.0.1:${port}`).status();
      assert.ok(!status.reachable, body);
      assert.match(status.reason, /not an Ollama server/);
      server.close();
      await once(server, 'close');
    }
  });

  it('is available after a time limit if the server is silent', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const status = await open(`:${port}`, { statusTimeoutMs: 20 }).status();
    assert.ok(!status.reachable);
    assert.match(status.reason, /did not answer within 0\.02 s/);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('is requested with the user and password of the address, and never shows them', async () => {
    const ollama = await startOllamaStandIn();
    const url = ollama.url.replace('http://', 'http://anna:p%40ss@');
    const client = open(url, { statusKeepMs: 0 });
    assert.equal((await client.status()).reachable, true);
    const sent = `Basic ${Buffer.from('anna:p@ss').toString('base64')}`;
    assert.equal(ollama.requests[0]?.headers.authorization, sent);
    await ollama.stop();
    const status = await client.status();
    assert.ok(!status.reachable);
    assert.doesNotMatch(status.reason, /anna|p@ss|p%40ss/);
  });

  it('shows a model as installed without the tag :latest, but not with another tag', () => {
    assert.ok(isInstalled('llama3.2', ['llama3.2:latest']));
    assert.ok(isInstalled('llama3.2:latest', ['llama3.2:latest']));
    assert.ok(isInstalled('Qwen3:8B', ['qwen3:8b']));
    assert.ok(isInstalled('host:5000/me/model', ['host:5000/me/model:latest']));
    assert.ok(!isInstalled('llama3.2', ['llama3.2:1b', 'llama3:latest']));
  });
});
