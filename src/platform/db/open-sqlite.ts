import { LRUCache } from 'lru-cache';
import knexModule from 'knex';
import type { Knex } from 'knex';
// Named imports of this CommonJS package type-check but fail at run time.
const { knex } = knexModule;

interface NewConnection extends SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
}

// knex would also print its errors to standard output, which is reserved for a command's JSON result.
export const quiet = { warn: nothing, error: nothing, deprecate: nothing, debug: nothing };

function nothing(): void {
  return undefined;
}

/**
 * Takes null characters out of the texts of a statement: PostgreSQL refuses them. Requests with one are refused before;
 * a model or an identity provider may send some.
 */
export function withoutNulls(bindings: unknown): unknown {
  const hasNull = (value: unknown) => typeof value === 'string' && value.includes('\0');
  if (!Array.isArray(bindings) || !bindings.some(hasNull)) return bindings;
  return bindings.map((value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '') : value,
  );
}

/** A pool of `size` connections to a SQLite file. The pragmas run on each connection before its first use. */
export function openSqlite(filename: string, size: number, pragmas: string[]): Knex {
  return knex({
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    log: quiet,
    // Without this, the error of a failed query quotes its values, and the log would contain texts and hashes.
    compileSqlOnError: false,
    pool: {
      // The writer stays open. SQLite thereby marks the file as in use, so that nobody replaces it by mistake.
      min: size === 1 ? 1 : 0,
      max: size,
      afterCreate(connection: NewConnection, done: (error: Error | null) => void) {
        keepPrepared(connection);
        connection.exec(pragmas.join(';'), done);
      },
    },
  });
}

/** The parts of a node-sqlite3 connection that knex calls. `this` of the callback holds the result of `run`. */
interface SqliteConnection {
  all: RunSql;
  run: RunSql;
  prepare(sql: string): Statement;
  close(done: (error: Error | null) => void): void;
}

type RunSql = (sql: string, bindings: unknown, done: Done) => void;
type Done = (this: Outcome, error: Error | null, rows?: unknown[]) => void;

interface Outcome {
  lastID?: number;
  changes?: number;
}

interface Statement {
  all(bindings: unknown, done: Done): void;
  run(bindings: unknown, done: Done): void;
  finalize(): void;
  once(event: 'error', listener: (error: Error) => void): void;
  removeListener(event: 'error', listener: (error: Error) => void): void;
}

/** Prepared statements per connection. A chat message needs about twenty. */
const mostKept = 150;
/** Longer statements insert many rows at once. They rarely repeat, and keeping one would keep its rows in memory. */
const longestKept = 2000;
/** Other statements may take effect when they are prepared (pragma), or run only once (create). */
const repeatable = /^\s*(?:select|insert|update|delete|begin|commit)\b/i;

/**
 * The statement with which knex begins a transaction. It is replaced so that each transaction is a writer from the
 * start. Otherwise SQLite returns SQLITE_BUSY at once, whatever busy_timeout says, when another process wrote between
 * the transaction's first read and its first write.
 */
const plainBegin = 'BEGIN;';
const plainRollback = 'ROLLBACK';

/** Makes a connection reuse prepared statements: preparing takes longer than running most of them. */
function keepPrepared(connection: SqliteConnection): void {
  const once = { all: connection.all, run: connection.run };
  const close = connection.close.bind(connection);
  const kept = new LRUCache<string, Statement>({
    max: mostKept,
    dispose: (statement) => statement.finalize(),
  });

  const call = (method: 'all' | 'run', asked: string, given: unknown, done: Done) => {
    const bindings = withoutNulls(given);
    const sql = asked === plainBegin ? 'BEGIN IMMEDIATE;' : asked;
    if (sql === plainRollback) {
      // On a full disk SQLite has already rolled back. Without this, knex would report that instead of the cause.
      once[method].call(connection, sql, bindings, function (error, rows) {
        const isDone = error?.message.includes('no transaction is active') === true;
        done.call({ ...this }, isDone ? null : error, rows);
      });
      return;
    }
    if (sql.length > longestKept || !repeatable.test(sql)) {
      once[method].call(connection, sql, bindings, done);
      return;
    }
    const statement = kept.get(sql) ?? connection.prepare(sql);
    // Reports a statement that can't be prepared; it is then not run.
    const refuse = (error: Error) => {
      kept.delete(sql);
      done.call({}, error);
    };
    if (!kept.has(sql)) {
      statement.once('error', refuse);
      kept.set(sql, statement);
    }
    statement[method](bindings, function (error, rows) {
      // With its listener, the statement would keep the values of its first call as long as itself.
      statement.removeListener('error', refuse);
      // A statement that got "busy" would keep its lock on the database.
      if (error !== null) kept.delete(sql);
      done.call({ ...this }, error, rows);
    });
  };
  connection.all = (sql, bindings, done) => call('all', sql, bindings, done);
  connection.run = (sql, bindings, done) => call('run', sql, bindings, done);
  // SQLite does not close a connection that still has statements.
  connection.close = (done) => {
    kept.clear();
    close(done);
  };
}
