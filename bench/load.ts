import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type autocannon from 'autocannon';
import type { Row } from './measure.js';

const run = promisify(execFile);

export const connections = 8;
export const seconds = 6;
const warmUpSeconds = 2;

/** What a route did under load. Latencies in milliseconds. */
export interface Load {
  route: string;
  perSecond: number;
  p50: number;
  p99: number;
  failed: number;
}

/** Sends requests in rotation over a few connections, from a process of its own. */
export async function load(
  route: string,
  url: string,
  requests: autocannon.Request[],
): Promise<Load> {
  const program = fileURLToPath(new URL('./generate-load.js', import.meta.url));
  const options: autocannon.Options = { url, requests, connections, duration: seconds };
  const { stdout } = await run(process.execPath, [
    program,
    JSON.stringify(options),
    String(warmUpSeconds),
  ]);
  return { route, ...(JSON.parse(stdout) as Omit<Load, 'route'>) };
}

/** A row of a table: `base` is what the bare route did per second. */
export function rowOf({ route, perSecond, p50, p99, failed }: Load, base: number): Row {
  return {
    route,
    'requests/s': Math.round(perSecond),
    'of bare': Number((perSecond / base).toPrecision(2)),
    p50,
    p99,
    failed,
  };
}
