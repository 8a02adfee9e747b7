import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCollectorStandIn, type CollectorStandIn } from '../../support/collector-stand-in.js';
import { makeInitialized, type TestInstallation } from '../../support/run-cli.js';
import { sampleManual } from '../../support/sample-manual.js';

describe('The telemetry of a worker', () => {
  let installation: TestInstallation;
  let collector: CollectorStandIn;
  before(async () => {
    installation = await makeInitialized();
    collector = await startCollectorStandIn();
  });
  after(async () => {
    await installation.remove();
    await collector.stop();
  });

  it('has the traces and metrics of its work, even with --once', async () => {
    await writeFile(join(installation.folder, 'manual.pdf'), await sampleManual(3, 'bongo'));
    const upload = ['ingest', 'manual.pdf', '--domain', 'docs.acme.example', '--no-wait'];
    assert.equal((await installation.run(upload)).code, 0);
    const { code, stdout } = await installation.run(['worker', '--once'], {
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      },
    });
    assert.equal(code, 0, stdout);
    const names = collector.spans.map(({ name }) => name);
    for (const name of ['ingestion', 'ingestion.read', 'ingestion.layout', 'ingestion.store']) {
      assert.ok(names.includes(name), name);
    }
    const batches = collector.metrics.get('assistant_ingestion_batches')?.points;
    assert.deepEqual(batches, [{ attributes: { status: 'completed' }, value: 1 }]);
  });

  it('is not sent by other commands', async () => {
    const before = collector.bodies.length;
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    assert.equal((await installation.run(['keys', 'list'], { env })).code, 0);
    assert.equal(collector.bodies.length, before);
  });
});
