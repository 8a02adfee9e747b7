import { LRUCache } from 'lru-cache';
import knexModule from 'knex';
import type { Knex } from 'knex';
// Named imports of this CommonJS package type-check, and then fail at run time.
const { knex } = knexModule;

interface NewConnection extends SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
}

// knex would print what it then throws too, to standard output, where a command's JSON answer stands.
const quiet = { warn: nothing, error: nothing, deprecate: nothing, debug: nothing };

function nothing(): void {
  return undefined;
}

/** A pool of `size` connections to a SQLite file, each set up by the pragmas before its first use. */
export function openSqlite(filename: string, size: number, pragmas: string[]): Knex {
  return knex({
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    log: quiet,
    // Else the message of a failed query quotes what was to be stored: texts and hashes, into the log.
    compileSqlOnError: false,
    pool: {
      // The one that writes stays open, and with it SQLite's own sign that the file is in use, which nobody who would
      // put another in its place can overlook. Those that read come and go.
      min: size === 1 ? 1 : 0,
      max: size,
      afterCreate(connection: NewConnection, done: (error: Error | null) => void) {
        keepPrepared(connection);
        connection.exec(pragmas.join(';'), done);
      },
    },
  });
}

/** What knex calls of a connection of node-sqlite3; `this` of the callback tells what a `run` did. */
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
}

/** Statements that a connection keeps; those of a message are some twenty. */
const mostKept = 150;
/** Longer ones store many rows at once: no other has just as many, and the rows would be kept with it. */
const longestKept = 2000;
/** Others may act when they are prepared already (pragma), or are run once (create). */
const repeatable = /^\s*(?:select|insert|update|delete|begin|commit)\b/i;

/**
 * What knex begins a transaction with. Each is a writer from its beginning here: else SQLite answers SQLITE_BUSY at
 * once, whatever busy_timeout says, where another process wrote between its first read and its first write.
 */
const plainBegin = 'BEGIN;';
const plainRollback = 'ROLLBACK';

/**
 * Makes a connection keep its statements prepared, where it would prepare each call's anew: that takes longer than most
 * of them run, and a turn of a thread of its own.
 */
function keepPrepared(connection: SqliteConnection): void {
  const once = { all: connection.all, run: connection.run };
  const close = connection.close.bind(connection);
  const kept = new LRUCache<string, Statement>({
    max: mostKept,
    dispose: (statement) => statement.finalize(),
  });

  const call = (method: 'all' | 'run', asked: string, bindings: unknown, done: Done) => {
    const sql = asked === plainBegin ? 'BEGIN IMMEDIATE;' : asked;
    if (sql === plainRollback) {
      // Where the disk is full, SQLite has rolled back already: knex would tell of this in place of why.
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
    let statement = kept.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      // Told where it can't be prepared; then it is not run either.
      statement.once('error', (error) => {
        kept.delete(sql);
        done.call({}, error);
      });
      kept.set(sql, statement);
    }
    statement[method](bindings, function (error, rows) {
      // One that was told that the database is busy would hold on to it.
      if (error !== null) kept.delete(sql);
      done.call({ ...this }, error, rows);
    });
  };
  connection.all = (sql, bindings, done) => call('all', sql, bindings, done);
  connection.run = (sql, bindings, done) => call('run', sql, bindings, done);
  // SQLite closes no connection that has statements.
  connection.close = (done) => {
    kept.clear();
    close(done);
  };
}
