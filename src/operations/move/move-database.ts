import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemClock } from '../../platform/clock.js';
import { postgresAddress, type Config } from '../../platform/config/schema.js';
import {
  copyDatabase,
  isUnfinished,
  type CopiedTable,
  type CopyOptions,
} from '../../platform/db/copy-database.js';
import { migrate } from '../../platform/db/migrate.js';
import { openDatabase } from '../../platform/db/open-database.js';
import { nameOfDatabase, requireDatabase } from '../../platform/db/require-database.js';
import { holdSqlite } from '../../platform/db/sqlite-file.js';
import { AppError } from '../../platform/errors.js';

type Settings = Config['database'];

export interface Moved {
  from: string;
  to: string;
  tables: CopiedTable[];
}

/** The database of an address: `sqlite:<file>`, or that of PostgreSQL. Errors: `usage` for any other text. */
export function settingsOf(address: string, config: Config): Settings {
  const [, file] = /^sqlite:(?:\/\/)?(.+)$/s.exec(address) ?? [];
  if (file !== undefined) return { ...config.database, url: null, path: resolve(file) };
  if (postgresAddress.test(address)) return { ...config.database, url: address };
  throw new AppError(
    'usage',
    `${address}: give a database as sqlite:<file>, or as postgres://user@host/name.`,
  );
}

/**
 * Copies everything from one database to another, which is made if it is a file, and leaves the first as it is. A copy
 * that was stopped goes on where it was.
 * Errors: as copyDatabase; `conflict` while another process has the file open that is copied, or when the two are one
 * database; `not_found` without a database to copy.
 */
export async function moveDatabase(
  from: Settings,
  to: Settings,
  options: CopyOptions = {},
): Promise<Moved> {
  const names = { from: nameOfDatabase(from), to: nameOfDatabase(to) };
  if (names.from === names.to) {
    throw new AppError('conflict', `${names.from} can't be copied to itself.`);
  }
  requireDatabase(from);
  if (to.url === null && existsSync(to.path)) {
    throw new AppError('conflict', `${to.path} exists already. Name a new file.`);
  }
  // What a server stored meanwhile would be lost.
  if (from.url === null) await (await holdSqlite(from.path)).close();
  if (to.url !== null) return { ...names, tables: await fillDatabase(from, to, options) };
  // A file gets its name when it is complete.
  const part = `${to.path}.part`;
  await writeFile(part, '', { flag: 'a', mode: 0o600 });
  const tables = await fillDatabase(from, { ...to, path: part }, options);
  await rename(part, to.path);
  return { ...names, tables };
}

/**
 * Copies everything from a database, which may be in use, to one that has no organization. Errors: as copyDatabase.
 */
export async function fillDatabase(
  from: Settings,
  to: Settings,
  options: CopyOptions = {},
): Promise<CopiedTable[]> {
  const source = await openDatabase({ ...from, readers: 1 });
  try {
    const target = await openDatabase(to);
    try {
      if (!(await isUnfinished(target))) {
        await migrate({ db: target, clock: systemClock }, to.path, { copies: false });
      }
      return await copyDatabase(source, target, options);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
