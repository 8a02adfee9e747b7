import { existsSync, statSync } from 'node:fs';
import { link, mkdir, rename, stat, writeFile, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../platform/clock.js';
import type { Config } from '../../platform/config/schema.js';
import { readDatabaseFacts, readInstallation } from '../../platform/db/inspect-database.js';
import { giveToOwner } from '../../platform/give-to-owner.js';
import { openDatabase } from '../../platform/db/open-database.js';
import type { DatabaseFiles } from '../../platform/db/dialect.js';
import { fillDatabase } from '../move/move-database.js';
import { requireDatabase } from '../../platform/db/require-database.js';
import { sqliteFiles } from '../../platform/db/sqlite-dialect.js';
import { takeSnapshot } from '../../platform/db/take-snapshot.js';
import { AppError } from '../../platform/errors.js';
import { packageVersion } from '../../platform/package-root.js';
import { backupFolder, recordBackup } from './backup-record.js';
import { checkSpace, withScratchFolder } from './scratch-space.js';
import {
  configurationName,
  databaseName,
  formatVersion,
  type Manifest,
  manifestName,
  sumFileOf,
  sumLine,
} from './manifest.js';
import { sumOf, sumOfText, writeArchive, type ArchivedFile } from './archive.js';
import { settingVariables } from '../../platform/config/environment.js';
import { withoutSecrets } from '../../platform/config/secret-settings.js';

export interface BackupInput {
  /** The target: a file; a folder, which gets a dated file name; default: the backup folder. */
  file?: string | undefined;
  /** True when the target must be a folder: a missing one is not taken for the name of a file. */
  isFolder?: boolean | undefined;
  configFile: string | undefined;
  withSecrets?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called with a step's name and its progress in bytes. */
  onProgress?: ((step: string, done: number, total: number) => void) | undefined;
  /** Copies the database in another way; default: reading it while it is in use. */
  copyTo?: ((file: string, copy: string, signal?: AbortSignal) => Promise<void>) | undefined;
}

export interface Backup {
  file: string;
  /** In bytes. */
  size: number;
  /** The checksum of the whole file. A file beside it contains the same for `sha256sum --check`. */
  sha256: string;
  manifest: Manifest;
}

/**
 * Writes the database (which includes uploads) and the configuration to one file, even while a server is running: the
 * state of one moment. The file appears only when complete. Errors: `not_found` without a database or target folder;
 * `usage` when the target's folder is a file; `conflict` when the file exists; `no_space`.
 */
export async function createBackup(
  app: { config: Config; clock: Clock },
  input: BackupInput,
): Promise<Backup> {
  const { path } = app.config.database;
  requireDatabase(app.config.database);
  const made = app.clock.now();
  const wanted = input.file ?? backupFolder(app.config);
  if (input.isFolder === true) refuseMissing(wanted);
  const isFolder = input.file === undefined || isDirectory(wanted);
  const file = isFolder ? join(wanted, defaultName(made)) : wanted;
  refuseExisting(file);
  if (input.file === undefined) {
    // Not recursive: on a read-only file system Node would call a folder missing that is there.
    if (!existsSync(wanted)) await mkdir(wanted, { mode: 0o700 });
    await giveToOwner(path, wanted);
  }
  refuseMissing(dirname(file));
  const expected = await sizeOf(app.config.database);
  // The copy and its archive exist together for a while, and the archive may not be smaller.
  await checkSpace(dirname(file), 2 * expected, 'The backup');
  return withScratchFolder(dirname(file), async (folder) => {
    const database = join(folder, databaseName);
    const progress = (step: string) => (done: number, total: number) =>
      input.onProgress?.(step, done, total);
    const stop = watchGrowth(database, expected, progress('copying'));
    try {
      const copyTo = input.copyTo ?? copierOf(app.config.database);
      await takeSnapshot({ ...sqliteFiles, copyTo }, path, database, input.signal);
    } finally {
      stop();
    }
    const packed = join(folder, 'backup.tar.gz');
    const { manifest, files } = await describe(made, database, input);
    const watching = { signal: input.signal, ...counted(manifest, progress('packing')) };
    const sum = await writeArchive(packed, files, made, watching);
    const line = join(folder, 'backup.sha256');
    await writeFile(line, sumLine(sum.sha256, basename(file)), { mode: 0o600 });
    input.signal?.throwIfAborted();
    await putInPlace(packed, file);
    // Only the process that created the file writes its checksum: two at once would otherwise mix them up.
    await rename(line, sumFileOf(file));
    await giveToOwner(path, file, sumFileOf(file));
    const { created_at } = manifest;
    await recordBackup(app.config, { file, created_at, size: sum.size });
    return { file, ...sum, manifest };
  });
}

/** How a database is copied to a file. All engines give the same file, which each can be restored from. */
function copierOf(settings: Config['database']): DatabaseFiles['copyTo'] {
  if (settings.url === null) return (...copied) => sqliteFiles.copyTo(...copied);
  return async (_file, copy, signal) => {
    await fillDatabase(settings, { ...settings, url: null, path: copy }, { signal });
  };
}

async function describe(
  made: Date,
  database: string,
  { configFile, withSecrets, signal }: BackupInput,
): Promise<{ manifest: Manifest; files: ArchivedFile[] }> {
  const { text, configuration } = await saveConfiguration(configFile, withSecrets === true);
  const manifest: Manifest = {
    format: 'assistant-backup',
    format_version: formatVersion,
    created_at: made.toISOString(),
    version: packageVersion(),
    installation: await readInstallation(database),
    ...(await readDatabaseFacts(database)),
    configuration,
    files: [
      ...(text === undefined ? [] : [{ name: configurationName, ...sumOfText(text) } as const]),
      { name: databaseName, ...(await sumOf(database, { signal })) },
    ],
  };
  return {
    manifest,
    files: [
      { name: manifestName, content: { text: `${JSON.stringify(manifest, null, 2)}\n` } },
      ...(text === undefined ? [] : [{ name: configurationName, content: { text } }]),
      { name: databaseName, content: { path: database } },
    ],
  };
}

function counted({ files }: Manifest, onProgress: (done: number, total: number) => void) {
  const total = files.find(({ name }) => name === databaseName)?.size ?? 0;
  let done = 0;
  return { onRead: (bytes: number) => onProgress((done += bytes), total) };
}

/** Never replaces a file, even one that was created a moment ago. */
async function putInPlace(packed: string, file: string): Promise<void> {
  try {
    await link(packed, file);
  } catch {
    // Also used on a disk without links (a USB stick, some network shares).
    refuseExisting(file);
    await rename(packed, file);
  }
}

function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw new AppError('conflict', `There is a file ${file} already. Name another one.`);
}

