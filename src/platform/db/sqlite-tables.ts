import type { Knex } from 'knex';
import type { EngineTables } from './tables.js';

/** Keeps the statements of triggers while they are paused. */
const paused = 'paused_triggers';

export const sqliteTables: EngineTables = {
  async list(db) {
    const rows: { name: string }[] = await db.raw(
      "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by name",
    );
    return rows.map(({ name }) => name);
  },

  async columnsOf(db, table) {
    const rows: { name: string; pk: number }[] = await db.raw(
      'select name, pk from pragma_table_info(?)',
      [table],
    );
    const stored = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value);
    return rows.map(({ name, pk }) => ({ name, isKey: pk > 0, stored }));
  },

  references: (db) =>
    db.raw(
      `select m.name as "table", f."table" as parent
       from sqlite_schema as m join pragma_foreign_key_list(m.name) as f where m.type = 'table'`,
    ),

  async inSnapshot(db, read) {
    // A transaction of knex would be a writer, which a connection for reading refuses.
    await db.raw('begin deferred');
    try {
      return await read(db);
    } finally {
      await db.raw('rollback');
    }
  },

  async pauseTriggers(db) {
    // The setting lasts as long as the connection, and has no effect in a transaction.
    await db.raw('pragma foreign_keys = off');
    if (await db.schema.hasTable(paused)) return;
    await db.transaction(async (trx) => {
      await trx.raw(
        `create table ${paused} as select name, sql from sqlite_schema where type = 'trigger'`,
      );
      for (const { name } of await triggersOf(trx)) await trx.raw('drop trigger ??', [name]);
    });
  },

  async resumeTriggers(db) {
    await db.raw(`insert into message_words (message_words) values ('rebuild')`);
    for (const { sql } of await triggersOf(db)) await db.raw(sql);
    await db.schema.dropTable(paused);
  },

  lastNumbers: (db) => db.raw('select name as "table", seq as last from sqlite_sequence'),

  async continueAfter(db, table, last) {
    await db.raw('delete from sqlite_sequence where name = ?', [table]);
    await db.raw('insert into sqlite_sequence (name, seq) values (?, ?)', [table, last]);
  },
};

async function triggersOf(db: Knex): Promise<{ name: string; sql: string }[]> {
  return db(paused).select('name', 'sql');
}
