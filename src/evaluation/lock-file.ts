import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError, messageOf } from '../platform/errors.js';
import { hasEnded, numberOf, thisProcess } from '../platform/process-name.js';

/** How long another process is waited for, and how often it is looked whether it has ended, in milliseconds. */
const patienceMs = 10_000;
const lookMs = 25;

/**
 * Runs `work` while no other process does so for the same file. Beside it stands a file `<name>.lock` meanwhile, which
 * names the process; one that was left by a process that was killed is taken away. Refuses with `conflict` when the
 * other does not end, with `not_found` a folder that can't be written.
 */
export async function whileLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  // Whatever link the file is named by, its lock is the same one.
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

/** Taken aside first: of several who see the same dead lock one alone moves it, and nobody a living one for long. */
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

/** An empty one is just being written. */
function isDead(holder: string): boolean {
  return hasEnded(holder.split(' ')[1] ?? '');
}

function held(file: string, lock: string, holder: string | undefined): AppError {
  const [host = '', name = ''] = holder?.split(' ') ?? [];
  const who = host === '' ? 'Another process' : `Process ${numberOf(name)} of ${host}`;
  return new AppError(
    'conflict',
    `${who} is writing ${file}. Try again; if it runs no more, delete ${lock}.`,
  );
}
