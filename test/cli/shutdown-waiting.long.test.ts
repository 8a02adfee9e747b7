import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { connectTo } from '../support/raw-http.js';
import { makeInitialized, type RunningCli, type TestInstallation } from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

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
  const upload = async (): Promise<string> => {
    const body = new FormData();
    const bytes = new Uint8Array(await sampleManual(2));
    body.set('file', new Blob([bytes], { type: 'application/pdf' }), 'm.pdf');
    body.set('force', 'true');
    const reply = await fetch(`${url}/api/knowledge/ingest-pdf`, { method: 'POST', body, headers });
    assert.equal(reply.status, 202);
    return ((await reply.json()) as { batch_id: string }).batch_id;
  };
  /** The status over a kept connection, which works even after the server accepts no new ones. */
  const statusOver = (agent: Agent, path: string) =>
    new Promise<number>((resolve, reject) => {
      get(`${url}${path}`, { agent }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      }).once('error', reject);
    });

  it('does not wait for connections without a request', async () => {
    await serve({ ASSISTANT_SERVER_DRAIN_TIMEOUT_MS: '600000' });
    const nothing = await connectTo(url);
    const half = await connectTo(url);
    half.socket.write('GET /health/li');
    assert.equal((await fetch(`${url}/health/live`)).status, 200);
    server.child.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
    assert.deepEqual([await nothing.closed, await half.closed], ['', '']);
  });

  it('is not ready at once, but still serves for stop_delay_ms', async () => {
    await serve({ ASSISTANT_SERVER_STOP_DELAY_MS: '1500' });
    const agent = new Agent({ keepAlive: true });
    assert.equal(await statusOver(agent, '/health/ready'), 200);
    server.child.kill('SIGTERM');
    let status = 200;
    for (let tries = 0; tries < 100 && status === 200; tries++) {
      status = await statusOver(agent, '/health/ready');
    }
    assert.equal(status, 503);
    const { checks } = (await (await fetch(`${url}/health/ready`)).json()) as {
      checks: { server: string; database: string };
    };
    assert.deepEqual([checks.server, checks.database], ['is stopping', 'ok']);
    assert.equal(await statusOver(agent, '/health/live'), 200);
    const list = await fetch(`${url}/api/conversations`, { headers });
    assert.equal(list.status, 200, 'requests of a load balancer are still answered');
    assert.equal((await server.ended).code, 0);
    agent.destroy();
  });

  it('ends progress streams with a comment', async () => {
    await serve();
    const batch = await upload();
    const { socket, until, closed } = await connectTo(url);
    const lines = `Host: x\r\nAuthorization: ${headers['Authorization'] ?? ''}\r\n\r\n`;
    socket.write(`GET /api/knowledge/ingestion-batches/${batch}/events HTTP/1.1\r\n${lines}`);
    await until(/event: progress/);
    server.child.kill('SIGTERM');
    await until(/: the server is stopping\n\n/);
    assert.match(await closed, /\r\n0\r\n\r\n$/, 'the stream ends properly');
    const { code, stderr } = await server.ended;
    assert.equal(code, 0, stderr);
  });

  it('waits for a running answer at most for drain_timeout_ms', async () => {
    await serve({ ASSISTANT_SERVER_DRAIN_TIMEOUT_MS: '300' });
    await addKnowledge();
    ollama.stallAfter = 1;
    const answer = ask().then(
      ({ status }) => status,
      () => 'cut off',
    );
    await ollama.until(() => ollama.running === 1);
    server.child.kill('SIGTERM');
    // The answer is cancelled. The client may learn it before its connection ends.
    assert.ok(['cut off', 409].includes(await answer));
    await ollama.until(() => ollama.aborted === 1);
    assert.equal((await server.ended).code, 0);
  });
});
