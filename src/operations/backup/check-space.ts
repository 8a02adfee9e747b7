import { statfs } from 'node:fs/promises';
import { AppError } from '../../platform/errors.js';

/** Room that is left free besides: a full disk stops the server too. In bytes. */
const reserve = 16 * 1024 ** 2;

/** Refuses with `no_space` where a folder's disk has too little room for so many bytes. */
export async function checkSpace(folder: string, bytes: number, what: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes + reserve) return;
  throw new AppError(
    'no_space',
    `${what} needs ${sizeText(bytes + reserve)} in ${folder}, where ${sizeText(free)} are free. Free some space, or use a folder on a larger disk.`,
  );
}

export function sizeText(bytes: number): string {
  if (bytes < 1024 ** 2) return `${Math.ceil(bytes / 1024)} kB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
