import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type autocannon from 'autocannon';
import type { Row } from './measure.js';
import { cpuMsOf, type ServerProcess } from './server-process.js';

const run = promisify(execFile);

export const connections = 8;
export const seconds = 6;
const warmUpSeconds = 2;

/** What a route did under load. Latencies in milliseconds. */
export interface Load {
  route: string;
  perSecond: number;
  /** Microseconds of the server's CPU for each request; NaN where the system does not tell. */
  cpu: number;
  p50: number;
  p99: number;
  failed: number;
}

/** Sends requests in rotation over a few connections, from processes of their own. */
export async function load(
  route: string,
  { url, pid }: ServerProcess,
  requests: autocannon.Request[],
): Promise<Load> {
  const program = fileURLToPath(new URL('./generate-load.js', import.meta.url));
  const generate = async (duration: number) => {
    const options: autocannon.Options = { url, requests, connections, duration };
    const { stdout } = await run(process.execPath, [program, JSON.stringify(options)]);
    return JSON.parse(stdout) as Omit<Load, 'route' | 'cpu'> & { sent: number };
  };
  await generate(warmUpSeconds);
  const before = await cpuMsOf(pid);
  const { sent, ...told } = await generate(seconds);
  const cpuMs = (await cpuMsOf(pid)) - before;
  return { route, cpu: (cpuMs * 1000) / sent, ...told };
}

/** A row of a table. `bare` is what the bare route did, before and after. */
export function rowOf({ route, perSecond, cpu, p50, p99, failed }: Load, bare: Load[]): Row {
  const of = (value: (one: Load) => number) =>
    bare.reduce((sum, one) => sum + value(one), 0) / bare.length;
  return {
    route,
    'requests/s': Math.round(perSecond),
    'of bare': Number((perSecond / of((one) => one.perSecond)).toPrecision(2)),
    'CPU µs': Math.round(cpu),
    'bare of that': Number((of((one) => one.cpu) / cpu).toPrecision(2)),
    p50,
    p99,
    failed,
  };
}
