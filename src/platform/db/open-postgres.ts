import knexModule from 'knex';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import type { Knex } from 'knex';
import type { Database } from './database.js';
import { plainAddress } from '../config/secret-settings.js';
import { AppError, messageOf } from '../errors.js';
import { repeat } from './in-transaction.js';
import { createNotices, type ListeningConnection } from './notices.js';
import { quiet, withoutNulls } from './open-sqlite.js';
import { unfinishedCopy } from './migrate.js';
import { connectionName, postgresDialect } from './postgres-dialect.js';
import { refuseNewer, schemaLevel } from './side-by-side.js';
import {
  type ConnectionWatch,
  type DriverConnection,
  watchConnections,
} from './watch-connections.js';
// Named imports of this CommonJS package type-check but fail at run time.
const { knex } = knexModule;

/** The connections on which transactions run at a time, beside the one for messages. */
const writers = 9;
/** How long a transaction waits for a lock on the connection for messages before it gives way to others. */
const mostHeldUpMs = 200;

/**
 * Opens a database of PostgreSQL, and asks how it sorts. Errors: `database_busy` when it can't be reached, or has no room
 * for another connection; `invalid_config` when it refuses this user, does not exist, or sorts texts otherwise than by
 * the numbers of their characters.
 */
export async function connectPostgres(
  url: string,
  { readers, busy_timeout_ms }: { readers: number; busy_timeout_ms: number },
): Promise<Database> {
  const db = openPostgres(url, readers, busy_timeout_ms);
  try {
    await requireSettings(db);
    await requireOrder(db, plainAddress(url));
    return db;
  } catch (error) {
    await db.close();
    if (error instanceof AppError) throw error;
    const name = plainAddress(url);
    const trouble = postgresDialect.troubleOf(error, name);
    if (trouble !== undefined) throw trouble;
    throw new AppError(
      'invalid_config',
      `database.url: ${name} can't be opened (${messageOf(error)}). Check its name, its user and the password.`,
      { cause: error },
    );
  }
}

/** Without them, changes that cross would lose each other. */
async function requireSettings({ write }: Database): Promise<void> {
  const [row] = await write.raw<{ level: string }[]>(
    `select current_setting('default_transaction_isolation') as level`,
  );
  if (row?.level === 'serializable') return;
  throw new Error('a pooler in front of it leaves out the settings of connections');
}

/** Beginnings of words are found by this order, and lists are the same as in SQLite. */
async function requireOrder({ read }: Database, name: string): Promise<void> {
  const [found] = await read.raw<{ collation: string; folds: boolean }[]>(
    `select case datlocprovider when 'c' then datcollate else 'others' end as collation,
       pg_encoding_to_char(encoding) = 'UTF8' and lower('Ä') = 'ä' as folds
     from pg_database where datname = current_database()`,
  );
  if (found?.folds === true && /^(?:C|POSIX|C\.utf-?8)$/i.test(found.collation)) return;
  throw new AppError(
    'invalid_config',
    `database.url: ${name} sorts texts by the rules of ${found?.collation ?? 'no locale'}, or does not know their letters. Make another database: create database assistant template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8'`,
  );
}

/** Opens a database of PostgreSQL. It connects with the first query. */
export function openPostgres(url: string, readers: number, waitMs = 10_000): Database {
  const isolation = 'default_transaction_isolation=serializable';
  const write = openPool(url, writers, waitMs, [isolation]);
  const messages = openPool(url, 1, waitMs, [isolation, `lock_timeout=${mostHeldUpMs}`]);
  // Readers refuse to write, as those of SQLite do. What one statement reads is of one moment anyway.
  const read = openPool(url, readers, waitMs, ['default_transaction_read_only=on']);
  const aside = openPool(url, 1, waitMs, [
    'synchronous_commit=off',
    'default_transaction_isolation=read\\ committed',
  ]);
  const notices = createNotices({
    notify: (text) => aside.raw('select pg_notify(?, ?)', ['assistant', text]),
    connect: () => (aside.client as Client).acquireRawConnection(),
  });
  return {
    read,
    write,
    messages,
    aside,
    notices,
    dialect: postgresDialect,
    memory: {},
    trouble: undefined,
    async close() {
      await notices.close();
      await read.destroy();
      await write.destroy();
      await messages.destroy();
      await aside.destroy();
    },
  };
}

/** Making a plan for machine code, or for several processes, takes longer than most of these queries run. */
const plans = ['jit=off', 'max_parallel_workers_per_gather=0'];

function openPool(url: string, size: number, waitMs: number, settings: string[]): Knex {
  const options = [...plans, `lock_timeout=${waitMs}`, ...settings]
    .map((setting) => `-c ${setting}`)
    .join(' ');
  const watch = watchConnections(waitMs, () => (pool.client as Client).connectUnwatched());
  const pool: Knex = knex({
    // A transaction has a client of the same class.
    client: class extends Client {
      protected override get watch() {
        return watch;
      }
    },
    connection: {
      connectionString: url,
      connectionTimeoutMillis: waitMs,
      application_name: ownName(),
      // For the connection that only listens. Ten probes follow, one a second.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      options,
      types: { getTypeParser },
    },
    log: quiet,
    compileSqlOnError: false,
    pool: { min: 0, max: size },
    acquireConnectionTimeout: waitMs,
  });
  return pool;
}