function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function refuseMissing(folder: string): void {
  if (isDirectory(folder)) return;
  if (existsSync(folder)) throw new AppError('usage', `${folder} is no folder. Name another one.`);
  throw new AppError('not_found', `There is no folder ${folder}. Create it, or name another one.`);
}

function defaultName(made: Date): string {
  return `assistant-${made.toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`;
}

/** The maximum size of a copy, in bytes: the log may contain pages that a file does not have yet. */
export async function sizeOf(settings: Config['database']): Promise<number> {
  const { url, path } = settings;
  if (url === null) {
    const files = await Promise.all(
      [path, `${path}-wal`].map((part) => stat(part).catch(() => ({ size: 0 }))),
    );
    return files.reduce((sum, { size }) => sum + size, 0);
  }
  const db = await openDatabase(settings);
  try {
    return await db.dialect.sizeOf(db.read);
  } finally {
    await db.close();
  }
}

interface SavedConfiguration extends Pick<Manifest, 'configuration'> {
  /** Undefined without a file, when defaults and the environment are used. */
  text: string | undefined;
}

/**
 * The configuration file for a backup, without its secrets unless they are wanted. Values of environment variables are
 * not included; their names are reported, so that the operator knows what to set after a restore.
 */
async function saveConfiguration(
  file: string | undefined,
  withSecrets: boolean,
  env: NodeJS.ProcessEnv = process.env,
): Promise<SavedConfiguration> {
  const environment = [...settingVariables().keys()].filter((name) => env[name] !== undefined);
  if (file === undefined) {
    return { text: undefined, configuration: { secrets: false, left_out: [], environment } };
  }
  const whole = await readFile(file, 'utf8');
  if (withSecrets) {
    return { text: whole, configuration: { secrets: true, left_out: [], environment } };
  }
  const { text, leftOut } = withoutSecrets(whole);
  const missing = leftOut.length === 0 ? '' : `# Not in the backup: ${leftOut.join(', ')}\n`;
  return {
    text: `# As a backup kept it, without comments and secrets.\n${missing}${text}`,
    configuration: { secrets: false, left_out: leftOut, environment },
  };
}

/** The interval of reading the size, in milliseconds. */
const everyMs = 100;

/** Reports the growth of a file, because SQLite reports no progress of copying. Returns a function that stops this. */
function watchGrowth(
  file: string,
  total: number,
  onGrown: (done: number, total: number) => void,
): () => void {
  const timer = setInterval(() => {
    stat(file).then(
      ({ size }) => onGrown(Math.min(size, total), total),
      () => undefined,
    );
  }, everyMs);
  return () => clearInterval(timer);
}
