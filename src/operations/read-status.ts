import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  countBatchesByStatus,
  countHeldBatches,
} from '../ingestion/batches/batch-lists.repository.js';
import { countDrafts } from '../knowledge/entry-lists.repository.js';
import { describeSeconds } from '../platform/cli/progress.js';
import { systemClock, timestamp, type Clock } from '../platform/clock.js';
import type { Config } from '../platform/config/schema.js';
import type { Database } from '../platform/db/database.js';
import { pendingMigrations } from '../platform/db/migrate.js';
import { databaseExists, nameOfDatabase } from '../platform/db/require-database.js';
import { messageOf } from '../platform/errors.js';
import { isInstalled } from '../platform/models/installed-models.js';
import { lookAtServer } from '../platform/models/look-at-server.js';
import { packageVersion } from '../platform/package-root.js';
import { askServers, listProcesses, type RunningProcess } from '../platform/running-processes.js';
import { counted } from '../platform/text/counted.js';
import { countOpenRequests } from '../requests/requests.repository.js';
import { describeVectors } from '../search/vectors/describe-vectors.js';
import { findLastBackup } from './backup/list-backups.js';
import { freeSpace, sizeText } from './backup/scratch-space.js';
import { presentChecks, type Check } from './doctor.schema.js';
import { examineFolder, judgeBackup } from './examine-files.js';
import { badAddress, judgeServer } from './examine-models.js';
import { judgeSources, readSources, type SourcesFigures } from './examine-sources.js';
import { judgeVectors } from './examine-vectors.js';
import { serviceCommand } from './service/find-units.js';
import { judgeSchema, withDatabase } from './with-database.js';

/** How long a server, the models' one and a locked database may take, in milliseconds: this is a glance. */
const patienceMs = 1000;

/** The figures for scripts; null where the database can't be read. Fields may be added, but never renamed or removed. */
interface Figures {
  service: { running: boolean; processes: ReturnType<typeof presentProcess>[] };
  database: { path: string; size_bytes: number | null; pending_migrations: number | null };
  queue: {
    waiting: number;
    running: number;
    failed: number;
    drafts: number;
    requests: number;
  } | null;
  sources: SourcesFigures | null;
  vectors: { model: string | null; embedded: number; waiting: number } | null;
  models: ModelFigures;
  backup: { file: string; created_at: string; verified_at: string | null } | null;
  disk: { folder: string; free_bytes: number | null };
}

interface ModelFigures {
  /** Null for an address that can't be used. */
  url: string | null;
  reachable: boolean;
  chat_model: string;
  embedding_model: string | null;
  /** Missing where the address can't be used. */
  chat_installed?: boolean;
  embedding_installed?: boolean | null;
}

export type Status = Figures & ReturnType<typeof presentChecks>;

/**
 * Reads the state of the installation: what runs, what waits, and what needs attention. Judges by the doctor's rules,
 * but reads neither the whole database nor a model. Never rejects: errors become findings. `inServer`: the process that
 * asks is a server itself.
 */
export async function readStatus(
  config: Config,
  clock: Clock = systemClock,
  { inServer = false } = {},
): Promise<Status> {
  const { path } = config.database;
  // Asked first, so that the answer comes while the database is read.
  const asked = lookAtModels(config);
  const processes = await askServers(listProcesses(path, clock.now()), patienceMs);
  const folder = dirname(path);
  const figures: Figures = {
    service: {
      running: processes.some(({ command }) => command === 'serve'),
      processes: processes.map(presentProcess),
    },
    database: { path: nameOfDatabase(config.database), size_bytes: null, pending_migrations: null },
    queue: null,
    sources: null,
    vectors: null,
    models: { ...namedModels(config), url: null, reachable: false },
    backup: null,
    disk: { folder, free_bytes: await freeSpace(folder).catch(() => null) },
  };
  const checks = [
    ...(await judgeService({ config, processes, now: clock.now(), inServer })),
    ...(await withDatabase(hasty(config), (db) =>
      // One connection is enough, and opening another takes as long as reading all of this.
      lookAtDatabase({ config, db: { ...db, read: db.write }, clock }, figures, processes),
    )),
  ];
  const models = await asked;
  figures.models = models.figures;
  const all = [...checks, ...models.checks, ...(await examineFolder(config))];
  return { ...presentChecks(all, timestamp(clock), packageVersion()), ...figures };
}

