import assert from 'node:assert/strict';
import { migrations } from '../../src/platform/db/migrations.js';
import { callApi } from '../support/api-client.js';
import { startOllamaStandIn } from '../support/ollama-stand-in.js';
import { addOrganization, addUser, serveTestApp, type TestApp } from '../support/test-app.js';

interface HealthBody {
  status: string;
  checks: { server: string; database: string; model: string };
}

describe('The server, by its health checks', () => {
  let test: TestApp & { url: string };

  const ready = () => callApi<HealthBody>(`${test.url}/health/ready`);

  afterEach(() => test.close());

  it('is live and ready without a model, which it reports as not available', async () => {
    test = await serveTestApp();
    assert.deepEqual((await callApi(`${test.url}/health/live`)).body, { status: 'live' });
    const { status, body } = await ready();
    assert.equal(status, 200);
    assert.deepEqual(body, {
      status: 'ready',
      checks: { server: 'ok', database: 'ok', model: 'not available' },
    });
  });

  it('reports an available model as ok', async () => {
    const ollama = await startOllamaStandIn();
    test = await serveTestApp({ ollama: { url: ollama.url } });
    assert.equal((await ready()).body.checks.model, 'ok');
    await ollama.stop();
  });

  it('is not ready while migrations are pending', async () => {
    test = await serveTestApp();
    const [last] = migrations(test.app.db.dialect).slice(-1);
    await test.app.db.write('schema_migrations').where({ name: last?.name }).delete();
    const { status, body } = await ready();
    assert.deepEqual([status, body.checks.database], [503, 'migrations are pending']);
  });

  it('is live but not ready without its database, and its errors reveal no internals', async () => {
    test = await serveTestApp();
    const { token } = await addUser(test, await addOrganization(test), 'user');
    await test.app.db.close();
    const { status, body } = await ready();
    assert.deepEqual(
      [status, body],
      [
        503,
        {
          status: 'not_ready',
          checks: { server: 'ok', database: 'does not answer', model: 'not available' },
        },
      ],
    );
    assert.equal((await callApi(`${test.url}/health/live`)).status, 200);
    const calls = [
      await callApi(`${test.url}/api/conversations`, { token }),
      await callApi(`${test.url}/api/knowledge/page?url=https://acme.example/`),
      await callApi(`${test.url}/api/auth/login`, { body: { email: 'a', password: 'b' } }),
    ];
    for (const reply of calls) {
      assert.equal(reply.status, 500);
      const { request_id: id, ...problem } = reply.body;
      assert.match(id, /^[0-9a-f-]{36}$/);
      assert.deepEqual(problem, {
        type: 'urn:assistant:problem:internal',
        title: 'internal',
        status: 500,
        detail: 'Something went wrong on the server. Its log has the reason.',
        code: 'internal',
      });
    }
  });
});
