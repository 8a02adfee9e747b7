import { lchown, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Gives a file that root made to the owner of the database, as SQLite does with its own files. Without it, the service
 * could not read the key or the backups that an admin made by sudo. Only in folders of that owner: nobody else may get a
 * copy of the database. A file system without owners is no failure.
 */
export async function giveToOwner(database: string, ...files: string[]): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(database).catch(() => ({ uid: 0, gid: 0 }));
  if (uid === 0) return;
  for (const file of files) {
    const folder = await stat(dirname(file)).catch(() => undefined);
    if (folder?.uid === uid) await lchown(file, uid, gid).catch(() => undefined);
  }
}

/**
 * Writes a small file beside the database, for its owner alone. A link in its place is replaced, not followed: root may
 * run a command in a folder of the service's user. If the file can't be written, it stays as it was.
 */
export async function writeBeside(database: string, file: string, text: string): Promise<void> {
  const fresh = `${file}.${process.pid}`;
  try {
    await rm(fresh, { force: true });
    await writeFile(fresh, text, { mode: 0o600, flag: 'wx' });
    await giveToOwner(database, fresh);
    await rename(fresh, file);
  } catch {
    await rm(fresh, { force: true }).catch(() => undefined);
  }
}
