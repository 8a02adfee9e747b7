import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { AppError, messageOf } from '../errors.js';
import { openSqlite } from './open-sqlite.js';
import type { Database } from './database.js';
import { sqliteDialect } from './sqlite-dialect.js';

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
  return withFile(file, (read) => factsOf({ read, dialect: sqliteDialect }));
}

/** The facts about an open database. Errors: `not_found` for an empty one. */
export async function factsOf({
  read: db,
  dialect,
}: Pick<Database, 'read' | 'dialect'>): Promise<DatabaseFacts> {
  const applied = await appliedIn(db);
  const counts: Record<string, number> = {};
  for (const name of await dialect.tables.list(db)) {
    const [row] = await db(name).count<{ rows: number }[]>({ rows: '*' });
    counts[name] = row?.rows ?? 0;
  }
  return { migrations: applied.map(({ name }) => name).sort(), counts };
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

/** The damages of a file that nobody uses; at most 20. */
export async function findDamage(file: string): Promise<string[]> {
  try {
    return await withFile(file, (db) => sqliteDialect.listDamage(db));
  } catch (error) {
    return [messageOf(error)];
  }
}

/** The references to missing rows in a file that nobody uses, in sentences. */
export async function findAstray(file: string): Promise<string[]> {
  return withFile(file, (db) => sqliteDialect.listAstray(db));
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
