import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../platform/config/schema.js';
import { writeBeside } from '../../platform/give-to-owner.js';

/**
 * The last backup, in any folder, and the time of the last verification. Stored in a file beside the database, because
 * a backup only reads the database.
 */
const recordSchema = z.object({
  made: z.object({ file: z.string(), created_at: z.iso.datetime(), size: z.number() }).nullable(),
  verified: z.object({ sha256: z.string(), at: z.iso.datetime() }).nullable(),
});
export type BackupRecord = z.infer<typeof recordSchema>;

export function backupFolder(config: Pick<Config, 'database'>): string {
  return join(dirname(config.database.path), 'backups');
}

export async function recordBackup(
  config: Pick<Config, 'database'>,
  made: NonNullable<BackupRecord['made']>,
): Promise<void> {
  await write(config, { ...(await readBackupRecord(config)), made });
}

export async function recordVerification(
  config: Pick<Config, 'database'>,
  sha256: string,
  at: Date,
): Promise<void> {
  await write(config, {
    ...(await readBackupRecord(config)),
    verified: { sha256, at: at.toISOString() },
  });
}

function fileOf({ database }: Pick<Config, 'database'>): string {
  return `${database.path}.last-backup`;
}

export async function readBackupRecord(config: Pick<Config, 'database'>): Promise<BackupRecord> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(fileOf(config), 'utf8')));
  } catch {
    return { made: null, verified: null };
  }
}

/** If the file can't be written, the backup is still good. */
async function write(config: Pick<Config, 'database'>, record: BackupRecord): Promise<void> {
  await writeBeside(config.database.path, fileOf(config), `${JSON.stringify(record)}\n`);
}
