import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { chownSync } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { openApp } from '../../src/main/open-app.js';
import { configSchema } from '../../src/platform/config/schema.js';
import { openPostgres } from '../../src/platform/db/open-postgres.js';
import { findProgram } from '../browser/support/find-program.js';

/** PostgreSQL refuses to run as root. */
const asOther = userInfo().uid === 0 ? { uid: 65534, gid: 65534 } : {};

/** A server of PostgreSQL of its own, whose databases are gone with it. */
export interface PostgresServer {
  /** Without a database. */
  url: string;
  /** Ends all of its processes at once, as a crash does, and starts it again. */
  crash(): void;
  stop(): Promise<void>;
}

/**
 * Starts a server on a free port, with settings that would lose data in a power cut.
 *
 * @param durable whether a crash of the server loses no commit: each is with the operating system before it is acknowledged
 */
export async function startPostgres(durable = false): Promise<PostgresServer> {
  const initdb = findProgram({
    ...{ name: 'PostgreSQL', variable: 'INITDB_PATH', packages: ['postgresql'] },
    ...{ asked: '--version', answers: /initdb \(PostgreSQL\)/ },
    paths: [18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin/initdb`),
  });
  const folder = await mkdtemp(join(tmpdir(), 'assistant-postgres-'));
  if (asOther.uid !== undefined) chownSync(folder, asOther.uid, asOther.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  const locale = ['--encoding=UTF8', '--lc-collate=C', '--lc-ctype=C.UTF-8'];
  runProgram(initdb, ['-D', data, '-U', 'test', '-A', 'trust', '--no-sync', ...locale]);
  const settings = `fsync = off
    synchronous_commit = ${durable ? 'on' : 'off'}
    full_page_writes = off
    listen_addresses = '127.0.0.1'
    port = ${port}
    unix_socket_directories = ''
    max_connections = 300
    max_wal_size = 1GB
    log_min_messages = fatal`;
  await appendFile(join(data, 'postgresql.conf'), settings);
  const control = join(dirname(initdb), 'pg_ctl');
  const log = join(folder, 'log');
  runProgram(control, ['-D', data, '-l', log, '-w', 'start']);
  return {
    url: `postgres://test@127.0.0.1:${port}`,
    crash: () => runProgram(control, ['-D', data, '-l', log, '-m', 'immediate', '-w', 'restart']),
    async stop() {
      runProgram(control, ['-D', data, '-m', 'immediate', '-w', 'stop']);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function runProgram(program: string, args: string[]): void {
  // Its server would keep an inherited output open.
  const { status, stderr, error } = spawnSync(program, args, {
    ...asOther,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a server with the database that those of tests begin as. */
export async function startTestPostgres(): Promise<PostgresServer> {
  const server = await startPostgres();
  const { url } = await createDatabase(server.url, { name: template });
  const config = configSchema.parse({ log: { level: 'silent' } });
  await (await openApp(config, { db: openPostgres(url, 1) })).close();
  return server;
}

/** The name of the database, with all migrations, that those of tests begin as. */
export const template = 'assistant_template';

/** Creates a database on a server: empty, or like `template`. `drop` deletes it. */
export async function createDatabase(
  server: string,
  { name = `test_${randomUUID().replaceAll('-', '')}`, template = 'template0', locale = '' } = {},
): Promise<{ url: string; drop(): Promise<void> }> {
  await asked(server, `create database ${name} template ${template} ${locale}`);
  return {
    url: `${server}/${name}`,
    drop: () => asked(server, `drop database if exists ${name} with (force)`),
  };
}

async function asked(server: string, sql: string): Promise<void> {
  const db = openPostgres(`${server}/postgres`, 1);
  try {
    await db.write.raw(sql);
  } finally {
    await db.close();
  }
}
