import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sampleMs = 50;

export interface PeakMemory {
  /** Megabytes (2^20 bytes) of the process with its threads, the most since it started, or since it is watched. */
  soFar(): Promise<number>;
  stop(): void;
}

/** Watches a process's resident memory: the kernel's own high-water mark on Linux, else samples of `ps`. */
export function watchMemory(pid: number): PeakMemory {
  const status = `/proc/${pid}/status`;
  if (existsSync(status)) {
    return {
      async soFar() {
        const kilobytes = /VmHWM:\s+(\d+) kB/.exec(await readFile(status, 'utf8'))?.[1];
        return Math.round(Number(kilobytes) / 1024);
      },
      stop: () => undefined,
    };
  }
  let most = 0;
  const stopped = new AbortController();
  const sample = async () => {
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
    most = Math.max(most, Math.round(Number(stdout) / 1024));
  };
  const watch = async () => {
    while (!stopped.signal.aborted) {
      // A process that has ended has no memory to sample; whoever watches it stops soon.
      await sample().catch(() => undefined);
      await wait(sampleMs);
    }
  };
  void watch();
  return {
    async soFar() {
      await sample();
      return most;
    },
    stop: () => stopped.abort(),
  };
}
