import { dirname } from 'node:path';
import { systemClock } from '../../platform/clock.js';
import type { Config } from '../../platform/config/schema.js';
import { migrate, pendingMigrations } from '../../platform/db/migrate.js';
import { openDatabase } from '../../platform/db/open-database.js';
import { requireDatabase } from '../../platform/db/require-database.js';
import { holdSqlite } from '../../platform/db/sqlite-file.js';
import { AppError } from '../../platform/errors.js';
import { createLog } from '../../platform/log.js';
import { bringIndexUpToDate } from '../../search/term-index/bring-index-up-to-date.js';
import { isIndexOutdated } from '../../search/term-index/index-format.js';
import { sizeOf } from '../backup/create-backup.js';
import { checkSpace } from '../backup/scratch-space.js';
import { neededFor, searchIndexStep } from './plan-upgrade.js';

export interface Upgraded {
  /** The names of the steps that were done. */
  applied: string[];
  /** The copy that was made before; null when there was nothing to do, or no data. */
  backup: string | null;
}

/**
 * Brings the database up to the installed program: a copy of it, all migrations in one transaction, and the search
 * index. Errors: `conflict` while another process has the database open, since a running server of the old version
 * would write in the old form; `no_space`; `not_found` and `database_newer`; `shutting_down` when `signal` stopped it.
 */
export async function upgradeDatabase(
  config: Config,
  { onStep, signal }: { onStep?: (what: string) => void; signal?: AbortSignal } = {},
): Promise<Upgraded> {
  const { path } = config.database;
  requireDatabase(config.database);
  if (config.database.url === null && !(await isUpToDate(config))) {
    await checkSpace(dirname(path), neededFor(await sizeOf(config.database)), 'The upgrade');
    const held = await holdSqlite(path);
    await held.close();
    onStep?.('Copying the database, and upgrading it …');
  }
  const db = await openDatabase(config.database);
  try {
    const store = { db, clock: systemClock, log: createLog({ ...config.log, level: 'warn' }) };
    const { applied, backup = null } = await migrate(store, path, { signal });
    const remakes = await isIndexOutdated(store);
    await bringIndexUpToDate(store, signal);
    return { applied: remakes ? [...applied, searchIndexStep.name] : applied, backup };
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    const sentence =
      'Interrupted: the unfinished step was undone. Run the same command again to do the rest.';
    throw new AppError('shutting_down', sentence, { cause: error });
  } finally {
    await db.close();
  }
}

async function isUpToDate(config: Config): Promise<boolean> {
  const db = await openDatabase(config.database);
  try {
    return (await pendingMigrations(db)).length === 0 && !(await isIndexOutdated({ db }));
  } finally {
    await db.close();
  }
}
