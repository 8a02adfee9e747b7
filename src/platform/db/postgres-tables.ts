import type { EngineTables } from './tables.js';

export const postgresTables: EngineTables = {
  async list(db) {
    const rows: { name: string }[] = await db.raw(
      'select tablename as name from pg_tables where schemaname = current_schema() order by 1',
    );
    return rows.map(({ name }) => name);
  },

  async columnsOf(db, table) {
    const rows: { name: string; type: string; is_key: boolean }[] = await db.raw(
      `select attname as name, format_type(atttypid, null) as type,
         coalesce(attnum = any(indkey), false) as is_key
       from pg_attribute left join pg_index on indrelid = attrelid and indisprimary
       where attrelid = ?::regclass and attnum > 0 and not attisdropped order by attnum`,
      [table],
    );
    return rows.map(({ name, type, is_key }) => ({ name, isKey: is_key, stored: storedAs(type) }));
  },

  references: (db) =>
    db.raw(
      `select conrelid::regclass::text as "table", confrelid::regclass::text as parent
       from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
    ),

  inSnapshot: (db, read) => db.transaction(read, { isolationLevel: 'repeatable read' }),

  async pauseTriggers(db) {
    for (const table of await this.list(db)) {
      await db.raw('alter table ?? disable trigger user', [table]);
    }
  },

  async resumeTriggers(db) {
    for (const table of await this.list(db)) {
      await db.raw('alter table ?? enable trigger user', [table]);
    }
  },

  async lastNumbers(db) {
    const rows: { table: string; last: number | null }[] = await db.raw(
      `select d.refobjid::regclass::text as "table", pg_sequence_last_value(s.seqrelid) as last
       from pg_sequence as s join pg_depend as d on d.objid = s.seqrelid and d.deptype = 'a'
       join pg_class as t on t.oid = d.refobjid and t.relnamespace = current_schema()::regnamespace`,
    );
    return rows.map(({ table, last }) => ({ table, last: last ?? 0 }));
  },

  async continueAfter(db, table, last) {
    await db.raw(`select setval(pg_get_serial_sequence(?, 'id'), ?, ?)`, [
      table,
      Math.max(last, 1),
      last > 0,
    ]);
  },
};

/** PostgreSQL has no character NUL in its texts. */
function storedAs(type: string): (value: unknown) => unknown {
  if (type === 'boolean') return (value) => (value === null ? null : Boolean(value));
  if (type.startsWith('timestamp')) return (value) => new Date(value as number).toISOString();
  return (value) => (typeof value === 'string' ? value.replaceAll('\0', '') : value);
}
