import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasEnded, isOfThisMachine, isSuspended, thisProcess } from './process-name.js';

/** A server or a worker on a database, as its file beside the database describes it. */
export interface RunningProcess {
  command: 'serve' | 'worker';
  pid: number;
  /** The address at which a server listens; null for a worker. */
  url: string | null;
  /** The version of the program that runs, which may be older than the installed one. */
  version: string;
  startedAt: string;
  /** Its last sign of life. */
  seenAt: string;
  /** False when it is suspended, or has given no sign of life for a while. */
  responds: boolean;
}

const beatMs = 5000;
/** Longer than a busy process needs between two signs of life. */
const silentMs = 60_000;

type Announced = Pick<RunningProcess, 'command' | 'url' | 'version'>;

/**
 * Registers this process in a file beside the database, and updates the file's time as a sign of life. Removes the
 * files of processes that have ended. Returns a function that removes the file. Throws when the file can't be written.
 */
export function announceProcess(database: string, about: Announced, now: Date): () => void {
  for (const name of filesOf(database)) {
    if (readProcess(database, name, now) === undefined) rmSync(name, { force: true });
  }
  const file = `${database}${infix}${thisProcess}`;
  const content = { ...about, pid: process.pid, startedAt: now.toISOString() };
  // The folder's mode protects it; it holds no secret.
  writeFileSync(file, JSON.stringify(content), { mode: 0o644 });
  const beat = setInterval(() => {
    const at = new Date();
    // When the file is gone or the disk is read-only, the process is only reported as silent.
    utimes(file, at, at).catch(() => undefined);
  }, beatMs);
  beat.unref();
  return () => {
    clearInterval(beat);
    rmSync(file, { force: true });
  };
}

/** The servers of a database, then its workers, the oldest first. Omits those that have ended. */
export function listProcesses(database: string, now: Date): RunningProcess[] {
  const found = filesOf(database).map((file) => readProcess(database, file, now));
  return found
    .filter((one) => one !== undefined)
    .sort((a, b) => `${a.command}${a.startedAt}`.localeCompare(`${b.command}${b.startedAt}`));
}

/**
 * The same processes; a server that takes a request and does not answer it within `patienceMs` does not respond. One
 * that answers does respond, even if its last sign of life seems old: the clock may just have been set.
 */
export function askServers(
  processes: readonly RunningProcess[],
  patienceMs: number,
): Promise<RunningProcess[]> {
  return Promise.all(
    processes.map(async (one) => {
      if (one.url === null || one.pid === process.pid) return one;
      return { ...one, responds: (await answers(one.url, patienceMs)) ?? one.responds };
    }),
  );
}

/**
 * Undefined for a refused connection, which proves nothing: the server may stop at this moment, or listen in another
 * container.
 */
async function answers(url: string, patienceMs: number): Promise<boolean | undefined> {
  const { get } = await import('node:http');
  const signal = AbortSignal.timeout(patienceMs);
  return new Promise((resolve) => {
    const asked = get(new URL('/health/live', url), { signal, agent: false });
    asked.once('response', (response) => {
      response.resume();
      resolve(true);
    });
    asked.once('error', () => resolve(signal.aborted ? false : undefined));
  });
}

const infix = '.process-';

function filesOf(database: string): string[] {
  const folder = dirname(database);
  try {
    const names = readdirSync(folder);
    return names
      .filter((name) => name.startsWith(`${basename(database)}${infix}`))
      .map((name) => join(folder, name));
  } catch {
    // Without the folder, or the right to read it, no process is known.
    return [];
  }
}

/** Undefined for a process that has ended, and for a file that is not complete. */
function readProcess(database: string, file: string, now: Date): RunningProcess | undefined {
  const name = file.slice(dirname(file).length + 1 + basename(database).length + infix.length);
  if (hasEnded(name)) return undefined;
  try {
    const seen = statSync(file).mtime;
    const isFresh = now.getTime() - seen.getTime() < silentMs;
    // For other machines, containers and earlier boots, nothing else is known.
    if (!isFresh && !isOfThisMachine(name)) return undefined;
    const responds = isFresh && !isSuspended(name);
    const content = JSON.parse(readFileSync(file, 'utf8')) as RunningProcess;
    return { ...content, seenAt: seen.toISOString(), responds };
  } catch {
    return undefined;
  }
}
