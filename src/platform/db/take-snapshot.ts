import { open, rm } from 'node:fs/promises';
import type { Dialect } from './dialect.js';

/**
 * Writes a consistent copy of a database to a new file that its owner alone may read, and checks that it is whole:
 * before a migration, and for each backup. Where it fails, or is stopped, it leaves nothing.
 */
export async function takeSnapshot(
  dialect: Pick<Dialect, 'copyTo' | 'checkCopy'>,
  file: string,
  copy: string,
  signal?: AbortSignal,
): Promise<void> {
  // Made empty first: SQLite would make it with the rights that the process happens to give, password hashes and all.
  await (await open(copy, 'wx', 0o600)).close();
  try {
    await dialect.copyTo(file, copy, signal);
    await dialect.checkCopy(copy);
    await flush(copy);
  } catch (error) {
    await removeSnapshot(copy);
    throw error;
  }
}

/** Takes a copy away, and what SQLite may have left beside one that was not finished. */
export async function removeSnapshot(copy: string): Promise<void> {
  await Promise.all(['', '-journal'].map((end) => rm(`${copy}${end}`, { force: true })));
}

/** Sends a file to the disk: a power cut after a change must not take the copy that was made for its sake. */
export async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