function hasty(config: Config): Config {
  const busy_timeout_ms = Math.min(config.database.busy_timeout_ms, patienceMs);
  return { ...config, database: { ...config.database, busy_timeout_ms } };
}

interface Service {
  config: Config;
  processes: RunningProcess[];
  now: Date;
  inServer: boolean;
}

async function judgeService({ config, processes, now, inServer }: Service): Promise<Check[]> {
  const folder = dirname(config.database.path);
  if (!(await canRead(folder))) return [unknown(folder)];
  // Without a database, this is not the installation that a server may run on.
  return databaseExists(config.database) ? judgeProcesses(processes, now, inServer) : [];
}

/** A missing folder counts as readable: certainly nothing runs on it. */
function canRead(folder: string): Promise<boolean> {
  return access(folder, constants.R_OK | constants.X_OK).then(
    () => true,
    (error: unknown) => (error as NodeJS.ErrnoException).code !== 'EACCES',
  );
}

function unknown(folder: string): Check {
  const finding = `nothing is known of the server, since this user can't read ${folder}`;
  const remedy = 'Run this as the user that the server runs as.';
  const values = { folder };
  return { name: 'service', status: 'failed', code: 'server_unknown', values, finding, remedy };
}

function presentProcess(one: RunningProcess) {
  const { command, pid, url, version, startedAt, seenAt, responds } = one;
  return { command, pid, url, version, started_at: startedAt, seen_at: seenAt, responds };
}

function judgeProcesses(processes: RunningProcess[], now: Date, inServer: boolean): Check[] {
  const name = 'service';
  const version = packageVersion();
  const checks = processes.map((one): Check => {
    const kind = one.command === 'serve' ? 'server' : 'worker';
    const what = one.command === 'serve' ? `server at ${one.url ?? ''}` : 'worker';
    const since = `${one.startedAt.slice(0, 16).replace('T', ' ')} UTC (${ago(one.startedAt, now)})`;
    const finding = `${what} since ${since}, version ${one.version}, process ${one.pid}`;
    const restart = serviceCommand('restart') ?? `stop it, and then: assistant ${one.command}`;
    const { url, pid } = one;
    const values = { url: url ?? '', since, version: one.version, pid, restart };
    if (!one.responds) {
      const silent = `${finding}: it does not respond, and last gave a sign of life ${ago(one.seenAt, now)} ago`;
      const remedy = `Read its log: assistant logs. Start it again: ${restart}`;
      const code = `${kind}_silent`;
      return { name, status: 'failed', code, values, finding: silent, remedy };
    }
    if (one.version === version) {
      return { name, status: 'ok', code: `${kind}_runs`, values, finding };
    }
    const remedy = `Version ${version} is installed. Start it again: ${restart}`;
    const both = { ...values, installed: version };
    return { name, status: 'warning', code: `${kind}_old`, values: both, finding, remedy };
  });
  // A server that could not announce itself runs nevertheless.
  if (inServer || processes.some(({ command }) => command === 'serve')) return checks;
  const start = serviceCommand('start') ?? 'assistant serve';
  const finding = 'no server runs';
  const remedy = `Start it: ${start}`;
  const none = { name, status: 'failed', code: 'no_server', values: { start } } as const;
  return [{ ...none, finding, remedy }, ...checks];
}

function ago(time: string, now: Date): string {
  return describeSeconds(Math.max(0, (now.getTime() - Date.parse(time)) / 1000));
}

interface Store {
  config: Config;
  db: Database;
  clock: Clock;
}

