import type { Knex } from 'knex';

/** A foreign key of one column. */
interface Reference {
  table: string;
  column: string;
  parent: string;
  parentColumn: string;
  onDelete: string;
  /** True when the column may not be null. */
  required: number;
}

export type Row = Record<string, unknown>;

/** The repair of rows in one table whose parent row is gone. */
export interface MendedReference {
  table: string;
  column: string;
  parent: string;
  rows: number;
  how: 'emptied' | 'removed';
}

export interface KeepRows {
  /** False for tables that are derived from others: their rows are dropped unseen. */
  isKept(table: string): boolean;
  /** Called with rows before they are deleted. */
  keep(table: string, rows: Row[]): Promise<void>;
}

/** Rows that are read at once, so that long uploads fit into memory. */
const rowsAtOnce = 20;

/**
 * Does what the deletion of the parents should have done: empties the reference if the schema says so, else deletes the
 * row with all its dependents. Passes deleted rows to `keep` first. Run it in a transaction.
 */
export async function mendReferences(trx: Knex, kept: KeepRows): Promise<MendedReference[]> {
  const references = await listReferences(trx);
  const mended: MendedReference[] = [];
  for (const reference of references) {
    const { table, column, parent, parentColumn, onDelete, required } = reference;
    const astray = `?? is not null and not exists (select 1 from ?? as parent where parent.?? = ??.??)`;
    const names = [column, parent, parentColumn, table, column];
    const number = await countRows(trx, table, astray, names);
    if (number === 0) continue;
    const how = onDelete === 'SET NULL' && required === 0 ? 'emptied' : 'removed';
    if (how === 'emptied') {
      await trx(table)
        .whereRaw(astray, names)
        .update({ [column]: null });
    } else {
      await takeAway(trx, references, table, astray, names, kept);
    }
    mended.push({ table, column, parent, rows: number, how });
  }
  return mended;
}

async function listReferences(db: Knex): Promise<Reference[]> {
  const rows: Reference[] = await db.raw(
    `select m.name as "table", f."from" as "column", f."table" as parent, coalesce(f."to", 'id') as "parentColumn",
       f.on_delete as "onDelete", (c."notnull" or c.pk > 0) as required
     from sqlite_schema as m
     join pragma_foreign_key_list(m.name) as f
     join pragma_table_info(m.name) as c on c.name = f."from"
     where m.type = 'table' order by m.rootpage, f.id`,
  );
  return rows;
}

/** Deletes rows, with the rows that the schema deletes with them. Passes all of them to `keep` first. */
async function takeAway(
  trx: Knex,
  references: readonly Reference[],
  table: string,
  condition: string,
  bindings: readonly unknown[],
  kept: KeepRows,
): Promise<void> {
  if (kept.isKept(table)) {
    for (const child of references) {
      if (child.parent !== table || child.onDelete !== 'CASCADE') continue;
      const belongs = '?? in (select ?? from ?? where ' + condition + ')';
      const names = [child.column, child.parentColumn, table, ...bindings];
      if ((await countRows(trx, child.table, belongs, names)) === 0) continue;
      await takeAway(trx, references, child.table, belongs, names, kept);
    }
    await keepRows(trx, table, condition, bindings, kept);
  }
  await trx(table)
    .whereRaw(condition, [...bindings] as string[])
    .delete();
}

async function keepRows(
  trx: Knex,
  table: string,
  condition: string,
  bindings: readonly unknown[],
  kept: KeepRows,
): Promise<void> {
  // Named otherwise: SQLite answers with the name of the primary key if there is one.
  const found: { number: number }[] = await trx(table)
    .whereRaw(condition, [...bindings] as string[])
    .select('rowid as number');
  for (let start = 0; start < found.length; start += rowsAtOnce) {
    const numbers = found.slice(start, start + rowsAtOnce).map(({ number }) => number);
    await kept.keep(table, await trx<Row>(table).whereIn('rowid', numbers).select('*'));
  }
}

async function countRows(
  trx: Knex,
  table: string,
  condition: string,
  bindings: readonly unknown[],
): Promise<number> {
  const [row]: { rows: number }[] = await trx(table)
    .whereRaw(condition, [...bindings] as string[])
    .count({ rows: '*' });
  return row?.rows ?? 0;
}
