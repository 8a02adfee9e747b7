import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { AppError, messageOf } from '../errors.js';
import { openSqlite } from './open-sqlite.js';
import { listAstray } from './references.js';

/** Facts about a database file, for comparison with another file. */
export interface DatabaseFacts {
  /** Names of the applied migrations, in order. */
  migrations: string[];
  /** Rows per table, without the tables of the full-text index. */
  counts: Record<string, number>;
}

/**
 * Reads a database file that nobody uses, without changing it. Throws when it is not a database or too damaged. Errors:
 * `not_found` for an empty database.
 */
export async function readDatabaseFacts(file: string): Promise<DatabaseFacts> {
  return withFile(file, async (db) => {
    const applied = await appliedIn(db);
    const tables: { name: string }[] = await db.raw(
      "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by name",
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await db.raw<{ rows: number }[]>('select count(*) as rows from ??', [name]);
      counts[name] = row?.rows ?? 0;
    }
    return { migrations: applied.map(({ name }) => name).sort(), counts };
  });
}

/**
 * A fingerprint of the installation that a database file belongs to. All its backups share it, because it is derived
 * from the time of the first migration. Throws as readDatabaseFacts does.
 */
export async function readInstallation(file: string): Promise<string> {
  const [first] = await withFile(file, appliedIn);
  return createHash('sha256')
    .update(JSON.stringify(first ?? null))
    .digest('hex');
}

/** The damages that SQLite finds in a complete check; at most 20. */
export async function listDamage(db: Knex): Promise<string[]> {
  const rows: { integrity_check: string }[] = await db.raw('pragma integrity_check(20)');
  return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
}

/** As listDamage, for a file that nobody uses. */
export async function findDamage(file: string): Promise<string[]> {
  try {
    return await withFile(file, listDamage);
  } catch (error) {
    return [messageOf(error)];
  }
}

/** As listAstray, for a file that nobody uses. */
export async function findAstray(file: string): Promise<string[]> {
  return withFile(file, listAstray);
}

/** The applied migrations, the first one first. */
async function appliedIn(db: Knex): Promise<{ name: string; migration_time: number }[]> {
  if (!(await db.schema.hasTable('schema_migrations'))) {
    const sentence = 'The database holds no installation. Set one up with: assistant init';
    throw new AppError('not_found', sentence);
  }
  return db('schema_migrations').select('name', 'migration_time').orderBy('id');
}

async function withFile<T>(file: string, work: (db: Knex) => Promise<T>): Promise<T> {
  const db = openSqlite(file, 1, ['pragma query_only = on']);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
