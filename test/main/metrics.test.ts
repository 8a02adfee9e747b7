import assert from 'node:assert/strict';
import { embedDuePassages } from '../../src/search/vectors/embed-due-passages.js';
import { callApi } from '../support/api-client.js';
import { meaningOf } from '../support/ollama-stand-in-embeddings.js';
import { connectTo } from '../support/raw-http.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { storeEntry } from '../support/stored-entry.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type ConfigInput,
  type TestApp,
} from '../support/test-app.js';

describe('The metrics of the server', () => {
  let test: TestApp & { url: string };
  const token = 'a-token-of-the-operator';

  const open = async (config: ConfigInput = {}) => {
    test = await serveTestApp(config);
    return addOrganization(test);
  };
  afterEach(() => test.close());
  const read = (headers: Record<string, string> = {}) => fetch(`${test.url}/metrics`, { headers });
  const text = async () => (await read()).text();

  it('count requests by operation, method and status, in the format of Prometheus', async () => {
    await open();
    for (const path of ['/health/live', '/api/conversations/1/messages', '/x/1', '/x/2']) {
      await callApi(`${test.url}${path}`);
    }
    await fetch(`${test.url}/health/live`, { method: 'PROPFIND' });
    const response = await read();
    assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    const all = await response.text();
    const counted = [
      ...all.matchAll(/^assistant_http_request_duration_seconds_count\{(.*)\} (\d+)$/gm),
    ];
    assert.deepEqual(counted.map((match) => `${match[1] ?? ''} ${match[2] ?? ''}`).sort(), [
      'operation="/api/conversations/:id/messages",method="GET",status="401" 1',
      'operation="/health/live",method="GET",status="200" 1',
      'operation="none",method="GET",status="404" 2',
      'operation="none",method="other",status="405" 1',
    ]);
    assert.match(
      all,
      /^assistant_http_requests_in_flight 1$/m,
      'the request for the metrics itself',
    );
    for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds']) {
      assert.match(all, new RegExp(`^${name} `, 'm'));
    }
    assert.doesNotMatch(all, / NaN$/m, 'a metric without a measurement has no value');
  });

  it('count answers, batches, deliveries, queued model requests and refusals by limits', async () => {
    const acme = await open({ limits: { messages_per_minute: 2 } });
    const ada = await addUser(test, acme, 'backoffice');
    await storeEntry(test, acme, { title: 'Filter', content: 'The filter is cleaned monthly.' });
    const context = { url: 'https://acme.example/', title: '' };
    for (const message of ['How often is the filter cleaned?', 'Who was Napoleon?', 'Once more?']) {
      const body = { message, context };
      await callApi(`${test.url}/api/conversations/message`, { token: ada.token, body });
    }
    const all = await text();
    assert.match(all, /^assistant_answers_total\{mode="extractive",found="true"\} 1$/m);
    assert.match(all, /^assistant_answers_total\{mode="extractive",found="false"\} 1$/m);
    assert.match(all, /^assistant_rate_limited_total\{policy="message"\} 1$/m);
    assert.match(all, /^assistant_model_requests\{state="running"\} 0$/m);
    assert.match(all, /^assistant_model_requests\{state="waiting"\} 0$/m);
    assert.match(await text(), /^assistant_answers_total\{mode="extractive",found="true"\} 1$/m);

    const { organizationId } = acme.operator;
    const now = test.app.clock.now().toISOString();
    const times = { created_at: now, updated_at: now };
    const owned = { organization_id: organizationId, app_id: acme.appId };
    const batch = { file_name: 'a', file_sha256: 'a', file_size: 1, created_by: 'test' };
    for (const [id, status] of Object.entries({ a: 'failed', b: 'completed', c: 'completed' })) {
      await test.app.db
        .write('ingestion_batches')
        .insert({ ...owned, ...batch, ...times, id, status });
    }
    const notifications: { id: number }[] = await test.app.db
      .write('notifications')
      .insert({
        organization_id: organizationId,
        kind: 'k',
        dedupe_key: 'k',
        payload: '{}',
        created_at: now,
      })
      .returning('id');
    await test.app.db.write('outbox_deliveries').insert({
      ...times,
      organization_id: organizationId,
      notification_id: notifications[0]?.id,
      channel: 'mail',
      target: 'x',
      payload: '{}',
      status: 'dead',
      not_before: now,
    });
    const later = await text();
    assert.match(later, /^assistant_ingestion_batches\{status="failed"\} 1$/m);
    assert.match(later, /^assistant_ingestion_batches\{status="completed"\} 2$/m);
    assert.match(later, /^assistant_outbox_deliveries\{status="dead"\} 1$/m);
  });

  it('show how many passages have vectors, lack them or were refused', async () => {
    const ollama = await startOllamaStandIn({ embed: meaningOf({ dimension: 16 }) });
    const acme = await open({
      ollama: { url: ollama.url, embedding_model: 'nomic-embed-text', embedding_poll_ms: 600_000 },
    });
    // Either the server's own worker or this loop makes the vectors live.
    const isLive = (all: string) => /^assistant_vector_generation [1-9]\d*$/m.test(all);
    await storeEntry(test, acme, { title: 'Filter', content: 'It is cleaned every 30 days.' });
    while (!isLive(await text())) await embedDuePassages(test.app);
    while ((await embedDuePassages(test.app)).elsewhere);
    await storeEntry(test, acme, { title: 'Pump', content: 'It stands in the cellar.' });
    const all = await text();
    await ollama.stop();
    assert.match(all, /^assistant_vector_passages\{generation="live",passages="embedded"\} 1$/m);
    assert.match(all, /^assistant_vector_passages\{generation="live",passages="missing"\} 1$/m);
    assert.match(all, /^assistant_vector_passages\{generation="live",passages="refused"\} 0$/m);
  });

  it('count the results of model requests', async () => {
    const ollama = await startOllamaStandIn({ busy: 1 });
    await open({ ollama: { url: ollama.url } });
    const messages = [{ role: 'user' as const, content: 'x' }];
    await test.app.models.chat({ messages });
    ollama.models = [];
    await assert.rejects(test.app.models.chat({ messages }));
    await ollama.stop();
    const counted = [...(await text()).matchAll(/^assistant_model_events_total\{(.*)\} (\d+)$/gm)];
    assert.deepEqual(counted.map((match) => `${match[1] ?? ''} ${match[2] ?? ''}`).sort(), [
      'event="answered" 1',
      'event="model_missing" 1',
      'event="retried" 1',
    ]);
  });

  it('are available on this machine only, and not through a proxy', async () => {
    await open();
    assert.equal((await read()).status, 200);
    for (const header of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Via']) {
      const response = await read({ [header]: '203.0.113.9' });
      const { code } = (await response.json()) as { code: string };
      assert.deepEqual([response.status, code], [403, 'forbidden'], header);
    }
  });

  it('are not available under another name, which a page of another site can lead to this machine', async () => {
    await open();
    const { port } = new URL(test.url);
    const statuses: Record<string, string | undefined> = {};
    for (const host of [
      'localhost',
      `localhost:${port}`,
      '[::1]',
      'evil.example',
      'localhost.evil',
    ]) {
      const { socket, closed } = await connectTo(test.url);
      socket.write(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      statuses[host] = (await closed).split(' ')[1];
    }
    assert.deepEqual(statuses, {
      ...{ localhost: '200', [`localhost:${port}`]: '200', '[::1]': '200' },
      ...{ 'evil.example': '403', 'localhost.evil': '403' },
    });
  });

  it('require the token if one is set, from any address', async () => {
    await open({ metrics: { token } });
    const bearer = (given: string) => ({ Authorization: `Bearer ${given}` });
    assert.equal((await read(bearer(token))).status, 200);
    const far = { ...bearer(token), 'X-Forwarded-For': '203.0.113.9' };
    assert.equal((await read(far)).status, 200);
    assert.equal((await read()).status, 401);
    assert.equal((await read(bearer(`${token}x`))).status, 401);
    assert.equal((await read(bearer(''))).status, 401);
  });

  it('can be turned off', async () => {
    await open({ metrics: { enabled: false } });
    assert.equal((await read()).status, 404);
  });

  it('are served even if a query of the database fails', async () => {
    await open();
    await test.app.db.write.schema.dropTable('outbox_deliveries');
    const response = await read();
    assert.equal(response.status, 200);
    assert.match(await response.text(), /^assistant_http_requests_in_flight 1$/m);
  });
});
