import { open, rm } from 'node:fs/promises';
import type { DatabaseFiles } from './dialect.js';
import { giveToOwner } from '../give-to-owner.js';

/**
 * Writes a consistent, verified copy of a database to a new file that only its owner may read: before a migration, and
 * for each backup. A failed or stopped copy leaves no file.
 */
export async function takeSnapshot(
  files: DatabaseFiles,
  file: string,
  copy: string,
  signal?: AbortSignal,
): Promise<void> {
  // Create the file first. SQLite would create it with the process's default mode, and it contains password hashes.
  await (await open(copy, 'wx', 0o600)).close();
  try {
    await files.copyTo(file, copy, signal);
    await files.checkCopy(copy);
    await flush(copy);
    await giveToOwner(file, copy);
  } catch (error) {
    await removeSnapshot(copy);
    throw error;
  }
}

/** Deletes a copy, and the files that SQLite may leave beside an unfinished one. */
export async function removeSnapshot(copy: string): Promise<void> {
  await Promise.all(['', '-journal'].map((end) => rm(`${copy}${end}`, { force: true })));
}

/** Flushes a file to the disk: a power cut after a change must not destroy the copy made before it. */
export async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
