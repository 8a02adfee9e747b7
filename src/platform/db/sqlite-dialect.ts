import { setTimeout as wait } from 'node:timers/promises';
import { openSqlite } from './open-sqlite.js';
import { copySqlite } from './sqlite-file.js';
import { isDiskFull, sqliteTrouble } from './sqlite-trouble.js';
import { rebuildMessageWords, sqliteTables } from './sqlite-tables.js';
import type { DatabaseFiles, Dialect } from './dialect.js';

/** The time that the repeated checkpoint of this or another process has to end, in milliseconds. */
const checkpointPatienceMs = 5000;

export const sqliteFiles: DatabaseFiles = {
  // Uses a connection of its own: the writer may be inside a transaction, and readers may not copy.
  copyTo: copySqlite,
  isDiskFull,

  async checkCopy(file) {
    const copy = openSqlite(file, 1, ['pragma query_only = on']);
    try {
      const answer = await sqliteDialect.checkIntegrity(copy);
      if (answer !== 'ok') throw new Error(`the copy is damaged: ${answer}`);
    } finally {
      await copy.destroy();
    }
  },
};

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  files: sqliteFiles,

  async tryWriting(db) {
    // Committed, because a rolled-back write may never reach the disk.
    await db.raw('drop table if exists write_trial');
    await db.raw('create table write_trial as select zeroblob(65536)');
    await db.raw('drop table write_trial');
  },

  isUniqueViolation: (error) => sqliteMessage(error).includes('UNIQUE constraint failed'),
  isReferenceViolation: (error) => sqliteMessage(error).includes('FOREIGN KEY constraint failed'),
  troubleOf: sqliteTrouble,
  mustRepeat: () => false,
  isHeldUp: () => false,

  async checkIntegrity(db) {
    const rows = await db.raw<{ quick_check: string }[]>('pragma quick_check(1)');
    return rows[0]?.quick_check ?? 'no answer';
  },

  async listDamage(db) {
    const rows: { integrity_check: string }[] = await db.raw('pragma integrity_check(20)');
    return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
  },

  async listAstray(db) {
    const rows: { child: string; parent: string; number: number }[] = await db.raw(
      'select "table" as child, parent, count(*) as number from pragma_foreign_key_check group by 1, 2',
    );
    return rows.map(({ child, parent, number }) =>
      number === 1
        ? `a row of ${child} refers to none of ${parent}`
        : `${number} rows of ${child} refer to none of ${parent}`,
    );
  },

  async sizeOf(db) {
    const [row] = await db.raw<{ bytes: number }[]>(
      'select page_count * page_size as bytes from pragma_page_count, pragma_page_size',
    );
    return row?.bytes ?? 0;
  },
  tables: sqliteTables,

  async rewrite(db) {
    // Its pages are told apart by beginnings of words, which may be of deleted ones.
    await rebuildMessageWords(db);
    await db.raw('vacuum');
    // SQLite does not wait for a checkpoint that is under way.
    const end = performance.now() + checkpointPatienceMs;
    for (;;) {
      const [row] = await db.raw<{ busy: number }[]>('pragma wal_checkpoint(truncate)');
      if (row?.busy === 0 || performance.now() > end) return row?.busy === 0;
      await wait(50);
    }
  },

  // Each transaction is a writer from its start, and there is one at a time.
  lockSchema: () => Promise.resolve(),
  keepOlderAway: () => Promise.resolve([]),
  beginClaim: () => Promise.resolve(),
  passingLocked: (query) => query,
  lockOrder: () => Promise.resolve(),

  async createRowTrigger(trx, { timing = 'after', name, table, event, when, run }) {
    await trx.raw(
      `create trigger ${name} ${timing} ${event} on ${table} for each row when ${when} begin ${run} end`,
    );
  },

  async createCountingTrigger(trx, { event, columns, row, when = () => '1', counts, ...rest }) {
    const run = counts.map(({ table, key, keyOf, column, falls = false }) =>
      falls
        ? `update ${table} set ${column} = ${column} - 1 where (${key}) = (${keyOf(row)});
           delete from ${table} where (${key}) = (${keyOf(row)}) and ${column} <= 0;`
        : `insert into ${table} (${key}, ${column}) values (${keyOf(row)}, 1)
           on conflict (${key}) do update set ${column} = ${table}.${column} + 1;`,
    );
    await this.createRowTrigger(trx, {
      ...{ ...rest, run: run.join('\n'), when: when(row) },
      event: columns === undefined ? event : `${event} of ${columns}`,
    });
  },

  async dropRowTrigger(trx, name) {
    await trx.raw(`drop trigger ${name}`);
  },

  messagesWithWords(db, organizationId, text, formsOf) {
    const wanted = matchWords(organizationId, text, formsOf);
    if (wanted === undefined) return undefined;
    return db('message_words')
      .whereRaw('message_words match ?', [wanted])
      .select('rowid as message_id');
  },

  isAmong: (db, column, values) =>
    db.raw('?? in (select value from json_each(?))', [column, JSON.stringify(values)]),

  rowsWithKey(db, table, key, numbers) {
    return (
      db
        // Without this, SQLite may choose another index, such as that of the rights, and scan a whole organization.
        .from(db.raw(`${table} not indexed`))
        .where(this.isAmong(db, key, numbers))
    );
  },

  tableOf(db, alias, columns, rows) {
    const values = Object.keys(columns).map((name, index) => `value ->> ${index} as ${name}`);
    const sql = `(select ${values.join(', ')} from json_each(?)) as ${alias}`;
    return db.raw(sql, [JSON.stringify(rows)]);
  },

  joinInOrder: 'cross join',
  unindexed: '+',
  jsonField: (column, field) => `${column} ->> '${field}'`,
  rowPlace: () => Promise.resolve(['rowid']),

  async readVectorCodes(db, generationId, { after, upTo, limit }) {
    const codes = db('passage_vector_codes')
      .where('generation_id', generationId)
      .where('passage_id', '>', after)
      .where('passage_id', '<=', upTo)
      .orderBy('passage_id')
      .limit(limit)
      .select('passage_id', 'code')
      .as('codes');
    const [row]: { ids: string | null; codes: string | null }[] = await db.from(codes).select(
      // In the order of the limited query. Ordered here, they took twice as long.
      db.raw('group_concat(passage_id) as ids'),
      db.raw(`group_concat(hex(code), '') as codes`),
    );
    return {
      ids: row?.ids?.split(',').map(Number) ?? [],
      codes: Buffer.from(row?.codes ?? '', 'hex'),
    };
  },
};

