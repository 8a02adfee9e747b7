import type { Knex } from 'knex';

/** ISO 8601 text in UTC with milliseconds. It sorts by time on every database. */
export function times(table: Knex.CreateTableBuilder, ...names: string[]): void {
  for (const name of names) table.string(name, 24).notNullable();
}

/** A required reference; the row is deleted with its parent. */
export function ownedBy(table: Knex.CreateTableBuilder, column: string, owner: string): void {
  table.integer(column).notNullable().references('id').inTable(owner).onDelete('CASCADE').index();
}

/** An optional reference; it becomes null when its target is deleted. */
export function refersTo(table: Knex.CreateTableBuilder, column: string, other: string): void {
  table.integer(column).references('id').inTable(other).onDelete('SET NULL').index();
}

/** The type of a text in a statement. SQLite takes longer ones than it says, so PostgreSQL must too. */
export function textType(trx: Knex, length: number): string {
  return isSqlite(trx) ? `varchar(${length})` : 'text';
}

/**
 * True for SQLite. Only there are rows from before a migration, to be brought into its shape: a database of PostgreSQL
 * begins empty, with all migrations.
 */
export function isSqlite(trx: Knex): boolean {
  return (trx.client as { driverName: string }).driverName === 'sqlite3';
}
