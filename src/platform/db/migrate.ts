import { rename, rm } from 'node:fs/promises';
import type { Knex } from 'knex';
import { AppError, codeOf, messageOf } from '../errors.js';
import { timestamp, type Clock } from '../clock.js';
import type { Database } from './database.js';
import type { DatabaseFiles } from './dialect.js';
import { inTransaction } from './in-transaction.js';
import { migrations, type Migration } from './migrations.js';
import { refuseNewer, refuseOlder, waitForOlder } from './side-by-side.js';
import { removeSnapshot, takeSnapshot } from './take-snapshot.js';

export interface MigrationResult {
  /** Names of the migrations that were applied now. */
  applied: string[];
  /** The verified copy that was made before the migration, if the database held data. */
  backup: string | undefined;
}

export interface MigrateOptions {
  /** False for a database that is itself a copy. */
  copies?: boolean;
  /** Called with each migration and its time in milliseconds. */
  onApplied?: (name: string, ms: number) => void;
  /** Stops before the next migration, and undoes those before it. */
  signal?: AbortSignal | undefined;
  /** Called once with the reason when older programs must end first. Default: then migrate refuses. */
  onWaiting?: ((reason: string) => void) | undefined;
}

/** Stands among the applied migrations of a database until all of another one was copied to it. */
export const unfinishedCopy = 'unfinished copy';

/**
 * Names of the migrations that the database lacks. Errors: `database_outdated` for an unfinished copy; `database_newer` when the database has a migration that this
 * build does not know, and that does more than add: an older program must not write into a newer database.
 */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const applied = await appliedMigrations(db.read);
  const known = migrations(db.dialect).map((migration) => migration.name);
  if (applied.includes(unfinishedCopy)) {
    throw new AppError(
      'database_outdated',
      'The database holds a part of a copy. Run the same command again to finish it: assistant migrate --from …',
    );
  }
  refuseNewer(db, applied);
  return known.filter((name) => !applied.includes(name));
}

/**
 * Applies all pending migrations in one transaction. A crash leaves the old state; if two processes start at once, the
 * second finds nothing to do. A database file with data is first copied beside itself, and the copy's integrity is checked
 * before any change. The copy is deleted if no migration was applied: a service that restarts in a loop must not fill
 * the disk. Errors: `conflict` as `refuseOlder`, without `onWaiting`.
 */
export async function migrate(
  app: { db: Database; clock: Clock },
  file: string,
  { onWaiting, ...options }: MigrateOptions = {},
): Promise<MigrationResult> {
  const once = () => migrateOnce(app, file, options);
  return onWaiting === undefined ? once() : waitForOlder(once, onWaiting);
}

async function migrateOnce(
  app: { db: Database; clock: Clock },
  file: string,
  { copies = true, ...options }: Omit<MigrateOptions, 'onWaiting'>,
): Promise<MigrationResult> {
  const nothing = { applied: [], backup: undefined };
  if ((await pendingMigrations(app.db)).length === 0) return nothing;
  // knex's migrator and its lock row run inside our transaction, so a crash leaves no stale lock. The copy is made
  // inside too: another process that starts then waits, and has nothing left to copy or write.
  return inTransaction(app, async (app) => {
    await app.db.dialect.lockSchema(app.db.write);
    const pending = await pendingMigrations(app.db);
    if (pending.length === 0) return nothing;
    await refuseOlder(app.db, pending);
    const { files } = app.db.dialect;
    if (!copies || files === undefined || !(await holdsData(app.db.read))) {
      return { applied: await applyAll(app.db, options), backup: undefined };
    }
    const unfinished = await copy(files, file, options.signal);
    try {
      const applied = await applyAll(app.db, options);
      const backup = nameCopy(app.clock, file);
      await rename(unfinished, backup);
      return { applied, backup };
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  });
}

async function applyAll(db: Database, options: MigrateOptions): Promise<string[]> {
  const config = migratorConfig(db, options);
  try {
    const [, applied] = (await db.write.migrate.latest(config)) as [number, string[]];
    return applied;
  } catch (error) {
    if (!db.dialect.isReferenceViolation(error)) throw error;
    const sentence =
      'The database was not migrated, because rows in it refer to rows that somebody deleted by hand. Repair it first: assistant doctor --repair';
    throw new AppError('database_damaged', sentence, { cause: error });
  }
}

const tableName = 'schema_migrations';

function migratorConfig(db: Database, { onApplied, signal }: MigrateOptions): Knex.MigratorConfig {
  const source: Knex.MigrationSource<Migration> = {
    getMigrations: () => Promise.resolve(migrations(db.dialect)),
    getMigrationName: (migration) => migration.name,
    getMigration: (migration) =>
      Promise.resolve({
        async up(trx) {
          signal?.throwIfAborted();
          const began = performance.now();
          await migration.up(trx);
          onApplied?.(migration.name, performance.now() - began);
        },
        down: () => Promise.resolve(),
      }),
  };
  return { tableName, migrationSource: source };
}

async function appliedMigrations(db: Knex): Promise<string[]> {
  if (!(await db.schema.hasTable(tableName))) return [];
  const rows = await db<{ name: string }>(tableName).select('name').orderBy('name');
  return rows.map((row) => row.name);
}

async function holdsData(db: Knex): Promise<boolean> {
  if (!(await db.schema.hasTable('organizations'))) return false;
  return (await db('organizations').first('id')) !== undefined;
}

function nameCopy(clock: Clock, file: string): string {
  const stamp = timestamp(clock).replaceAll(/[:.]/g, '-');
  return `${file}.before-migration-${stamp}`;
}

/** Replaces the copy of an unfinished attempt. The lock guarantees that no other process uses this file name. */
async function copy(
  files: DatabaseFiles,
  file: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const unfinished = `${file}.before-migration.part`;
  await removeSnapshot(unfinished);
  try {
    await takeSnapshot(files, file, unfinished, signal);
    return unfinished;
  } catch (error) {
    signal?.throwIfAborted();
    throw new AppError(
      codeOf(error),
      `The database was not migrated, because it could not be copied first: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
