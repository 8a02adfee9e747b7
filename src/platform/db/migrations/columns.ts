import type { Knex } from 'knex';

/** ISO 8601 text in UTC with milliseconds: sorts as time does, on every database. */
export function times(table: Knex.CreateTableBuilder, ...names: string[]): void {
  for (const name of names) table.string(name, 24).notNullable();
}

/** A required reference that goes with what it refers to. */
export function ownedBy(table: Knex.CreateTableBuilder, column: string, owner: string): void {
  table.integer(column).notNullable().references('id').inTable(owner).onDelete('CASCADE').index();
}

/** An optional reference that is cleared when what it refers to goes. */
export function refersTo(table: Knex.CreateTableBuilder, column: string, other: string): void {
  table.integer(column).references('id').inTable(other).onDelete('SET NULL').index();
}
