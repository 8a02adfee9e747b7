import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { convertLegacyHttpOptions } from '@opentelemetry/otlp-exporter-base/node-http';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/log.js';

interface Exporter {
  export(batch: never, done: (result: ExportResult) => void): void;
}

/** The connection of one signal to its collector. */
export interface CollectorConnection {
  /** For an exporter's `httpAgentOptions`. */
  agentFor: (protocol: string) => Promise<HttpAgent | HttpsAgent>;
  /** Logs when the collector stops to take data, and when it takes data again: once, and not for each batch. */
  watch<T extends Exporter>(exporter: T): T;
  /** Aborts pending requests. A collector that does not answer must not keep the process alive. */
  close(): void;
}

export function openCollectorConnection(
  signal: 'TRACES' | 'METRICS',
  log: Logger,
): CollectorConnection {
  const what = signal.toLowerCase();
  // With the certificates that the standard variables name.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the exporters themselves read the variables by it, and nothing else does
  const { agentFactory } = convertLegacyHttpOptions({}, signal, `v1/${what}`, {});
  const agents: (HttpAgent | HttpsAgent)[] = [];
  let isFailing = false;
  let isClosed = false;

  const note = ({ code, error }: ExportResult) => {
    const hasFailed = code === ExportResultCode.FAILED;
    if (hasFailed === isFailing || isClosed) return;
    isFailing = hasFailed;
    if (!hasFailed) log.info(`the OpenTelemetry collector takes ${what} again`);
    else {
      const reason = error === undefined ? 'no reason was given' : messageOf(error);
      log.warn({ reason }, `the OpenTelemetry collector takes no ${what}; they are dropped`);
    }
  };

  return {
    async agentFor(protocol) {
      const agent = await agentFactory(protocol);
      agents.push(agent);
      return agent;
    },
    watch(exporter) {
      const send = exporter.export.bind(exporter);
      exporter.export = (batch, done) =>
        send(batch, (result) => {
          note(result);
          done(result);
        });
      return exporter;
    },
    close() {
      isClosed = true;
      for (const agent of agents) {
        agent.destroy();
        // Fail for good: the error has no code that makes the exporter retry.
        Object.assign(agent, {
          createConnection() {
            throw new Error('The process is ending.');
          },
        });
      }
    },
  };
}
