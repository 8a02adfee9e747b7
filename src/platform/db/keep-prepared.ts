/** What knex calls of a connection of node-sqlite3; `this` of the callback tells what a `run` did. */
export interface SqliteConnection {
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

/**
 * Makes a connection keep its statements prepared, where it would prepare each call's anew: that takes longer than most
 * of them run, and a turn of a thread of its own.
 */
export function keepPrepared(connection: SqliteConnection): void {
  const once = { all: connection.all, run: connection.run };
  const close = connection.close.bind(connection);
  /** The one that was used the longest ago comes first. */
  const kept = new Map<string, Statement>();
  const forget = (sql: string) => {
    kept.get(sql)?.finalize();
    kept.delete(sql);
  };

  const call = (method: 'all' | 'run', asked: string, bindings: unknown, done: Done) => {
    const sql = asked === plainBegin ? 'BEGIN IMMEDIATE;' : asked;
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
    } else kept.delete(sql);
    kept.set(sql, statement);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) forget(oldest);
    statement[method](bindings, function (error, rows) {
      // One that was told that the database is busy would hold on to it.
      if (error !== null) forget(sql);
      done.call({ ...this }, error, rows);
    });
  };
  connection.all = (sql, bindings, done) => call('all', sql, bindings, done);
  connection.run = (sql, bindings, done) => call('run', sql, bindings, done);
  // SQLite closes no connection that has statements.
  connection.close = (done) => {
    [...kept.keys()].forEach(forget);
    close(done);
  };
}
