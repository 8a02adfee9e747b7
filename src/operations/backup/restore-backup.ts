import { existsSync } from 'node:fs';
import { link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../platform/clock.js';
import type { Config } from '../../platform/config/schema.js';
import { migrations } from '../../platform/db/migrations.js';
import { findAstray, readDatabaseFacts } from '../../platform/db/inspect-database.js';
import { holdSqlite, type HeldDatabase } from '../../platform/db/sqlite-file.js';
import { sqliteDialect } from '../../platform/db/sqlite-dialect.js';
import { sqliteTrouble } from '../../platform/db/sqlite-trouble.js';
import { nameOfDatabase } from '../../platform/db/require-database.js';
import { migrate } from '../../platform/db/migrate.js';
import { openDatabase } from '../../platform/db/open-database.js';
import { createLog } from '../../platform/log.js';
import { bringIndexUpToDate } from '../../search/term-index/bring-index-up-to-date.js';
import { fillDatabase } from '../move/move-database.js';
import { AppError, codeOf, messageOf } from '../../platform/errors.js';
import { checkSpace, withScratchFolder } from './scratch-space.js';
import { createBackup, type Backup } from './create-backup.js';
import type { Manifest } from './manifest.js';
import { damaged, looksLikeDatabase } from './open-backup.js';
import { findFaults, unpackBackup } from './unpack-backup.js';

export interface RestoreInput {
  file: string;
  /** The present configuration file; undefined without one. */
  configFile: string | undefined;
  /** Where to write the backup's configuration if there is none yet. */
  configTarget?: string | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((step: string, done: number, total: number) => void) | undefined;
}

export interface Restoration {
  database: string;
  manifest: Manifest | undefined;
  /** A backup of the earlier data; null when there was none. */
  before: Backup | null;
  /** The earlier files, if they were too damaged for a backup: they are renamed, unchanged. */
  setAside: string | null;
  /** The written configuration file; null when one existed, or the backup has none. */
  configuration: string | null;
  /** Migrations that this program will apply when it opens the database. */
  pending: string[];
  /** References to missing rows, in sentences. They do not prevent a restore. */
  astray: string[];
}

/**
 * Replaces the configured database by a backup, or fills an empty one of PostgreSQL. The present database file is backed up first, and stays unchanged until the
 * backup is unpacked and verified. Then the content is replaced at once: a crash leaves the old or the new state.
 * Errors: `conflict` while another process uses the database; `damaged_backup`; `database_newer`; `no_space` or
 * `not_found`.
 */
export async function restoreBackup(
  app: { config: Config; clock: Clock },
  input: RestoreInput,
): Promise<Restoration> {
  const { path } = app.config.database;
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return withScratchFolder(folder, async (scratch) => {
    const unpacked = await unpackBackup(input.file, scratch, {
      signal: input.signal,
      onProgress: (done, total) => input.onProgress?.('unpacking', done, total),
    });
    const { database, manifest, configuration } = unpacked;
    const pending = await pendingIn(input.file, unpacked);
    const astray = await findAstray(database);
    input.signal?.throwIfAborted();
    const written = await writeConfiguration(configuration, input.configTarget);
    try {
      const replaced = await replace(app, database, input);
      return {
        database: nameOfDatabase(app.config.database),
        manifest,
        ...replaced,
        configuration: written,
        pending,
        astray,
      };
    } catch (error) {
      if (written !== null) await rm(written, { force: true });
      throw error;
    }
  });
}

/** Refuses a damaged backup, and one from a newer version. */
async function pendingIn(
  file: string,
  unpacked: Awaited<ReturnType<typeof unpackBackup>>,
): Promise<string[]> {
  const [fault] = await findFaults(unpacked);
  if (fault !== undefined) throw damaged(file, fault);
  const { migrations: applied } = await readDatabaseFacts(unpacked.database);
  const known = migrations(sqliteDialect).map(({ name }) => name);
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new AppError(
      'database_newer',
      `${file} was made by a newer version of assistant (it has ${unknown.join(', ')}). Upgrade this program first.`,
    );
  }
  return known.filter((name) => !applied.includes(name));
}

