import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { connectTo } from '../support/raw-http.js';
import { makeInitialized, type RunningCli, type TestInstallation } from '../support/run-cli.js';

describe('A stopping server', () => {
  let installation: TestInstallation;
  let ollama: OllamaStandIn;
  let server: RunningCli;
  let url: string;
  let headers: Record<string, string>;

  before(async () => {
    installation = await makeInitialized();
    const args = ['tokens', 'create', '--user', 'ada@acme.example', '--name', 'test'];
    const { token } = await installation.json<{ token: string }>(args);
    headers = { Authorization: `Bearer ${token}` };
  });
  after(() => installation.remove());
  beforeEach(async () => {
    ollama = await startOllamaStandIn({ answer: () => 'The filter is cleaned monthly [1].' });
  });
  // A running server would keep the test run from ending, even after a failed test.
  afterEach(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
    await ollama.stop();
  });

  const serve = async (settings: Record<string, string> = {}) => {
    server = installation.start(['serve', '--port', '0'], {
      ASSISTANT_OLLAMA_URL: ollama.url,
      ASSISTANT_INGESTION_WORKER: 'false',
      ...settings,
    });
    url = (await server.until(/serves at (\S+)/))[1] ?? '';
  };
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const addKnowledge = async () => {
    const content = 'The filter of the pump is cleaned every month with warm water.';
    const entry = { title: 'Filter', content, domain: 'docs.acme.example', status: 'published' };
    assert.equal((await post('/api/knowledge', entry)).status, 201);
  };
  const question = {
    message: 'When is the filter cleaned?',
    context: { url: 'https://docs.acme.example/', title: '' },
  };
  const ask = () => post('/api/conversations/message', question);

  it('exits with 0 when its terminal is closed', async () => {
    await serve();
    server.child.kill('SIGHUP');
    assert.equal((await server.ended).code, 0);
  });

  it('completes running answers, refuses new requests, and exits with 0', async () => {
    await serve();
    await addKnowledge();
    ollama.stallAfter = 1;
    const answer = ask();
    const { socket, until } = await connectTo(url);
    const head = `Host: x\r\nAuthorization: ${headers['Authorization'] ?? ''}\r\n`;
    const body = JSON.stringify(question);
    socket.write(
      `POST /api/conversations/message HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await ollama.until(() => ollama.running === 2);
    server.child.kill('SIGTERM');
    // Wait until the server stops listening.
    for (let tries = 0; tries < 5000; tries++) {
      const refused = await connectTo(url).then(
        ({ socket }) => {
          socket.destroy();
          return false;
        },
        () => true,
      );
      if (refused) break;
      await wait(10);
    }
    await assert.rejects(connectTo(url), { code: 'ECONNREFUSED' });
    // Send another request over the open connection.
    socket.write(`GET /api/conversations HTTP/1.1\r\n${head}\r\n`);
    ollama.release();
    await until(/HTTP\/1\.1 200 [\s\S]*cleaned monthly/);
    await until(/HTTP\/1\.1 503 [\s\S]*Connection: close[\s\S]*shutting_down/);
    const reply = await answer;
    const { response, mode } = (await reply.json()) as { response: string; mode: string };
    assert.deepEqual([reply.status, mode], [200, 'ollama']);
    assert.match(response, /cleaned monthly/);
    assert.equal((await server.ended).code, 0);
  });
});
