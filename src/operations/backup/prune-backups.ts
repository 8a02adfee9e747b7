import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../platform/config/schema.js';
import { messageOf } from '../../platform/errors.js';
import type { Backup } from './create-backup.js';
import { listBackups, type ListedBackup } from './list-backups.js';
import { storedSum, sumFileOf } from './manifest.js';
import { sumOf } from './archive.js';

export interface Pruned {
  /** The deleted files, newest first. */
  removed: string[];
  /** The files that could not be deleted, with the reason. */
  failed: { file: string; reason: string }[];
}

/**
 * Deletes older backups beside the new one, so that `keep` remain including it. Counts and deletes only backups of the
 * same installation that match their checksum. Damaged backups, those of other installations or without a checksum, and
 * the copies made before migrations stay and do not count.
 */
export async function pruneBackups(
  config: Config,
  made: Backup,
  { keep, signal }: { keep: number; signal?: AbortSignal | undefined },
): Promise<Pruned> {
  const pruned: Pruned = { removed: [], failed: [] };
  let kept = 1;
  for (const one of await listBackups(config, dirname(made.file))) {
    if (one.file === made.file || !isOfSame(one, made)) continue;
    try {
      if (!(await isWhole(one.file, signal))) continue;
      if (kept < keep) {
        kept += 1;
        continue;
      }
      // Delete the archive first: without its checksum nobody could rely on the backup.
      await rm(one.file, { force: true });
      await rm(sumFileOf(one.file), { force: true });
      pruned.removed.push(one.file);
    } catch (error) {
      pruned.failed.push({ file: one.file, reason: messageOf(error) });
      if (signal?.aborted === true) break;
    }
  }
  return pruned;
}

function isOfSame({ manifest, createdAt }: ListedBackup, made: Backup): boolean {
  const { installation, created_at: madeAt } = made.manifest;
  return (
    installation !== undefined && manifest?.installation === installation && createdAt <= madeAt
  );
}

async function isWhole(file: string, signal: AbortSignal | undefined): Promise<boolean> {
  const stored = await storedSum(file);
  return stored !== undefined && stored === (await sumOf(file, { signal })).sha256;
}
