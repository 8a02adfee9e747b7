import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies the host, the boot and the PID namespace. A PID is only unique within one of these. */
const place = createHash('sha256')
  .update(JSON.stringify([hostname(), bootOfMachine(), numberSpace()]))
  .digest('hex')
  .slice(0, 12);

/** A unique name of this process across machines and restarts: PID, start time and place, in letters, digits and hyphens. */
export const thisProcess = `${process.pid}-${startOf(process.pid)}-${place}`;

/** True when the named process has certainly ended. False for processes of another host or an earlier boot. */
export function hasEnded(name: string): boolean {
  const [pid = '', start = ''] = name.split('-');
  if (!isOfThisMachine(name) || !/^[1-9]\d*$/.test(pid) || name === thisProcess) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  // The PID is in use: by this process, or by a later one. Without /proc both look the same.
  const now = startOf(Number(pid));
  return now !== '' && now !== start;
}

/** True for a name of this machine, boot and container: only such a process can be looked for. */
export function isOfThisMachine(name: string): boolean {
  return name.split('-')[2] === place;
}

/** The PID in a name. */
export function numberOf(name: string): string {
  return name.split('-')[0] ?? '';
}

function bootOfMachine(): string {
  return read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
}

function numberSpace(): string {
  return read(() => readlinkSync('/proc/self/ns/pid'));
}

/** True while a process of this machine is suspended, such as by SIGSTOP. */
export function isSuspended(name: string): boolean {
  return isOfThisMachine(name) && statOf(Number(numberOf(name)))[0] === 'T';
}

/** Start time in clock ticks since boot. */
function startOf(pid: number): string {
  return statOf(pid)[19] ?? '';
}

/** /proc/<pid>/stat from its third field on: the second one, the program's name, may contain blanks. */
function statOf(pid: number): string[] {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Empty on systems without such a file, such as macOS. */
function read(source: () => string): string {
  try {
    return source();
  } catch {
    return '';
  }
}
