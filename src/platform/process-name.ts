import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Host, start of the machine and space of process numbers: only within one place a number names a process. */
const place = createHash('sha256')
  .update(JSON.stringify([hostname(), bootOfMachine(), numberSpace()]))
  .digest('hex')
  .slice(0, 12);

/**
 * A name for this process that no other process gets, on this machine or another: its number, its start, and where
 * both hold, as letters, digits and hyphens.
 */
export const thisProcess = `${process.pid}-${startOf(process.pid)}-${place}`;

/** Whether the process of that name has ended for certain. Of another host, or of before a restart, nobody knows. */
export function hasEnded(name: string): boolean {
  const [pid = '', start = '', where] = name.split('-');
  if (where !== place || !/^[1-9]\d*$/.test(pid) || name === thisProcess) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  // It runs, or another process has got its number since: nobody knows where the system does not tell the start.
  const now = startOf(Number(pid));
  return now !== '' && now !== start;
}

/** The number of a process, by its name. */
export function numberOf(name: string): string {
  return name.split('-')[0] ?? '';
}

function bootOfMachine(): string {
  return read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
}

function numberSpace(): string {
  return read(() => readlinkSync('/proc/self/ns/pid'));
}

/** In clock ticks since the machine's start: the 22nd field of /proc/<pid>/stat. Its second one may hold anything. */
function startOf(pid: number): string {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Empty where the system has no such file, as on macOS: then the rest of the name has to do. */
function read(source: () => string): string {
  try {
    return source();
  } catch {
    return '';
  }
}
