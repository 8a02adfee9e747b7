import assert from 'node:assert/strict';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { serveTestApp, type ConfigInput } from '../support/test-app.js';

describe('A server that starts', () => {
  let ollama: OllamaStandIn;
  beforeEach(async () => (ollama = await startOllamaStandIn()));
  afterEach(() => ollama.stop());
  const start = (ollamaSettings: ConfigInput['ollama'], config: ConfigInput = {}) =>
    serveTestApp({ ...config, ollama: { url: ollama.url, ...ollamaSettings } });

  it('loads the model with the context window of its chats if warm_up is on', async () => {
    const server = await start({ warm_up: true, num_ctx: 4096, keep_alive: '-1' });
    await ollama.until(() => ollama.loaded.length === 1 && ollama.running === 0);
    assert.deepEqual(ollama.loaded, [{ name: 'llama3.2:latest', numCtx: 4096 }]);
    const [chat] = ollama.chats;
    assert.deepEqual([chat?.messages, chat?.keep_alive], [[], -1]);
    await server.close();
  });

  it('requests no model by default, and none in extractive mode', async () => {
    await (await start({})).close();
    await (await start({ warm_up: true }, { answers: { mode: 'extractive' } })).close();
    assert.deepEqual(ollama.requests, []);
  });

  it('serves and shuts down even if the model does not load', async () => {
    ollama.stallAfter = 0;
    const server = await start({ warm_up: true });
    await ollama.until(() => ollama.running === 1);
    assert.equal((await fetch(`${server.url}/health/live`)).status, 200);
    await server.close();
    await ollama.until(() => ollama.running === 0);
  });
});
