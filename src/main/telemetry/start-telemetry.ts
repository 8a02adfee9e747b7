import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Logger } from '../../platform/log.js';
import { packageRoot, packageVersion } from '../../platform/package-root.js';
import { parseUrl } from '../../platform/text/parse-url.js';
import { protocols, type Protocol, type Signals, type Telemetry } from './telemetry.js';

type Env = Record<string, string | undefined>;

/**
 * Starts to send traces and metrics if the standard variables name a collector, e.g. OTEL_EXPORTER_OTLP_ENDPOINT.
 * Undefined without one; then nothing of OpenTelemetry is loaded. A wrong variable is a warning: the service matters
 * more than its traces.
 */
export function startTelemetry(log: Logger, env: Env = process.env): Telemetry | undefined {
  const signals = readSignals(env, (problem) => log.warn(problem));
  if (signals.traces === undefined && signals.metrics === undefined) return undefined;
  // The build writes the used part of OpenTelemetry: 0.13 MB, where the packages take 28 MB.
  const file = join(packageRoot(), 'dist/cli/telemetry.cjs');
  if (!existsSync(file)) {
    log.warn(`${file} is missing, so no traces and metrics are sent. Make it with: npm run build`);
    return undefined;
  }
  const load = createRequire(import.meta.url);
  const { openTelemetry } = load(file) as typeof import('./open-telemetry.js');
  return openTelemetry(signals, { log, version: packageVersion() });
}

/** Reads the standard variables. A signal with a variable that can't be used is not sent, and `warn` gets the reason. */
export function readSignals(env: Env, warn: (problem: string) => void): Signals {
  const set = (name: string) => env[name]?.trim() || undefined;
  const read = (signal: 'TRACES' | 'METRICS'): Protocol | undefined => {
    const names = [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT'];
    const name = names.find((one) => set(one) !== undefined);
    if (name === undefined || set('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
    if (set(`OTEL_${signal}_EXPORTER`) === 'none') return undefined;
    const what = signal.toLowerCase();
    if (!/^https?:$/.test(parseUrl(set(name) ?? '')?.protocol ?? '')) {
      warn(
        `${name} is no http(s) address, so no ${what} are sent. Set it to e.g. http://localhost:4318.`,
      );
      return undefined;
    }
    const ways = [`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, 'OTEL_EXPORTER_OTLP_PROTOCOL'];
    const way = ways.find((one) => set(one) !== undefined);
    const given = way === undefined ? 'http/protobuf' : set(way);
    const protocol = protocols.find((one) => one === given);
    if (protocol === undefined) {
      warn(
        `${way ?? ''} is ${given ?? ''}, so no ${what} are sent. Set it to ${protocols.join(' or ')}.`,
      );
    }
    return protocol;
  };
  return { traces: read('TRACES'), metrics: read('METRICS') };
}