function sqliteMessage(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

export function connectionPragmas(busyTimeoutMs: number): string[] {
  return [
    `pragma busy_timeout = ${busyTimeoutMs}`,
    'pragma journal_mode = wal',
    'pragma synchronous = normal',
    'pragma foreign_keys = on',
    'pragma journal_size_limit = 67108864',
    // Pages of 4 KB, instead of 1,000. A commit moves the log's content only if the repeated checkpoints do not.
    'pragma wal_autocheckpoint = 10000',
    // Overwrites deleted data. Cells that SQLite moved earlier can leave a copy; `rewrite` removes those too.
    'pragma secure_delete = on',
  ];
}

/** Readers refuse to write, so that every write uses the one writer. */
export const readerPragma = 'pragma query_only = on';

/** Shorter words find only themselves: too many others begin with them. */
const leastPrefix = 3;

/** Begins the word of an organization in the index of messages, as the view of migration 0074 writes it. */
export const ownerSign = '\u{e000}';

/**
 * A search for messages of an organization with all words of a text, or other forms of them, in the language of FTS5.
 * Words in quotes must stand side by side as they are.
 */
function matchWords(
  organizationId: number,
  text: string,
  formsOf: (word: string) => readonly string[],
): string | undefined {
  const pieces = text.match(/"[^"]*"|[^\s"]+/gu) ?? [];
  const wanted = pieces.flatMap((piece) => {
    // A word with a sign in it is two for FTS5, side by side.
    const found = /[\p{L}\p{N}\p{M}]+(?=[^\p{L}\p{N}\p{M}]*$)/u.exec(piece);
    if (found === null) return [];
    const [last] = found;
    // In quotes, nothing of a text is an operator.
    if (piece.startsWith('"')) return [piece];
    const isShort = (last.match(/[\p{L}\p{N}]/gu) ?? []).length < leastPrefix;
    if (isShort) return [`"${piece}"`];
    const forms = formsOf(last).map((form) => `"${piece.slice(0, found.index)}${form}"`);
    return [`(${[`"${piece}"*`, ...forms].join(' OR ')})`];
  });
  if (wanted.length === 0) return undefined;
  return [`"${ownerSign}${organizationId}"`, ...new Set(wanted)].join(' AND ');
}
