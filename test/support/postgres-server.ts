import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { chownSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
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
  crash(): Promise<void>;
  /** Ends it by SIGKILL, as the loss of its machine does. */
  kill(): Promise<void>;
  /** Starts a standby, without which no commit of this server is acknowledged from then on. */
  follow(): Promise<PostgresServer>;
  /** Makes a standby a server of its own. */
  promote(): Promise<void>;
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
  const programs = dirname(initdb);
  const locale = ['--encoding=UTF8', '--lc-collate=C', '--lc-ctype=C.UTF-8'];
  return startServer(programs, async (data) => {
    await runProgram(initdb, ['-D', data, '-U', 'test', '-A', 'trust', '--no-sync', ...locale]);
    return `fsync = off
      synchronous_commit = ${durable ? 'on' : 'off'}
      full_page_writes = off
      listen_addresses = '127.0.0.1'
      unix_socket_directories = ''
      max_connections = 300
      max_wal_size = 1GB
      wal_retrieve_retry_interval = 100ms
      log_min_messages = fatal`;
  });
}

/** Starts a server on a free port. `fill` fills its folder, and answers its settings. */
async function startServer(
  programs: string,
  fill: (data: string) => Promise<string>,
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'assistant-postgres-'));
  if (asOther.uid !== undefined) chownSync(folder, asOther.uid, asOther.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  const settings = await fill(data);
  await appendFile(join(data, 'postgresql.conf'), `${settings}\nport = ${port}\n`);
  const control = (...args: string[]) =>
    runProgram(join(programs, 'pg_ctl'), ['-D', data, '-l', join(folder, 'log'), '-w', ...args]);
  await control('start');
  const url = `postgres://test@127.0.0.1:${port}`;
  let isKilled = false;
  return {
    url,
    crash: () => control('-m', 'immediate', 'restart'),
    async kill() {
      const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
      isKilled = true;
    },
    async follow() {
      const standby = await startServer(programs, async (copy) => {
        const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'test', '--write-recovery-conf'];
        const how = ['--checkpoint', 'fast', '--no-sync'];
        await runProgram(join(programs, 'pg_basebackup'), ['-D', copy, ...from, ...how]);
        return '';
      });
      await asked(url, `alter system set synchronous_standby_names = '*'`);
      await asked(url, 'select pg_reload_conf()');
      return standby;
    },
    promote: () => control('promote'),
    async stop() {
      if (!isKilled) await control('-m', 'immediate', 'stop');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function runProgram(program: string, args: string[]): Promise<void> {
  // Its server would keep an inherited output open.
  const child = spawn(program, args, { ...asOther, stdio: ['ignore', 'ignore', 'pipe'] });
  const [, said] = await Promise.all([once(child, 'close'), text(child.stderr)]);
  if (child.exitCode !== 0) throw new Error(`${program} failed: ${said}`);
}

/** Not one of those that systems give to connections (from 32768 on), which may take it before a server does. */
export async function freePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a server with the database that those of tests begin as. */
export async function startTestPostgres({ vacuums = true } = {}): Promise<PostgresServer> {
  const server = await startPostgres();
  if (!vacuums) {
    await asked(server.url, 'alter system set autovacuum = off');
    await asked(server.url, 'select pg_reload_conf()');
  }
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