async function lookAtDatabase(
  store: Store,
  figures: Figures,
  processes: RunningProcess[],
): Promise<Check[]> {
  const { config, db } = store;
  const path = nameOfDatabase(config.database);
  const size = await db.dialect.sizeOf(db.read);
  const pending = await pendingMigrations(db);
  figures.database = { path, size_bytes: size, pending_migrations: pending.length };
  const found: Check = { name: 'database', status: 'ok', finding: `${path}, ${sizeText(size)}` };
  const schema = judgeSchema(pending);
  if (schema.status !== 'ok') return [found, schema];
  const queue = await readQueue(store);
  const sources = await readSources(store);
  const vectors = await describeVectors(store);
  const { generations, wanted } = vectors;
  const used = generations.find(({ state }) => state === 'live') ?? generations[0];
  const { embedded = 0, passages = 0 } = used ?? {};
  const last = await findLastBackup(config);
  Object.assign(figures, {
    queue,
    sources,
    vectors: { model: wanted, embedded, waiting: wanted === null ? 0 : passages - embedded },
    backup:
      last === undefined
        ? null
        : { file: last.file, created_at: last.createdAt, verified_at: last.verifiedAt },
  });
  const isWorkedOn = processes.some(
    ({ command }) => command === 'worker' || config.ingestion.worker,
  );
  return [
    found,
    schema,
    ...judgeQueue(queue, isWorkedOn),
    ...judgeSources(store, sources),
    ...judgeVectors(vectors),
    await judgeBackup(last, store),
  ];
}

type Queue = NonNullable<Figures['queue']>;

async function readQueue(store: Store): Promise<Queue> {
  const counts = await countBatchesByStatus(store);
  const of = (wanted: string) => counts.find(({ status }) => status === wanted)?.count ?? 0;
  const running = await countHeldBatches(store);
  return {
    waiting: Math.max(0, of('processing') - running),
    running,
    failed: of('failed'),
    drafts: await countDrafts(store),
    requests: await countOpenRequests(store),
  };
}

/** Drafts and requests are the usual work: they get the next command, but no warning. */
function judgeQueue(queue: Queue, isWorkedOn: boolean): Check[] {
  const { waiting, running, failed, drafts, requests } = queue;
  const checks: Check[] = [];
  const queued = counted(waiting, 'batch', 'batches');
  const finding = `${queued} waiting, ${running} running, ${failed} failed`;
  const said = { name: 'queue', code: 'queue', values: { waiting, running, failed } };
  if (failed > 0) {
    const remedy = 'See why, then retry or delete: assistant batches list --status failed';
    checks.push({ ...said, status: 'warning', finding, remedy });
  } else checks.push({ ...said, status: 'ok', finding });
  if (waiting > 0 && !isWorkedOn) {
    const remedy = 'Start a worker: assistant worker';
    const finding = `no process reads the ${queued} that wait`;
    const values = { waiting };
    checks.push({ name: 'worker', status: 'warning', code: 'no_worker', values, finding, remedy });
  }
  const toDo = (name: string, finding: string, number: number, command: string): Check => {
    const next = number > 0 ? { remedy: `Next: ${command}` } : {};
    return { name, status: 'ok', code: name, values: { count: number }, finding, ...next };
  };
  return [
    ...checks,
    toDo('drafts', `${drafts} to review`, drafts, 'assistant knowledge list --status draft'),
    toDo('requests', `${requests} open`, requests, 'assistant requests list --status open'),
  ];
}

function namedModels({ ollama }: Config) {
  const { chat_model, embedding_model } = ollama;
  return { chat_model, embedding_model: embedding_model === '' ? null : embedding_model };
}

/** Whether the model server answers and has the models of the configuration. Never rejects. */
export async function lookAtModels(
  config: Config,
): Promise<{ figures: ModelFigures; checks: Check[] }> {
  const { chat_model: chat, embedding_model: embedding } = config.ollama;
  const named = namedModels(config);
  try {
    const { base, status: asked } = lookAtServer(config.ollama, patienceMs);
    const status = await asked;
    const has = (model: string) => status.reachable && isInstalled(model, status.models);
    const figures = {
      url: base,
      reachable: status.reachable,
      ...named,
      chat_installed: has(chat),
      embedding_installed: embedding === '' ? null : has(embedding),
    };
    const checks = judgeServer(config, base, status);
    if (!status.reachable || checks.length > 1) return { figures, checks };
    const finding = embedding === '' ? chat : `${chat}, ${embedding}`;
    return { figures, checks: [...checks, { name: 'models', status: 'ok', finding }] };
  } catch (error) {
    const check: Check = { ...badAddress, finding: messageOf(error) };
    return { figures: { url: null, reachable: false, ...named }, checks: [check] };
  }
}
