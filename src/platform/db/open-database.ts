import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Knex } from 'knex';
import { AppError, messageOf } from '../errors.js';
import { retry } from '../retry.js';
import type { Config } from '../config/schema.js';
import type { Database } from './database.js';
import { noNotices } from './notices.js';
import { openSqlite } from './open-sqlite.js';
import { connectionPragmas, readerPragma, sqliteDialect } from './sqlite-dialect.js';

/** The pause between two checkpoints, in milliseconds. */
const checkpointMs = 2000;

/**
 * Opens the configured database. Creates the folder of its file, and the file, if they do not exist. `migrate` creates the tables.
 * Errors: `no_space`; `database_damaged`; `database_busy`; `usage` when too few files may be open; `invalid_config`
 * when it can't be opened for another reason.
 */
export async function openDatabase(settings: Config['database']): Promise<Database> {
  const folder = dirname(settings.path);
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new AppError(
      'invalid_config',
      `database.path: ${folder} can't be made: ${messageOf(error)}`,
    );
  }
  const { url } = settings;
  if (url === null) return openFile(settings);
  const { connectPostgres } = await import('./open-postgres.js');
  return connectPostgres(url, settings);
}

async function openFile(settings: Config['database']): Promise<Database> {
  const pragmas = connectionPragmas(settings.busy_timeout_ms);
  const write = openSqlite(settings.path, 1, pragmas);
  try {
    // Open the writer first: it creates the file and turns on WAL, which a reader cannot do.
    await prepareWaiting(write, settings.busy_timeout_ms);
  } catch (error) {
    await write.destroy();
    const trouble = sqliteDialect.troubleOf(error, settings.path);
    // On a full disk the settings are not wrong: when there is room again, a restart by systemd succeeds.
    if (trouble !== undefined && trouble.code !== 'database_readonly') throw trouble;
    throw new AppError(
      'invalid_config',
      `database.path: ${settings.path} can't be opened as a database (${messageOf(error)}). Check the rights on the file and its folder, and the space on its disk.`,
      { cause: error },
    );
  }
  const read = openSqlite(settings.path, settings.readers, [...pragmas, readerPragma]);
  const checkpoints = checkpointRepeatedly(read);
  return {
    read,
    write,
    aside: undefined,
    messages: undefined,
    notices: noNotices,
    dialect: sqliteDialect,
    memory: {},
    trouble: undefined,
    async close() {
      clearInterval(checkpoints);
      await read.destroy();
      await write.destroy();
    },
  };
}

/**
 * Moves the content of the write-ahead log into the database from time to time. Otherwise the commit that fills the log
 * would do it, and all writers would wait for the disk: up to 400 ms where another program writes much. A reader may do
 * it, and no writer waits for a reader. What fails is tried again.
 */
function checkpointRepeatedly(read: Knex): NodeJS.Timeout {
  const checkpoint = () => {
    read.raw('pragma wal_checkpoint(passive)').catch(() => undefined);
  };
  return setInterval(checkpoint, checkpointMs).unref();
}

const delays = { firstMs: 20, longestMs: 20 };

/**
 * When two processes open a new file at once, both turn on WAL, and one gets "busy". SQLite does not apply busy_timeout
 * to this change, so this function waits.
 */
async function prepareWaiting(write: Knex, timeoutMs: number): Promise<void> {
  let until: number | undefined;
  const isBusy = (error: unknown) => sqliteDialect.troubleOf(error)?.code === 'database_busy';
  const retryAfterMs = (error: unknown) => {
    until ??= performance.now() + timeoutMs;
    return isBusy(error) && performance.now() <= until ? 0 : undefined;
  };
  // The connection's pragmas write the first page of a new file by turning on WAL.
  const connect = () => write.raw('select count(*) from sqlite_schema');
  await retry(connect, { ...delays, attempts: Infinity, retryAfterMs });
}
