import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const prefix = '.assistant-backup';

/**
 * Runs `work` with a new folder below another, that its owner alone may read, and removes it behind it. So does the
 * next one with what processes of this machine left there that were killed.
 */
export async function withScratchFolder<T>(
  parent: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await removeLeft(parent);
  const folder = join(parent, `${prefix}.${hostname()}.${process.pid}.${randomUUID()}`);
  await mkdir(folder, { mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeft(parent: string): Promise<void> {
  const own = `${prefix}.${hostname()}.`;
  for (const name of await readdir(parent)) {
    if (!name.startsWith(own)) continue;
    const pid = Number(name.slice(own.length).split('.')[0]);
    if (Number.isInteger(pid) && pid > 0 && hasEnded(pid)) {
      // In /tmp it may be another user's, who takes it away: that is no reason not to work.
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
