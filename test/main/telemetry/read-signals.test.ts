import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readSignals, startTelemetry } from '../../../src/main/telemetry/start-telemetry.js';
import { createLog } from '../../../src/platform/log.js';
import { packageRoot } from '../../../src/platform/package-root.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('The bundle of OpenTelemetry', () => {
  it('loads without any package', async () => {
    const folder = await makeTemporaryFolder();
    try {
      const file = join(folder.path, 'telemetry.cjs');
      await cp(join(packageRoot(), 'dist/cli/telemetry.cjs'), file);
      const loaded = createRequire(file)(file) as object;
      assert.deepEqual(Object.keys(loaded), ['openTelemetry']);
    } finally {
      await folder.remove();
    }
  });
});

describe('The environment variables of OpenTelemetry', () => {
  const read = (env: Record<string, string>) => {
    const problems: string[] = [];
    return { ...readSignals(env, (problem) => problems.push(problem)), problems };
  };

  it('turn telemetry off if no collector is named or the SDK is disabled', () => {
    const nothing = { traces: undefined, metrics: undefined, problems: [] };
    assert.deepEqual(read({}), nothing);
    assert.deepEqual(read({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }), nothing);
    assert.deepEqual(read({ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }), nothing);
    assert.equal(startTelemetry(createLog({ level: 'silent', format: 'json' }), {}), undefined);
  });

  it('choose the signals and the protocol of each', () => {
    const protobuf = 'http/protobuf';
    const [both, own] = [
      read(endpoint),
      { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://m.example/x' },
    ];
    assert.deepEqual(both, { traces: protobuf, metrics: protobuf, problems: [] });
    assert.deepEqual(read(own), { traces: undefined, metrics: protobuf, problems: [] });
    const json = {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protobuf,
    };
    assert.deepEqual(read({ ...endpoint, ...json }), {
      traces: protobuf,
      metrics: 'http/json',
      problems: [],
    });
    const off = { OTEL_METRICS_EXPORTER: 'none' };
    assert.deepEqual(read({ ...endpoint, ...off }), {
      traces: protobuf,
      metrics: undefined,
      problems: [],
    });
  });

  it('are reported if they can’t be used, without an error', () => {
    const grpc = read({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    assert.deepEqual([grpc.traces, grpc.metrics, grpc.problems.length], [undefined, undefined, 2]);
    assert.match(
      grpc.problems[0] ?? '',
      /OTEL_EXPORTER_OTLP_PROTOCOL is grpc.* Set it to http\/protobuf or http\/json/,
    );
    const wrong = read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' });
    assert.match(wrong.problems[0] ?? '', /no http\(s\) address/);
  });
});
