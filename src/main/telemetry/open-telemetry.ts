import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../../platform/log.js';
import { noTracing, type Tracing } from '../../platform/tracing.js';
import { openCollectorConnection } from './collector-connection.js';
import { createRegistryProducer } from './registry-producer.js';
import { createTracing } from './sdk-tracing.js';
import type { Protocol, Signals, Telemetry } from './telemetry.js';

/** The most time that sending the rest at the end takes, in milliseconds. */
const flushMs = 3000;

/**
 * Opens the standard SDK. It reads its other variables itself: addresses, headers, certificates, time limits, sizes of
 * queues, the sampler. Nothing is registered globally, so no package adds spans of its own.
 */
export function openTelemetry(
  signals: Signals,
  { log, version }: { log: Logger; version: string },
): Telemetry {
  const resource = describeProcess(version);
  const ends: { shutdown(): Promise<void>; close(): void }[] = [];

  function openTracing(protocol: Protocol): Tracing {
    const connection = openCollectorConnection('TRACES', log);
    const Exporter = protocol === 'http/json' ? JsonTraceExporter : OTLPTraceExporter;
    const exporter = connection.watch(new Exporter({ httpAgentOptions: connection.agentFor }));
    const spanProcessors = [new BatchSpanProcessor(exporter)];
    const provider = new BasicTracerProvider({ resource, spanProcessors });
    ends.push({ shutdown: () => provider.shutdown(), close: () => connection.close() });
    return createTracing(provider.getTracer('assistant', version));
  }

  return {
    tracing: signals.traces === undefined ? noTracing : openTracing(signals.traces),
    sendMetrics(metrics) {
      if (signals.metrics === undefined) return;
      const connection = openCollectorConnection('METRICS', log);
      const Exporter = signals.metrics === 'http/json' ? JsonMetricExporter : OTLPMetricExporter;
      const exporter = connection.watch(new Exporter({ httpAgentOptions: connection.agentFor }));
      const metricProducers = [createRegistryProducer(metrics, version)];
      const reader = new PeriodicExportingMetricReader({
        exporter,
        metricProducers,
        ...intervals(process.env),
      });
      const provider = new MeterProvider({ resource, readers: [reader] });
      ends.push({ shutdown: () => provider.shutdown(), close: () => connection.close() });
    },
    async stop() {
      const time = new AbortController();
      const patience = wait(flushMs, undefined, time).catch(() => undefined);
      await Promise.race([Promise.allSettled(ends.map((end) => end.shutdown())), patience]);
      time.abort();
      ends.forEach((end) => end.close());
    },
  };
}

/** OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before our own names. */
function describeProcess(version: string): Resource {
  const own = {
    'service.name': 'assistant',
    'service.version': version,
    // Metrics of two processes of one installation are different series.
    'service.instance.id': randomUUID(),
  };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
}

/** The standard variables for metrics, in milliseconds; the SDK for Node reads them in a package that is not used here. */
function intervals(env: NodeJS.ProcessEnv) {
  const read = (name: string, usual: number) => {
    const value = Number(env[name]);
    return Number.isInteger(value) && value > 0 ? value : usual;
  };
  const exportIntervalMillis = read('OTEL_METRIC_EXPORT_INTERVAL', 60_000);
  const timeout = read('OTEL_METRIC_EXPORT_TIMEOUT', 30_000);
  return { exportIntervalMillis, exportTimeoutMillis: Math.min(timeout, exportIntervalMillis) };
}
