import { openSqlite } from './open-sqlite.js';
import { copySqlite } from './sqlite-file.js';
import type { Dialect, IndexedPassage } from './dialect.js';

/** Bound parameters per statement that every SQLite build allows. */
const parametersPerStatement = 900;

/**
 * SQLite with FTS5. The index keeps analysed terms only (contentless with delete): the text itself stands
 * in `passages`. Terms hold letters, digits and `_` alone, which unicode61 leaves in one piece.
 */
export const sqliteDialect: Dialect = {
  name: 'sqlite',

  async prepare(db) {
    await db.raw('create table if not exists write_lock (held integer not null)');
  },

  // A write that changes nothing takes the write lock, and waits for it as busy_timeout says.
  async lockForWriting(trx) {
    await trx.raw('update write_lock set held = held where held = 0 and 1 = 0');
  },

  isUniqueViolation: (error) => sqliteMessage(error).includes('UNIQUE constraint failed'),
  isUnwritable: (error) => /SQLITE_(READONLY|FULL|IOERR|CANTOPEN)/.test(sqliteMessage(error)),
  isBusy: (error) => /SQLITE_(BUSY|LOCKED)/.test(sqliteMessage(error)),

  // On a connection of its own: the one that writes may be within a transaction, and those that read may not do it.
  copyTo: copySqlite,

  async checkIntegrity(db) {
    const rows = await db.raw<{ quick_check: string }[]>('pragma quick_check(1)');
    return rows[0]?.quick_check ?? 'no answer';
  },

  async checkCopy(file) {
    const copy = openSqlite(file, 1, ['pragma query_only = on']);
    try {
      const answer = await this.checkIntegrity(copy);
      if (answer !== 'ok') throw new Error(`the copy is damaged: ${answer}`);
    } finally {
      await copy.destroy();
    }
  },

  async createRowTrigger(trx, { name, table, event, when, run }) {
    await trx.raw(
      `create trigger ${name} after ${event} on ${table} for each row when ${when} begin ${run} end`,
    );
  },

  async createPassageIndex(trx) {
    await trx.raw(
      `create virtual table passage_index using fts5(title, body, content='', contentless_delete=1,
       tokenize="unicode61 remove_diacritics 0 tokenchars '_'")`,
    );
    await trx.raw(`create virtual table passage_terms using fts5vocab(passage_index, 'row')`);
  },

  async addToPassageIndex(trx, passages) {
    const rowsPerStatement = Math.floor(parametersPerStatement / 3);
    for (let start = 0; start < passages.length; start += rowsPerStatement) {
      const rows = passages.slice(start, start + rowsPerStatement);
      await trx.raw(
        `insert into passage_index (rowid, title, body) values ${rows.map(() => '(?, ?, ?)').join(', ')}`,
        rows.flatMap((row: IndexedPassage) => [row.passageId, row.titleTerms, row.bodyTerms]),
      );
    }
  },

  async removeFromPassageIndex(trx, passageIds) {
    for (let start = 0; start < passageIds.length; start += parametersPerStatement) {
      const ids = passageIds.slice(start, start + parametersPerStatement);
      await trx('passage_index').whereIn('rowid', ids).delete();
    }
  },

  matchPassages(db, choices) {
    const match = choices
      .map((all) => all.map((any) => `(${any.map(quoted).join(' OR ')})`).join(' AND '))
      .join(' OR ');
    return (
      db('passage_index')
        // The index has all that the rights ask for: the row itself, with its text, is not touched.
        .joinRaw('cross join passages as p indexed by passages_scope on p.id = passage_index.rowid')
        .whereRaw('passage_index match ?', [match])
        .select(db.raw('group_concat(p.id) as ids'))
    );
  },

  rowsWithKey(db, table, key, numbers) {
    return (
      db
        // Else SQLite may take another index, such as that of the rights, and walk through a whole organization.
        .from(db.raw(`${table} not indexed`))
        .whereRaw('?? in (select value from json_each(?))', [key, JSON.stringify(numbers)])
    );
  },

  passagesWith(db, terms) {
    return db('passage_index')
      .joinRaw('cross join passages as p indexed by passages_scope on p.id = passage_index.rowid')
      .whereRaw('passage_index match ?', [terms.map(quoted).join(' OR ')]);
  },

  matchEntries(db, groups, titleWeight) {
    const match = groups
      .map((terms) => `(${terms.map((term) => `${quoted(term)} *`).join(' OR ')})`)
      .join(' AND ');
    const scored = db('passage_index')
      .join('passages as p', 'p.id', 'passage_index.rowid')
      .whereRaw('passage_index match ?', [match])
      .select('p.entry_id', db.raw('-bm25(passage_index, ?, 1.0) as score', [titleWeight]))
      // Without a limit SQLite would fold this query into the grouping one, where bm25 can't be had.
      .limit(Number.MAX_SAFE_INTEGER)
      .as('scored');
    return db.from(scored).groupBy('entry_id').select('entry_id').max({ score: 'score' });
  },

  async readVectorCodes(db, generationId, { after, upTo, limit }) {
    const codes = db('passage_vector_codes')
      .where('generation_id', generationId)
      .where('passage_id', '>', after)
      .where('passage_id', '<=', upTo)
      .orderBy('passage_id')
      .limit(limit)
      .select('passage_id', 'code')
      .as('codes');
    const [row]: { ids: string | null; codes: string | null }[] = await db
      .from(codes)
      .select(
        db.raw('group_concat(passage_id order by passage_id) as ids'),
        db.raw(`group_concat(hex(code), '' order by passage_id) as codes`),
      );
    return {
      ids: row?.ids?.split(',').map(Number) ?? [],
      codes: Buffer.from(row?.codes ?? '', 'hex'),
    };
  },

  async readVectors(db, generationId, passageIds) {
    const rows: { id: number; vector: Buffer }[] = await db('passage_vectors')
      .where('generation_id', generationId)
      .whereRaw('passage_id in (select value from json_each(?))', [JSON.stringify(passageIds)])
      .select('passage_id as id', 'vector');
    return rows;
  },

  async countPassagesWith(db, terms) {
    const rows: { term: string; doc: number }[] = await db('passage_terms')
      .whereIn('term', terms)
      .select('term', 'doc');
    return new Map(rows.map((row) => [row.term, row.doc]));
  },
};

/** A term as FTS5 takes it literally: no operator, prefix or column filter can be smuggled in. */
function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

function sqliteMessage(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

/** What every connection is set to before it is used. */
export function connectionPragmas(busyTimeoutMs: number): string[] {
  return [
    `pragma busy_timeout = ${busyTimeoutMs}`,
    'pragma journal_mode = wal',
    'pragma synchronous = normal',
    'pragma foreign_keys = on',
    'pragma journal_size_limit = 67108864',
  ];
}

/** Readers refuse to write, so that no statement escapes the one writer. */
export const readerPragma = 'pragma query_only = on';
