import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../src/platform/package-root.js';

/** A server in a process of its own, so that whoever loads it does not share its thread. */
export interface ServerProcess {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** The real program, serving a database that is there already; `settings` as environment variables. */
export function startServerProcess(
  databasePath: string,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const program = join(packageRoot(), 'bin', 'assistant.js');
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ASSISTANT_DATABASE_PATH: databasePath,
      ASSISTANT_LOG_LEVEL: 'error',
      ASSISTANT_ANSWERS_MODE: 'extractive',
      ASSISTANT_INGESTION_ENTRIES: 'sections',
      // One client is all the load there is: what it may do is not what is measured.
      ASSISTANT_LIMITS_ADDRESS_PER_MINUTE: '0',
      ASSISTANT_LIMITS_USER_PER_MINUTE: '0',
      ASSISTANT_LIMITS_MESSAGES_PER_MINUTE: '0',
      ASSISTANT_LIMITS_KEY_PER_MINUTE: '0',
      ...settings,
    },
  });
  return untilServing(child);
}

/** The least that Koa can do. */
export function startBareKoa(): Promise<ServerProcess> {
  const program = fileURLToPath(new URL('./bare-koa.js', import.meta.url));
  return untilServing(fork(program, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }));
}

/** A documentation site of 2,000 pages, which shows what has changed in one of the ways of documentation-site.ts. */
export function startDocumentationSite(kind: string): Promise<ServerProcess> {
  const program = fileURLToPath(new URL('./documentation-site.js', import.meta.url));
  return untilServing(fork(program, [kind], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }));
}

/** Waits for the line of JSON in which a server says where it is. */
async function untilServing(
  child: ChildProcess & { stdout: Readable | null; stderr: Readable | null },
): Promise<ServerProcess> {
  const { pid, stdout, stderr } = child;
  if (pid === undefined || stdout === null || stderr === null)
    throw new Error('no process could be started');
  const complaints = text(stderr);
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: stdout })) {
    const { url } = JSON.parse(line) as { url: string };
    return {
      url,
      pid,
      async stop() {
        child.kill('SIGTERM');
        await exited;
      },
    };
  }
  throw new Error(`the server ended before it served: ${await complaints}`);
}

/** CPU time of a process with all its threads so far; NaN where the system does not tell. */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // In hundredths of a second: USER_HZ is 100 on every Linux that Node runs on.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
