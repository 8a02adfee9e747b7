import { AppError, messageOf, type ErrorCode } from '../errors.js';
import type { Knex } from 'knex';
import { postgresTables } from './postgres-tables.js';
import type { Dialect } from './dialect.js';
import { busyDatabase } from './sqlite-trouble.js';

export const postgresDialect: Dialect = {
  name: 'postgres',
  files: undefined,

  async tryWriting(db) {
    await db.raw('drop table if exists write_trial');
    await db.raw(`create table write_trial as select repeat('0', 65536) as bytes`);
    await db.raw('drop table write_trial');
  },

  isUniqueViolation: (error) => stateOf(error) === '23505',
  isReferenceViolation: (error) => stateOf(error) === '23503',
  // A serialization failure, or two transactions that wait for each other.
  mustRepeat: (error) => ['40001', '40P01'].includes(stateOf(error)),
  isHeldUp: (error) => stateOf(error) === '55P03',

  troubleOf(error, name = 'the database') {
    if (isUnreachable(error)) {
      const sentence = `PostgreSQL does not answer (${reasonOf(error)}). Check that it runs, and that this machine reaches ${name}. Then try again.`;
      return new AppError('database_busy', sentence, { cause: error, retryAfterSeconds: 1 });
    }
    if (this.isHeldUp(error) || this.mustRepeat(error)) return busyDatabase(error);
    const trouble = troubles.find(([state]) => stateOf(error).startsWith(state));
    if (trouble === undefined) return undefined;
    const [, code, sentence] = trouble;
    return new AppError(code, sentence, { cause: error });
  },

  // Its server checks pages as it reads them, and references whenever they change.
  checkIntegrity: () => Promise.resolve('ok'),
  listDamage: () => Promise.resolve([]),
  listAstray: () => Promise.resolve([]),

  async sizeOf(db) {
    const [row] = await db.raw<{ bytes: number }[]>(
      'select pg_database_size(current_database()) as bytes',
    );
    return row?.bytes ?? 0;
  },
  tables: postgresTables,

  async rewrite(db) {
    await db.raw('vacuum full');
    return true;
  },

  async lockSchema(trx) {
    // A serializable transaction would not see what was done while it waited.
    await trx.raw('set transaction isolation level read committed');
    await trx.raw(`select pg_advisory_xact_lock(hashtext('assistant'))`);
  },

  async keepOlderAway(trx, level) {
    const older = await olderConnections(trx, level);
    if (older.length > 0 || !(await trx.schema.hasTable('schema_migrations'))) return older;
    // Each new connection reads this table first.
    await trx.raw('lock table schema_migrations in access exclusive mode');
    await trx.raw('select pg_stat_clear_snapshot()');
    return olderConnections(trx, level);
  },

  async beginClaim(trx) {
    // A serializable transaction would be refused for each row that another one took since it began.
    await trx.raw('set transaction isolation level read committed');
  },
  passingLocked: (query) => query.forUpdate().skipLocked(),

  async lockOrder(trx, table) {
    // The query of an advisory lock would see the state from before it waited.
    await trx.raw(`lock table ${table} in share row exclusive mode`);
  },

  async createRowTrigger(trx, { timing = 'after', name, table, event, when, run }) {
    // A condition in the function may ask other tables. Its language has a variable "found".
    await trx.raw(
      `create function ${name}() returns trigger language plpgsql as $$
       #variable_conflict use_column
       begin
         if (${when})::boolean then ${run} end if;
         return coalesce(new, old);
       end $$`,
    );
    await trx.raw(
      `create trigger ${name} ${timing} ${event} on ${table} for each row execute function ${name}()`,
    );
  },

  // For each statement: a row that is updated again and again in one transaction takes longer each time.
  async createCountingTrigger(trx, { name, table, event, columns, row, when, counts }) {
    const referencing = {
      insert: 'new table as new_rows',
      delete: 'old table as old_rows',
      update: 'old table as old_rows new table as new_rows',
    }[event];
    const other = row === 'new' ? 'old_rows' : 'new_rows';
    const named = (alias: string) => `(${columns?.replaceAll(/\w+/g, `${alias}.$&`)})`;
    const changed =
      columns === undefined
        ? `${row}_rows as counted`
        : `${row}_rows as counted join ${other} as other on other.id = counted.id
             and ${named('counted')} is distinct from ${named('other')}`;
    const run = counts.map((count) => {
      const { table, key, keyOf, column, falls = false } = count;
      const keys = keyOf('counted');
      const counted = `from ${changed} where ${when?.('counted') ?? 'true'}`;
      // In one order, so that transactions do not wait for each other.
      const change = `insert into ${table} (${key}, ${column})
        select ${keys}, ${falls ? '-' : ''}count(*) ${counted} group by ${keys} order by ${keys}
        on conflict (${key}) do update set ${column} = ${table}.${column} + excluded.${column};`;
      const clean = `delete from ${table} where ${column} <= 0 and (${key}) in (select ${keys} ${counted});`;
      return falls ? change + clean : change;
    });
    await trx.raw(
      `create function ${name}() returns trigger language plpgsql as $$
       #variable_conflict use_column
       begin ${run.join('\n')} return null; end $$`,
    );
    await trx.raw(
      `create trigger ${name} after ${event} on ${table} referencing ${referencing}
       for each statement execute function ${name}()`,
    );
  },

  async dropRowTrigger(trx, name, table) {
    await trx.raw(`drop trigger ${name} on ${table}`);
    await trx.raw(`drop function ${name}()`);
  },

  messagesWithWords(db, organizationId, text, formsOf) {
    const wanted = matchWords(text, formsOf);
    if (wanted === undefined) return undefined;
    return db('message_words')
      .where({ organization_id: organizationId })
      .whereRaw('words @@ ?::tsquery', [wanted])
      .select('message_id');
  },

  isAmong: (db, column, values) => db.raw('?? = any(?)', [column, [...values] as string[]]),

  rowsWithKey(db, table, key, numbers) {
    return db.from(table).where(this.isAmong(db, key, numbers));
  },

  tableOf(db, alias, columns, rows) {
    const values = Object.entries(columns).map(
      ([name, type], index) =>
        `(value ->> ${index})::${type === 'integer' ? 'bigint' : type} as ${name}`,
    );
    const sql = `(select ${values.join(', ')} from jsonb_array_elements(?::jsonb)) as ${alias}`;
    return db.raw(sql, [JSON.stringify(rows)]);
  },

  joinInOrder: 'join',
  unindexed: '',
  jsonField: (column, field) => `${column}::jsonb ->> '${field}'`,

  async rowPlace(db, table) {
    // The key, and the time before it: many a key is no number that rises.
    const [row] = await db.raw<{ columns: string }[]>(
      `select string_agg(attname, ',' order by attname <> 'created_at', array_position(indkey::int2[], attnum)) as columns
       from pg_attribute join pg_index on attrelid = indrelid
       where indrelid = ?::regclass and indisprimary and (attnum = any(indkey) or attname = 'created_at')`,
      [table],
    );
    return row?.columns.split(',') ?? [];
  },

  async readVectorCodes(db, generationId, { after, upTo, limit }) {
    const rows: { id: number; code: Buffer }[] = await db('passage_vector_codes')
      .where('generation_id', generationId)
      .where('passage_id', '>', after)
      .where('passage_id', '<=', upTo)
      .orderBy('passage_id')
      .limit(limit)
      .select('passage_id as id', 'code');
    return { ids: rows.map(({ id }) => id), codes: Buffer.concat(rows.map(({ code }) => code)) };
  },
};

