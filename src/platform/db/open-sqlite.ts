import knexModule from 'knex';
import type { Knex } from 'knex';
import { keepPrepared, type SqliteConnection } from './keep-prepared.js';

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
