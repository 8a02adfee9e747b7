import { join } from 'node:path';
import type { Knex } from 'knex';
import { openSqlite } from '../../src/platform/db/open-sqlite.js';

export type Row = Record<string, unknown>;

/** A changed row. Without `before` it was added, without `after` it was deleted. */
export interface Change {
  table: string;
  before?: Row;
  after?: Row;
}

/** Tables of SQLite, and tables that triggers derive from others. */
const derived =
  /^(sqlite_|message_words|passage_features|passage_revisions|term_segments|term_lists|search_index|passage_vector|embedding_|vocabulary|knowledge_places|knowledge_revisions)/;

/**
 * Reads the database on a connection of its own, so that no check depends on the product. It finds the changes since
 * it was opened and undoes them. So each request meets the same data, and a failing request can be shrunk by itself.
 */
export class Store {
  private version = 0;

  private constructor(
    private readonly db: Knex,
    /** All tables with rows of the product's own. */
    readonly tables: string[],
    private readonly shadows: string[],
  ) {}

  /** Takes the present state of a database for the one to come back to, as a copy in `folder`. */
  static async open(file: string, folder: string): Promise<Store> {
    const kept = join(folder, 'kept.sqlite');
    // No foreign keys: restoring a row must not change other rows.
    const db = openSqlite(file, 1, [
      'pragma busy_timeout = 10000',
      'pragma foreign_keys = off',
      `attach '${kept}' as kept`,
    ]);
    await db.raw(`vacuum main into '${kept}'`);
    const rows = await db.raw<{ name: string }[]>(
      `select name from main.sqlite_master where type = 'table' order by name`,
    );
    const names = rows.map(({ name }) => name);
    const tables = names.filter((name) => !derived.test(name));
    // A view makes one short query, which stays prepared: preparing it takes longer than running it.
    const differing = tables.map(
      (table) =>
        `select '${table}' as name where exists (select * from main.${table} except select * from kept.${table})
         or exists (select * from kept.${table} except select * from main.${table})`,
    );
    await db.raw(`create temp view differing as ${differing.join(' union all ')}`);
    const store = new Store(
      db,
      tables,
      // In order of their names, so that the totals come last: triggers of the other tables change them.
      names.filter((name) => /^passage_(index_|features|totals)/.test(name)),
    );
    store.version = await store.readVersion();
    return store;
  }

  async rowsOf(table: string): Promise<Row[]> {
    return this.db.raw<Row[]>(`select * from main.${table}`);
  }

  /** The references of a table to other tables. */
  async referencesOf(table: string): Promise<{ column: string; table: string; to: string }[]> {
    const rows = await this.db.raw<{ from: string; table: string; to: string }[]>(
      `pragma foreign_key_list(${table})`,
    );
    return rows.map((row) => ({ column: row.from, table: row.table, to: row.to }));
  }

  /** The changes since the kept state. This is fast if nothing was written. */
  async changes(): Promise<Change[]> {
    const version = await this.readVersion();
    if (version === this.version) return [];
    this.version = version;
    const changes: Change[] = [];
    const rows = await this.db.raw<{ name: string }[]>('select name from differing');
    for (const { name } of rows) changes.push(...(await this.changesOf(name)));
    return changes;
  }

  /** Undoes the given changes. */
  async restore(changes: Change[]): Promise<void> {
    const tables = [...new Set(changes.map(({ table }) => table))];
    if (tables.length === 0) return;
    await this.db.raw('begin immediate');
    try {
      await this.putBack(tables);
      await this.db.raw('commit');
    } catch (error) {
      // An open transaction would block every later write of the server.
      await this.db.raw('rollback');
      throw error;
    }
  }

  private async putBack(tables: string[]): Promise<void> {
    // The triggers of the word index expect changes in the order of the product.
    const words = tables.some((table) => table === 'conversations' || table === 'messages')
      ? await this.db.raw<{ name: string; sql: string }[]>(
          `select name, sql from main.sqlite_master where type = 'trigger' and name like 'message_words%'`,
        )
      : [];
    for (const { name } of words) await this.db.raw(`drop trigger main.${name}`);
    for (const table of tables) {
      await this.db.raw(
        `delete from main.${table} where rowid in (select rowid from (select rowid, * from main.${table} except select rowid, * from kept.${table}))`,
      );
      await this.db.raw(`insert or ignore into main.${table} select * from kept.${table}`);
    }
    if (tables.includes('passages')) {
      for (const shadow of this.shadows) {
        await this.db.raw(`delete from main.${shadow}`);
        await this.db.raw(`insert into main.${shadow} select * from kept.${shadow}`);
      }
    }
    if (words.length > 0) {
      await this.db.raw(`insert into main.message_words (message_words) values ('rebuild')`);
    }
    for (const { sql } of words) await this.db.raw(sql);
  }

  close(): Promise<void> {
    return this.db.destroy();
  }

  private async changesOf(table: string): Promise<Change[]> {
    const only = (one: string, other: string) =>
      this.db.raw<Row[]>(`select * from ${one}.${table} except select * from ${other}.${table}`);
    const [after, before] = [await only('main', 'kept'), await only('kept', 'main')];
    const left = new Map(before.map((row) => [keyOf(row), row]));
    const changes = after.map((row): Change => {
      const old = left.get(keyOf(row));
      left.delete(keyOf(row));
      return { table, after: row, ...(old === undefined ? {} : { before: old }) };
    });
    return [...changes, ...[...left.values()].map((row) => ({ table, before: row }))];
  }

  private async readVersion(): Promise<number> {
    const [row] = await this.db.raw<{ data_version: number }[]>('pragma data_version');
    return row?.data_version ?? 0;
  }
}

/** The key of a row. The first column of every table is its primary key or the beginning of it. */
function keyOf(row: Row): string {
  return String(Object.values(row)[0]);
}
