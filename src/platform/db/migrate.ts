import { basename, dirname, join } from 'node:path';
import { rename, rm } from 'node:fs/promises';
import type { Knex } from 'knex';
import { AppError, messageOf } from '../errors.js';
import { timestamp, type Clock } from '../clock.js';
import type { Database } from './database.js';
import { inTransaction } from './in-transaction.js';
import { migrations, type Migration } from './migrations.js';

export interface MigrationResult {
  /** Names of the migrations that were applied just now. */
  applied: string[];
  /** The verified copy that was made before, when the database held data. */
  backup: string | undefined;
}

/**
 * Names of the migrations that the database still lacks. Refuses with `database_newer` when it holds one
 * that this build does not know: an older program must not write into a newer database.
 */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const applied = await appliedMigrations(db.read);
  const known = migrations(db.dialect).map((migration) => migration.name);
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new AppError(
      'database_newer',
      `The database was made by a newer version of assistant (it has ${unknown.join(', ')}). ` +
        'Upgrade this program, or open a copy made before that upgrade.',
    );
  }
  return known.filter((name) => !applied.includes(name));
}

/**
 * Brings the database up to date, all migrations in one transaction: a crash leaves the old state, and of two
 * processes at once the second finds nothing left to do. A database that holds data is copied first, beside
 * itself, and the copy's integrity is checked before anything changes.
 */
export async function migrate(
  app: { db: Database; clock: Clock },
  file: string,
): Promise<MigrationResult> {
  const pending = await pendingMigrations(app.db);
  if (pending.length === 0) return { applied: [], backup: undefined };
  const backup = (await holdsData(app.db.read)) ? await copyBeside(app, file) : undefined;
  // knex's migrator runs inside our transaction, its lock row included: a crash leaves no stale lock behind,
  // and a process that waited here finds nothing left to do.
  const applied = await inTransaction(app, async (app) => {
    const [, names] = (await app.db.write.migrate.latest(migratorConfig(app.db))) as [
      number,
      string[],
    ];
    return names;
  });
  return { applied, backup };
}

const tableName = 'schema_migrations';

function migratorConfig(db: Database): Knex.MigratorConfig {
  const source: Knex.MigrationSource<Migration> = {
    getMigrations: () => Promise.resolve(migrations(db.dialect)),
    getMigrationName: (migration) => migration.name,
    getMigration: (migration) =>
      Promise.resolve({ up: (trx) => migration.up(trx), down: () => Promise.resolve() }),
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

async function copyBeside(app: { db: Database; clock: Clock }, file: string): Promise<string> {
  const stamp = timestamp(app.clock).replaceAll(/[:.]/g, '-');
  const copy = join(dirname(file), `${basename(file)}.before-migration-${stamp}`);
  const unchecked = `${copy}.part`;
  try {
    await app.db.dialect.copyTo(app.db.write, unchecked);
    await app.db.dialect.checkCopy(unchecked);
    await rename(unchecked, copy);
    return copy;
  } catch (error) {
    await rm(unchecked, { force: true });
    throw new AppError(
      'internal',
      `The database was not migrated, because it could not be copied first: ${messageOf(error)}`,
      { cause: error },
    );
  }
}
