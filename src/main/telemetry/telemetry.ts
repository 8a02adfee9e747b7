import type { Tracing } from '../../platform/tracing.js';
import type { Metrics } from '../metrics.js';

/** Sends traces and metrics to a collector of OpenTelemetry. */
export interface Telemetry {
  tracing: Tracing;
  /** Sends these metrics at intervals, until stopped. */
  sendMetrics(metrics: Pick<Metrics, 'read'>): void;
  /** Sends the rest, for three seconds at most. Never rejects. */
  stop(): Promise<void>;
}

export const protocols = ['http/protobuf', 'http/json'] as const;
export type Protocol = (typeof protocols)[number];

/** The protocol of each signal; undefined for one that is not sent. */
export interface Signals {
  traces: Protocol | undefined;
  metrics: Protocol | undefined;
}
