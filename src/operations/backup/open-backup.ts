import { open, stat } from 'node:fs/promises';
import { AppError, messageOf } from '../../platform/errors.js';
import { requireFile } from '../../platform/named-file.js';
import {
  configurationName,
  databaseName,
  formatVersion,
  manifestLimit,
  manifestName,
  manifestSchema,
  type Manifest,
} from './manifest.js';
import { ArchiveReader } from './archive.js';

/** An archive, or a plain copy of a database that was made before a migration. */
export type BackupForm = 'archive' | 'database';

/** The largest expansion of one byte by deflate; a file that claims more is invalid (RFC 1951, about 1032). */
const largestRatio = 1040;

/**
 * The form of a backup, by its content. Errors: `not_found` for a missing file; `damaged_backup` for any other content;
 * `conflict` for a database in use, whose log would be missing.
 */
export async function formOf(file: string): Promise<BackupForm> {
  const start = await readStart(file);
  if (start.subarray(0, 2).toString('hex') === '1f8b') return 'archive';
  if (!isDatabase(start)) {
    throw damaged(file, 'it is neither an archive nor a database');
  }
  const log = await stat(`${file}-wal`).catch(() => undefined);
  if (log === undefined || log.size === 0) return 'database';
  throw new AppError(
    'conflict',
    `${file} is the database of an installation that is in use. Make a backup of it with: assistant backup`,
  );
}

/**
 * True when a file begins like a database. Never call it for a database that this process has open: closing the file
 * would release its locks.
 */
export async function looksLikeDatabase(file: string): Promise<boolean> {
  return isDatabase(await readStart(file));
}

function isDatabase(start: Buffer): boolean {
  return start.toString('latin1') === 'SQLite format 3\0';
}

/**
 * Reads the manifest, which comes first, and leaves the reader after it. Errors: `damaged_backup` for a file that is
 * not our archive or has impossible claims; `database_newer` for one from a newer version.
 */
export async function readManifest(file: string, reader: ArchiveReader): Promise<Manifest> {
  try {
    const entry = await reader.next();
    if (entry?.name !== manifestName || entry.size > manifestLimit) {
      throw new Error('it was not made by assistant backup');
    }
    const written = JSON.parse(await reader.text(entry)) as { format_version?: unknown } | null;
    if (typeof written?.format_version === 'number' && written.format_version > formatVersion) {
      throw new AppError(
        'database_newer',
        `${file} was made by a newer version of assistant. Upgrade this program first.`,
      );
    }
    const manifest = manifestSchema.parse(written);
    const names = manifest.files.map(({ name }) => name);
    if (new Set(names).size !== names.length || !names.includes(databaseName)) {
      throw new Error('its manifest names no database, or one twice');
    }
    const claimed = manifest.files.reduce((sum, { size }) => sum + size, 0);
    if (claimed > (await stat(file)).size * largestRatio) {
      throw new Error('it claims to hold more than its size allows');
    }
    return manifest;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const isShape = error instanceof SyntaxError || (error as Error).name === 'ZodError';
    throw damaged(file, isShape ? 'its manifest is none' : messageOf(error), error);
  }
}

/** Reads only the manifest of an archive. Refuses as `readManifest` does. */
export async function peekManifest(file: string): Promise<Manifest> {
  const reader = new ArchiveReader(file);
  try {
    return await readManifest(file, reader);
  } finally {
    reader.close();
  }
}

/** The text of the configuration file in an archive; undefined without one. Refuses as `readManifest` does. */
export async function peekConfiguration(file: string): Promise<string | undefined> {
  if ((await formOf(file)) === 'database') return undefined;
  const reader = new ArchiveReader(file);
  try {
    const { files } = await readManifest(file, reader);
    if (files[0]?.name !== configurationName || files[0].size > manifestLimit) return undefined;
    const entry = await reader.next().catch((error: unknown) => {
      throw damaged(file, messageOf(error), error);
    });
    return entry?.name === configurationName && entry.size <= manifestLimit
      ? await reader.text(entry)
      : undefined;
  } finally {
    reader.close();
  }
}

export function damaged(file: string, what: string, cause?: unknown): AppError {
  return new AppError('damaged_backup', `${file} is not a complete backup: ${what}.`, { cause });
}

async function readStart(file: string): Promise<Buffer> {
  try {
    await requireFile(file);
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('not_found', `${file} can't be read (${messageOf(error)}).`);
  }
}