async function replace(
  app: { config: Config; clock: Clock },
  source: string,
  input: RestoreInput,
): Promise<Pick<Restoration, 'before' | 'setAside'>> {
  const { path, url } = app.config.database;
  if (url !== null) {
    const file = { ...app.config.database, url: null, path: source };
    await upgradeFile(app, file);
    await fillDatabase(file, app.config.database, {
      signal: input.signal,
      onProgress: (done, total) => input.onProgress?.('restoring', done, total),
    });
    return { before: null, setAside: null };
  }
  if (!existsSync(path)) {
    // A log without its database would be applied to the new one.
    await removeLogs(path);
    await rename(source, path);
    return { before: null, setAside: null };
  }
  // SQLite would delete the log of a file that it does not recognize, and the log may be all that is left.
  if (!(await looksLikeDatabase(path)))
    return { before: null, setAside: await setAside(app, source) };
  let held: HeldDatabase | undefined;
  try {
    held = await holdSqlite(path);
    const before = await backUp(app, held, input);
    // During the replacement, SQLite keeps the overwritten pages in a journal.
    const { size } = await stat(source);
    await checkSpace(dirname(path), size + (await stat(path)).size, 'Restoring');
    await held.overwriteWith(source, {
      ...(input.signal === undefined ? {} : { signal: input.signal }),
      onProgress: (share) => input.onProgress?.('restoring', share * size, size),
    });
    return { before, setAside: null };
  } catch (error) {
    input.signal?.throwIfAborted();
    if (!isDamage(error)) throw error;
  } finally {
    await held?.close();
  }
  return { before: null, setAside: await setAside(app, source) };
}

/** Brings a file that nobody else uses up to this version: only a database of the same version is copied. */
async function upgradeFile(
  { config, clock }: { config: Config; clock: Clock },
  file: Config['database'],
): Promise<void> {
  const db = await openDatabase(file);
  try {
    const app = { db, clock, log: createLog({ ...config.log, level: 'warn' }) };
    await migrate(app, file.path, { copies: false });
    await bringIndexUpToDate(app);
  } finally {
    await db.close();
  }
}

/** Backs up the present database from the process that holds it, so that no write can be lost in between. */
async function backUp(
  app: { config: Config; clock: Clock },
  held: HeldDatabase,
  { configFile, signal, onProgress }: RestoreInput,
): Promise<Backup> {
  return createBackup(app, {
    configFile,
    signal,
    onProgress,
    // This backup stays in the installation, so it must be complete.
    withSecrets: true,
    copyTo: (_file, copy, copying) => held.copyTo(copy, copying),
  });
}

/** SQLite's messages for an unreadable file, which nobody else can use either. */
function isDamage(error: unknown): boolean {
  const { code } = sqliteTrouble(error) ?? { code: codeOf(error) };
  if (code !== 'internal') return code === 'database_damaged';
  // The result of checkCopy.
  return messageOf(error).includes('damaged');
}

/** An unreadable database can't be backed up: its files are renamed and kept. */
async function setAside(app: { config: Config; clock: Clock }, source: string): Promise<string> {
  const { path } = app.config.database;
  const stamp = app.clock.now().toISOString().replaceAll(/[:.]/g, '-');
  const aside = `${path}.damaged-${stamp}`;
  await link(path, aside);
  for (const end of logs) {
    if (existsSync(`${path}${end}`)) await rename(`${path}${end}`, `${aside}${end}`);
  }
  await rename(source, path);
  return aside;
}

const logs = ['-wal', '-shm', '-journal'];

async function removeLogs(path: string): Promise<void> {
  for (const end of logs) await rm(`${path}${end}`, { force: true });
}

async function writeConfiguration(
  text: string | undefined,
  target: string | undefined,
): Promise<string | null> {
  if (text === undefined || target === undefined) return null;
  try {
    await writeFile(target, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // Half a configuration would count as one. Another process's file stays.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(target, { force: true });
    throw error;
  }
  return target;
}
