import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError, messageOf } from '../platform/errors.js';
import { hasEnded, numberOf, thisProcess } from '../platform/process-name.js';

/** In milliseconds: how long to wait for another process, and how often to check whether it has ended. */
const patienceMs = 10_000;
const lookMs = 25;

/**
 * Runs `work` while no other process does so for the same file. Meanwhile a file `<name>.lock` beside it names the
 * process; one of a killed process is removed. Errors: `conflict` when the other process does not end; `not_found` for
 * an unwritable folder.
 */
export async function whileLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  // All links to the file share one lock.
  const lock = `${await realpath(file).catch(() => file)}.lock`;
  const own = `${hostname()} ${thisProcess} ${randomUUID()}`;
  const until = performance.now() + patienceMs;
  while (!(await take(lock, own))) {
    const holder = await contentOf(lock);
    if (holder !== undefined && isDead(holder)) {
      await breakLock(lock, holder);
      continue;
    }
    if (performance.now() > until) throw held(file, lock, holder);
    await wait(lookMs);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string, own: string): Promise<boolean> {
  try {
    await writeFile(lock, own, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new AppError('not_found', `${lock} can't be written (${messageOf(error)}).`);
  }
}

/** Renames the lock first, so that only one process breaks a dead lock. A live one is renamed back at once. */
async function breakLock(lock: string, dead: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
  } catch {
    return;
  }
  const moved = await contentOf(aside);
  if (moved === dead) await rm(aside, { force: true });
  else await rename(aside, lock);
}

async function contentOf(lock: string): Promise<string | undefined> {
  return readFile(lock, 'utf8').catch(() => undefined);
}

/** An empty lock is just being written. */
function isDead(holder: string): boolean {
  return hasEnded(holder.split(' ')[1] ?? '');
}

function held(file: string, lock: string, holder: string | undefined): AppError {
  const [host = '', name = ''] = holder?.split(' ') ?? [];
  const who = host === '' ? 'Another process' : `Process ${numberOf(name)} of ${host}`;
  return new AppError(
    'conflict',
    `${who} is writing ${file}. Try again later; if that process has ended, delete ${lock}.`,
  );
}
