import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../platform/config/schema.js';
import { messageOf } from '../../platform/errors.js';
import type { Backup } from './create-backup.js';
import { listBackups, type ListedBackup } from './list-backups.js';
import { storedSum, sumFileOf } from './manifest.js';
import { sumOf } from './archive.js';

export interface Pruned {
  /** The files that were removed, newest first. */
  removed: string[];
  /** Those that should have been, and why they could not be. */
  failed: { file: string; reason: string }[];
}

/**
 * Removes the older backups beside the one just made, so that `keep` are left with it. Only what is surely its own
 * counts and goes: backups of the same installation that still are what their checksum says. A damaged one, one of
 * another installation, one whose checksum was lost, and the copies made before migrations stay, and count for nothing.
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
      // The archive first: without its checksum it would be no backup that anybody could be sure of.
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