/** How the connections of a program are called, so that others see what it requires. Older programs called theirs nothing. */
export const connectionName = (level: string) => `assistant ${level}`;

async function olderConnections(trx: Knex, level: string): Promise<string[]> {
  const rows = await trx.raw<{ place: string }[]>(
    `select coalesce(host(client_addr), 'this machine') as place from pg_stat_activity
     where datname = current_database() and usename = current_user and backend_type = 'client backend'
       and pid <> pg_backend_pid()
       and (application_name = '' or (application_name like ? and application_name collate "C" < ?))`,
    [connectionName('%'), connectionName(level)],
  );
  return rows.map(({ place }) => place);
}

/** Errors of the server or its disk, by the beginning of their state. */
const troubles: readonly (readonly [state: string, code: ErrorCode, sentence: string])[] = [
  ['53100', 'no_space', 'The disk of the database is full. Free some space there.'],
  ['XX00', 'database_damaged', 'The database is damaged. Restore the last backup.'],
  ['25006', 'database_readonly', 'The database does not accept changes: its server only reads.'],
];

/** A connection that was refused, cut, or not to be had in time, by Node's codes, PostgreSQL's, and the driver's words. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof AppError) return false;
  const { code } = error as NodeJS.ErrnoException;
  const isNetwork = /^(?:ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|EPIPE)/.test(code ?? '');
  const isState = /^(?:08|57P0[123]|53300)/.test(stateOf(error));
  return isNetwork || isState || lost.test(reasonOf(error));
}

const lost =
  /^(?:Connection (?:terminated|ended)|timeout expired|Query read timeout|timeout exceeded when trying to connect|Knex: Timeout acquiring a connection|Client has encountered a connection error)/;

/** An error's message without the statement, which knex writes before it. */
function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return message.slice(message.lastIndexOf(' - ') + 1).replace(/^- /, '');
}

/** The five characters with which PostgreSQL names an error. Empty for any other error. */
function stateOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : '';
}

/** Shorter words find only themselves: too many others begin with them. */
const leastPrefix = 3;

/** A search for texts with all words of a text, or other forms of them, as a `tsquery`. */
function matchWords(
  text: string,
  formsOf: (word: string) => readonly string[],
): string | undefined {
  const pieces = text.match(/"[^"]*"|[^\s"]+/gu) ?? [];
  const wanted = pieces.flatMap((piece) => {
    const words = wordsOf(piece);
    const last = words.at(-1);
    if (last === undefined) return [];
    const sideBySide = (end: string) => [...words.slice(0, -1), end].join(' <-> ');
    if (piece.startsWith('"') || last.length < leastPrefix) return [`(${sideBySide(last)})`];
    const forms = formsOf(last).flatMap((form) => wordsOf(form).slice(0, 1));
    return [`(${[`${last}:*`, ...forms].map(sideBySide).join(' | ')})`];
  });
  return wanted.length === 0 ? undefined : [...new Set(wanted)].join(' & ');
}

/** The words of a text as the index has them: runs of letters and digits, without case and accents. */
function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFD')
      .replaceAll(/[\u0300-\u036f]/g, '')
      .toLowerCase()
      .match(/[\p{L}\p{Nd}]+/gu) ?? []
  );
}
