import { constants } from 'node:fs';
import { chmod, copyFile, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findDamage, readDatabaseFacts } from '../../platform/db/inspect-database.js';
import { messageOf } from '../../platform/errors.js';
import { checkSpace } from './scratch-space.js';
import { configurationName, databaseName, type Manifest, storedSum } from './manifest.js';
import { damaged, formOf, readManifest, type BackupForm } from './open-backup.js';
import { ArchiveReader, sumOf } from './archive.js';

export interface UnpackedBackup {
  form: BackupForm;
  /** Undefined for a plain copy of a database, which contains no manifest. */
  manifest: Manifest | undefined;
  /** The checksum of the whole file. */
  sha256: string;
  /** The path of the unpacked database. */
  database: string;
  /** The text of its configuration file, if any. */
  configuration: string | undefined;
}

interface Watching {
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Unpacks a backup into a folder and verifies all its checksums. Errors: `not_found`; `damaged_backup` (naming the
 * problem); `database_newer`; `no_space`; `conflict` (a database in use).
 */
export async function unpackBackup(
  file: string,
  folder: string,
  watching: Watching = {},
): Promise<UnpackedBackup> {
  const form = await formOf(file);
  const { sha256 } = await sumOf(file, watching);
  const stored = await storedSum(file);
  if (stored !== undefined && stored !== sha256) {
    throw damaged(file, `its checksum is not that of ${basename(file)}.sha256`);
  }
  const database = join(folder, databaseName);
  if (form === 'database') {
    await checkSpace(folder, (await stat(file)).size, 'Unpacking the backup');
    await copyFile(file, database, constants.COPYFILE_FICLONE);
    await chmod(database, 0o600);
    return { form, manifest: undefined, sha256, database, configuration: undefined };
  }
  const reader = new ArchiveReader(file, watching.signal);
  try {
    const manifest = await readManifest(file, reader);
    const size = manifest.files.reduce((sum, one) => sum + one.size, 0);
    await checkSpace(folder, size, 'Unpacking the backup');
    await unpackFiles(file, reader, manifest, folder, watching);
    const hasConfiguration = manifest.files.some(({ name }) => name === configurationName);
    const configuration = hasConfiguration
      ? await readFile(join(folder, configurationName), 'utf8')
      : undefined;
    return { form, manifest, sha256, database, configuration };
  } catch (error) {
    watching.signal?.throwIfAborted();
    throw error;
  } finally {
    reader.close();
  }
}

/** Unpacks exactly the files of the manifest, in its order and with its sizes. */
async function unpackFiles(
  file: string,
  reader: ArchiveReader,
  { files }: Manifest,
  folder: string,
  { onProgress }: Watching,
): Promise<void> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const intact = async <T>(read: () => T | Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      throw damaged(file, messageOf(error), error);
    }
  };
  for (const expected of files) {
    const entry = await intact(() => reader.next());
    if (entry?.name !== expected.name || entry.size !== expected.size) {
      const found = entry === undefined ? 'its end' : JSON.stringify(entry.name);
      throw damaged(file, `where ${expected.name} should stand is ${found}`);
    }
    // The name was validated, so it does not lead out of the folder.
    const target = join(folder, expected.name);
    const { sha256 } = await intact(() =>
      reader.unpackTo(target, entry, (bytes) => onProgress?.((done += bytes), total)),
    );
    if (sha256 !== expected.sha256) {
      throw damaged(file, `${expected.name} in it has changed since it was made`);
    }
  }
  const extra = await intact(() => reader.next());
  if (extra !== undefined) {
    throw damaged(
      file,
      `it contains ${JSON.stringify(extra.name)}, which its manifest does not name`,
    );
  }
  const { size } = await stat(file);
  await intact(() => reader.finish(size));
}

/**
 * The damages of an unpacked backup's database, in sentences. References to missing rows do not count: they existed
 * when the backup was made.
 */
export async function findFaults({ database, manifest }: UnpackedBackup): Promise<string[]> {
  const damage = await findDamage(database);
  if (damage.length > 0) return damage.map((line) => `The database is damaged: ${line}`);
  try {
    const { migrations, counts } = await readDatabaseFacts(database);
    if (manifest === undefined) return [];
    const tables = new Set([...Object.keys(counts), ...Object.keys(manifest.counts)]);
    const differing = [...tables].filter((table) => counts[table] !== manifest.counts[table]);
    const faults = differing.map(
      (table) =>
        `${table} has ${counts[table] ?? 'no'} rows, where the manifest says ${manifest.counts[table] ?? 'none'}`,
    );
    if (migrations.join() !== manifest.migrations.join()) {
      faults.push('Its migrations are not those that the manifest names');
    }
    return faults;
  } catch (error) {
    return [`It is no database of assistant: ${messageOf(error)}`];
  }
}
