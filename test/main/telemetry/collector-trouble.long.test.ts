import assert from 'node:assert/strict';
import { startCollectorStandIn, type CollectorStandIn } from '../../support/collector-stand-in.js';
import { makeInitialized, type RunningCli, type TestInstallation } from '../../support/run-cli.js';

describe('A server with a failing telemetry collector', () => {
  let installation: TestInstallation;
  let collector: CollectorStandIn;
  let server: RunningCli;
  let url: string;
  let token: string;

  before(async () => {
    installation = await makeInitialized();
    const args = ['tokens', 'create', '--user', 'ada@acme.example', '--name', 'test'];
    ({ token } = await installation.json<{ token: string }>(args));
  });
  after(() => installation.remove());
  beforeEach(async () => (collector = await startCollectorStandIn()));
  afterEach(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
    await collector.stop();
  });

  const serve = async (env: Record<string, string>) => {
    server = installation.start(['serve', '--port', '0'], {
      ASSISTANT_LOG_LEVEL: 'info',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_METRIC_EXPORT_INTERVAL: '100',
      ...env,
    });
    url = (await server.until(/serves at (\S+)/))[1] ?? '';
  };
  const ask = async () => {
    const response = await fetch(`${url}/api/conversations/message`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        message: 'Hello',
        context: { url: 'https://docs.acme.example/', title: '' },
      }),
    });
    return response.status;
  };

  it('answers and shuts down while the collector never responds', async () => {
    collector.status = 0;
    await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    assert.equal(await ask(), 200);
    await collector.until(() => collector.bodies.length >= 2);
    assert.equal(await ask(), 200);
    server.child.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
    assert.ok(collector.bodies.length >= 2, 'the collector still holds them');
  });

  it('answers and shuts down while the collector is unreachable, and logs that once', async () => {
    await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_TIMEOUT: '50',
    });
    assert.equal(await ask(), 200);
    await server.until(/takes no traces/, 'stderr');
    await server.until(/takes no metrics/, 'stderr');
    for (let more = 0; more < 3; more++) assert.equal(await ask(), 200);
    server.child.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    assert.equal(code, 0);
    assert.equal(stderr.match(/takes no traces; they are dropped/g)?.length, 1);
    assert.match(stderr, /"reason":"[^"]*ECONNREFUSED/);
  });

  it('logs when the collector accepts data again', async () => {
    collector.status = 400;
    await serve({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/v1/metrics` });
    await server.until(/takes no metrics/, 'stderr');
    collector.status = 200;
    await server.until(/takes metrics again/, 'stderr');
    assert.equal(await ask(), 200);
    assert.ok(
      collector.headers.every((headers) => headers['content-type'] === 'application/x-protobuf'),
    );
  });

  it('sends protobuf by default', async () => {
    await serve({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` });
    assert.equal(await ask(), 200);
    await collector.until(() => collector.bodies.some((body) => body.includes('question')));
    assert.equal(collector.headers[0]?.['content-type'], 'application/x-protobuf');
    assert.ok(!collector.bodies.some((body) => body.includes('assistant_http')), 'no metrics');
  });
});
