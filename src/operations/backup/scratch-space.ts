import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../platform/errors.js';
import { hasEnded, thisProcess } from '../../platform/process-name.js';

/** In bytes: space that must stay free, because a full disk stops the server too. */
export const reserve = 16 * 1024 ** 2;

/** Errors: `no_space` when a folder's disk has less space than that. */
export async function checkSpace(folder: string, bytes: number, what: string): Promise<void> {
  const free = await freeSpace(folder);
  if (free >= bytes + reserve) return;
  throw new AppError(
    'no_space',
    `${what} needs ${sizeText(bytes + reserve)} in ${folder}, where ${sizeText(free)} are free. Free some space, or use a folder on a larger disk.`,
  );
}

/** The free bytes of a folder's disk that this user may fill. */
export async function freeSpace(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export function sizeText(bytes: number): string {
  if (bytes < 1024 ** 2) return `${Math.ceil(bytes / 1024)} kB`;
  if (bytes < 1024 ** 3) return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}

const prefix = '.assistant-backup';

/**
 * Runs `work` with a new subfolder that only its owner may read, and deletes it afterwards. Also deletes subfolders
 * that killed processes of this machine left there.
 */
export async function withScratchFolder<T>(
  parent: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await removeLeft(parent);
  const folder = join(parent, `${prefix}.${thisProcess}.${randomUUID()}`);
  await mkdir(folder, { mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeft(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name.startsWith(`${prefix}.`) && hasEnded(name.split('.')[2] ?? '')) {
      // In /tmp it may belong to another user. That is no reason to fail.
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
