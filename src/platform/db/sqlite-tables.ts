import type { Knex } from 'knex';
import { takenAway, type EngineTables } from './tables.js';

/** Values that SQLite takes in one statement. */
const mostValues = 32_000;

export const sqliteTables: EngineTables = {
  async list(db) {
    const rows: { name: string }[] = await db.raw(
      "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by name",
    );
    return rows.map(({ name }) => name);
  },

  async columnsOf(db, table) {
    const rows: { name: string; type: string; pk: number }[] = await db.raw(
      'select name, type, pk from pragma_table_info(?)',
      [table],
    );
    return rows.map(({ name, type, pk }) => ({ name, type, isKey: pk > 0 }));
  },

  async insert(trx, table, columns, rows) {
    const marks = `(${columns.map(() => '?').join(', ')})`;
    const most = Math.floor(mostValues / columns.length);
    for (let start = 0; start < rows.length; start += most) {
      const some = rows.slice(start, start + most);
      const values = some.flatMap((row) =>
        row.map((value) => (typeof value === 'boolean' ? Number(value) : value)),
      );
      await trx.raw(
        `insert into ?? (${columns.map(() => '??').join(', ')}) values ${some.map(() => marks).join(', ')}`,
        [table, ...columns.map(({ name }) => name), ...(values as Knex.RawBinding[])],
      );
    }
  },

  async inSnapshot(db, read) {
    // A transaction of knex would be a writer, which a connection for reading refuses.
    await db.raw('begin deferred');
    try {
      return await read(db);
    } finally {
      await db.raw('rollback');
    }
  },

  async beginFilling(db) {
    // The setting lasts as long as the connection, and has no effect in a transaction.
    await db.raw('pragma foreign_keys = off');
    if (await db.schema.hasTable(takenAway)) return;
    await db.transaction(async (trx) => {
      await trx.raw(
        `create table ${takenAway} as select name, type, sql from sqlite_schema
         where type = 'trigger' or type = 'index' and sql not like 'create unique%'`,
      );
      const taken: { name: string; type: string }[] = await trx(takenAway).select('name', 'type');
      for (const { name, type } of taken) await trx.raw(`drop ${type} ??`, [name]);
    });
  },

  async endFilling(trx) {
    await rebuildMessageWords(trx);
    const taken: { sql: string }[] = await trx(takenAway).select('sql');
    for (const { sql } of taken) await trx.raw(sql);
    await trx.schema.dropTable(takenAway);
  },

  lastNumbers: (db) => db.raw('select name as "table", seq as last from sqlite_sequence'),

  async continueAfter(db, table, last) {
    await db.raw('delete from sqlite_sequence where name = ?', [table]);
    await db.raw('insert into sqlite_sequence (name, seq) values (?, ?)', [table, last]);
  },
};

/** Fills the index anew from the messages, so that nothing in it is of others. */
export async function rebuildMessageWords(db: Knex): Promise<void> {
  await db.raw(`insert into message_words (message_words) values ('rebuild')`);
}
