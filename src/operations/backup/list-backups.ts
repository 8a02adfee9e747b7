import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../../platform/config/schema.js';
import { AppError, codeOf, messageOf } from '../../platform/errors.js';
import { backupFolder, readBackupRecord, type BackupRecord } from './backup-record.js';
import { storedSum, type Manifest } from './manifest.js';
import type { BackupForm } from './open-backup.js';

export interface ListedBackup {
  file: string;
  form: BackupForm;
  /** In bytes. */
  size: number;
  createdAt: string;
  /** Undefined for a plain copy and for an unreadable file. */
  manifest: Manifest | undefined;
  /** Why its beginning can't be read. `verifyBackup` checks the rest. */
  problem: { kind: 'damaged' | 'newer' | 'no rights'; message: string } | undefined;
  /** When `assistant backup verify` last found it whole; null when another backup was the last that it looked at. */
  verifiedAt: string | null;
}

/**
 * The backups in a folder (default: the backup folder) and the copies made before migrations, newest first. Refuses
 * with `not_found` when the folder does not exist.
 */
export async function listBackups(config: Config, folder?: string): Promise<ListedBackup[]> {
  const archives = folder ?? backupFolder(config);
  if (folder !== undefined) await refuseNone(folder);
  const { path } = config.database;
  const files: [string, BackupForm][] = [
    ...(await namesIn(archives, isArchive)).map((file): [string, BackupForm] => [file, 'archive']),
    ...(folder === undefined
      ? await namesIn(dirname(path), (name) => isCopyOf(basename(path), name))
      : []
    ).map((file): [string, BackupForm] => [file, 'database']),
  ];
  const { verified } = await readBackupRecord(config);
  const listed = await Promise.all(files.map(([file, form]) => describe(file, form, verified)));
  const present = listed.filter((one) => one !== undefined);
  return present.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

export type LastBackup = Pick<ListedBackup, 'file' | 'createdAt' | 'verifiedAt'>;

/**
 * The newest readable backup. This is the last one made, in any folder, if its file is unchanged and the backup folder
 * has no later one. Otherwise it is the newest in the backup folder. Undefined without any.
 */
export async function findLastBackup(config: Config): Promise<LastBackup | undefined> {
  const { made, verified } = await readBackupRecord(config);
  const isLast = made !== null && (await isNewest(config, made.file, made.size));
  if (!isLast) return newestOf(config);
  const { file, created_at: createdAt } = made;
  return { file, createdAt, verifiedAt: await verificationOf(file, verified) };
}

async function verificationOf(
  file: string,
  verified: BackupRecord['verified'],
): Promise<string | null> {
  return verified !== null && verified.sha256 === (await storedSum(file)) ? verified.at : null;
}

/** By the times of the files: opening each archive takes longer than everything else that `status` looks at. */
async function isNewest(config: Config, file: string, size: number): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found?.size !== size) return false;
  const others = await namesIn(backupFolder(config), isArchive);
  const times = await Promise.all(
    others.map((other) =>
      stat(other)
        .then(({ mtimeMs }) => mtimeMs)
        .catch(() => 0),
    ),
  );
  return times.every((time) => time <= found.mtimeMs);
}

async function newestOf(config: Config): Promise<ListedBackup | undefined> {
  const listed = await listBackups(config);
  return listed.find(({ form, problem }) => form === 'archive' && problem === undefined);
}

function isArchive(name: string): boolean {
  return name.endsWith('.tar.gz');
}

async function refuseNone(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new AppError('not_found', `There is no folder ${folder}.`);
}

/** Undefined for a file that was deleted meanwhile, and for anything but a file. */
async function describe(
  file: string,
  form: BackupForm,
  verified: BackupRecord['verified'],
): Promise<ListedBackup | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  const { size, mtime } = found;
  const verifiedAt = await verificationOf(file, verified);
  const plain = { file, form, size, createdAt: mtime.toISOString(), verifiedAt };
  if (form === 'database') return { ...plain, manifest: undefined, problem: undefined };
  try {
    // Loaded only for archives: most commands that ask for the last backup need to open none.
    const { peekManifest } = await import('./open-backup.js');
    const manifest = await peekManifest(file);
    return { ...plain, createdAt: manifest.created_at, manifest, problem: undefined };
  } catch (error) {
    return { ...plain, manifest: undefined, problem: await problemOf(file, error) };
  }
}

/** A file that this user may not read can be whole. */
async function problemOf(file: string, error: unknown): Promise<ListedBackup['problem']> {
  const opened = await open(file).catch(() => undefined);
  await opened?.close();
  if (opened === undefined) {
    const message = `This user may not read ${file}. List the backups as its owner, or as root.`;
    return { kind: 'no rights', message };
  }
  const kind = codeOf(error) === 'database_newer' ? 'newer' : 'damaged';
  return { kind, message: messageOf(error) };
}

function isCopyOf(database: string, name: string): boolean {
  return name.startsWith(`${database}.before-migration-`);
}

async function namesIn(folder: string, wanted: (name: string) => boolean): Promise<string[]> {
  // Without the folder there is no backup yet.
  const names = await readdir(folder).catch(() => []);
  return names.filter(wanted).map((name) => join(folder, name));
}
