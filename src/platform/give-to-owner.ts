import { lchown, stat } from 'node:fs/promises';
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