/** A connection of the driver. It answers two statements at once with two results. */
type RawConnection = {
  query(statements: {
    text: string;
    query_timeout: number;
  }): Promise<[unknown, { rows: unknown[] }]>;
} & DriverConnection &
  ListeningConnection;

/**
 * Repeats statements outside of transactions that others are in the way of; `inTransaction` repeats the others. Columns
 * take what those of SQLite take: texts of any length, and all whole numbers that are exact.
 */
abstract class Client extends PostgresClient {
  /** Of a raw query too, only the rows, as of SQLite. Not by a setting, because knex's migrator takes that away. */
  override postProcessResponse(answer: unknown): unknown {
    return isResult(answer) ? answer.rows : answer;
  }

  protected abstract get watch(): ConnectionWatch;

  /** Errors: `database_newer`; `database_busy` for a server that only reads until it is promoted. */
  override async acquireRawConnection(): Promise<RawConnection> {
    const connection = await this.connectUnwatched();
    try {
      await requireCurrent(connection, this.watch.quietMs);
      await this.watch.add(connection);
    } catch (error) {
      connection.connection.stream.destroy();
      throw error;
    }
    return connection;
  }

  async connectUnwatched(): Promise<RawConnection> {
    // Not by knex's own way, which asks a version first: a standby refuses it.
    return (await this._acquireOnlyConnection()) as RawConnection;
  }

  override validateConnection(connection: DriverConnection): Promise<boolean> {
    return Promise.resolve(this.watch.isTrusted(connection));
  }

  override _query(connection: DriverConnection, query: unknown): Promise<unknown> {
    const once = () => this.watch.follow(connection, super._query(connection, query));
    return this.transacting === true ? once() : repeat(postgresDialect, once);
  }

  override prepBindings(bindings: unknown): unknown {
    return withoutNulls(super.prepBindings(bindings));
  }

  override columnCompiler(...column: unknown[]) {
    const compiler = super.columnCompiler(...column);
    const { bigincrements } = compiler;
    return Object.assign(compiler, {
      varchar: 'text',
      integer: 'bigint',
      increments: bigincrements,
      floating: 'double precision',
    });
  }
}

const ownName = () => connectionName(schemaLevel({ dialect: postgresDialect }));

/**
 * Asks with each new connection, because meanwhile an address may have moved to a standby, and a newer program may have
 * changed the database.
 */
async function requireCurrent(connection: RawConnection, waitMs: number): Promise<void> {
  const ask = async <T>(sql: string) => {
    // A serializable transaction would read the state from before it waited for a migration. A standby refuses it.
    const level = 'set transaction isolation level read committed';
    const [, { rows }] = await connection.query({
      text: `${level}; ${sql}`,
      query_timeout: waitMs,
    });
    return rows as T[];
  };
  // An address may give another name to the connection.
  const [found] = await ask<{ standby: boolean; migrations: string | null }>(
    `select pg_is_in_recovery() as standby, to_regclass('schema_migrations') as migrations,
       set_config('application_name', '${ownName()}', false)`,
  );
  if (found?.standby === true) {
    throw new AppError(
      'database_busy',
      'PostgreSQL does not answer as a primary: it is a standby, which only reads. Promote it, or correct database.url. Then try again.',
      { retryAfterSeconds: 1 },
    );
  }
  if (typeof found?.migrations !== 'string') return;
  const applied = await ask<{ name: string }>('select name from schema_migrations');
  const names = applied.map(({ name }) => name).filter((name) => name !== unfinishedCopy);
  refuseNewer({ dialect: postgresDialect }, names);
}

function isResult(answer: unknown): answer is { rows: unknown[] } {
  return typeof answer === 'object' && answer !== null && 'rows' in answer && 'command' in answer;
}

const boolean = 16;
const bytes = 17;
const float8 = 701;
const time = 1184;
/** int8, int2, int4, oid, and numeric: counts and sums too are numbers here. */
const numbers = new Set([20, 21, 23, 26, 1700]);

/** How a value is read from its text, by the number of its type in PostgreSQL. Set for these pools alone. */
function getTypeParser(type: number): (text: string) => unknown {
  if (numbers.has(type)) return exactNumber;
  if (type === float8) return Number;
  if (type === boolean) return (text) => text === 't';
  if (type === bytes) return (text) => Buffer.from(text.slice(2), 'hex');
  if (type === time) return Date.parse;
  return (text) => text;
}

function exactNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new RangeError(`${text} is too large for an exact number`);
  }
  return number;
}
