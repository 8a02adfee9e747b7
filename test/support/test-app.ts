import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import type { Knex } from 'knex';
import { insertUser } from '../../src/accounts/users/accounts.repository.js';
import { presentUser } from '../../src/accounts/users/accounts.schema.js';
import { signAccessToken } from '../../src/accounts/tokens/access-tokens.js';
import { recordChange } from '../../src/audit/record-change.js';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { openApp, type OpenedApp, type OpenOptions } from '../../src/main/open-app.js';
import { serve, type RunningServer } from '../../src/main/serve.js';
import type { Actor, Role } from '../../src/platform/actor.js';
import type { Clock } from '../../src/platform/clock.js';
import { inTransaction } from '../../src/platform/db/in-transaction.js';
import { configSchema, type Config } from '../../src/platform/config/schema.js';
import type { Logger } from '../../src/platform/log.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { createOrganization } from '../../src/tenancy/all-organizations.js';
import { takeDatabase } from './reused-databases.js';
import { makeTemporaryFolder } from './temporary-folder.js';

type Operator = Extract<Actor, { kind: 'operator' }>;

/** An address where nothing listens. Tests with a model start a stand-in and set its address. */
const noModel = 'http://127.0.0.1:9';

/** No limits, because a test may send more requests than a person. Tests of the limits set their own. */
const noLimits = {
  address_per_minute: 0,
  at_once_per_address: 0,
  body_mb_at_once: 0,
  invalid_bodies_per_minute: 0,
  refusal_delay_ms: 0,
  user_per_minute: 0,
  key_per_minute: 0,
  messages_per_minute: 0,
  answers_at_once: 0,
  requests_per_minute: 0,
  uploads_per_minute: 0,
  // A busy machine may keep the database for longer than requests should wait.
  database_wait_ms: 60_000,
};

export type ConfigInput = { [Group in keyof Config]?: Partial<Config[Group]> };

export interface TestApp {
  app: OpenedApp;
  folder: string;
  /** The application once more on the same database, as another process has it. */
  openAnother(options?: OpenOptions & { config?: Config }): Promise<OpenedApp>;
  close(): Promise<void>;
}

/** A connection of a database that does not answer, as each engine says it. */
export function unanswered(): Knex {
  const refuse = () => {
    throw Object.assign(new Error('SQLITE_BUSY: database is locked'), { code: '57P01' });
  };
  return refuse as never;
}

/** Makes the database refuse new rows of a table, until the returned function is called. */
export async function refuseInserts(
  { db: { dialect, write } }: OpenedApp,
  table: string,
  when = '1 = 1',
): Promise<() => Promise<void>> {
  const name = `refused_${table}`;
  const run = 'insert into organizations (name) values (null);';
  await dialect.createRowTrigger(write, {
    ...{ timing: 'before', name, table, event: 'insert', when, run },
  });
  return () => dialect.dropRowTrigger(write, name, table);
}

/** `it` or `describe`, for what only a database of SQLite has: its file, its locks and its plans. */
export function onSqlite<F>(define: F): F | (() => undefined) {
  return process.env['TEST_DATABASE_URL'] === undefined ? define : () => undefined;
}

/** An empty migrated database for all tests of a process. Migrating takes ten times as long as opening it. */
let migrated: Promise<Buffer> | undefined;

async function migrateOnce(): Promise<Buffer> {
  const folder = await makeTemporaryFolder();
  try {
    const path = join(folder.path, 'test.sqlite');
    const app = await openApp(configSchema.parse({ database: { path }, log: { level: 'silent' } }));
    // Closing the database writes all of it into one file.
    await app.close();
    return await readFile(path);
  } finally {
    await folder.remove();
  }
}

/** Makes the copy a different installation, which is identified by the time of its first migration. */
async function makeAnother(app: OpenedApp): Promise<void> {
  await app.db
    .write('schema_migrations')
    .where({ name: '0001-create-organizations' })
    .update({ migration_time: new Date(randomInt(2 ** 40)) });
}

/**
 * Rolls the first run of every transaction back and runs it again, as a database does that finds two transactions in
 * each other's way. What does more than change the database then does it twice, and some test fails.
 */
function repeatTransactions({ db: { write } }: OpenedApp): void {
  const once = write.transaction.bind(write) as <T>(
    work: (trx: Knex.Transaction) => Promise<T>,
  ) => Promise<T>;
  const undone = new Error('undone');
  const twice = async <T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> => {
    const first = once(async (trx) => {
      await work(trx);
      throw undone;
    });
    await first.catch((error: unknown) => {
      if (error !== undone) throw error;
    });
    return once(work);
  };
  Object.defineProperty(write, 'transaction', { value: twice, configurable: true });
}

/** Does something before the application's next transaction begins, as another writer that comes first. */
export function beforeNextTransaction(
  { db: { write } }: OpenedApp,
  work: () => Promise<unknown>,
): void {
  const begin = write.transaction.bind(write) as (...args: unknown[]) => Promise<unknown>;
  const replace = (value: typeof begin) =>
    Object.defineProperty(write, 'transaction', { value, configurable: true });
  replace(async (...args) => {
    replace(begin);
    await work();
    return begin(...args);
  });
}

/**
 * The application on a real database in a folder of its own, or in a database of its own on a server of PostgreSQL. Close
 * it, otherwise the process does not end.
 */
export async function openTestApp(
  config: ConfigInput = {},
  clock?: Clock,
  log?: Logger,
  postgres = process.env['TEST_DATABASE_URL'],
): Promise<TestApp> {
  const folder = await makeTemporaryFolder();
  const file = join(folder.path, 'test.sqlite');
  const isCopy = config.database?.path === undefined;
  const server = isCopy && postgres !== '' ? postgres : undefined;
  const made = server === undefined ? undefined : await takeDatabase(server);
  const parsed = configSchema.parse({
    ...config,
    server: { port: 0, ...config.server },
    database: { path: file, url: made?.url ?? null, ...config.database },
    log: { level: 'silent', ...config.log },
    limits: { ...noLimits, ...config.limits },
    ollama: { url: noModel, ...config.ollama },
  });
  if (isCopy && made === undefined) await writeFile(file, await (migrated ??= migrateOnce()));
  const openAnother: TestApp['openAnother'] = ({ config: changed = parsed, ...options } = {}) =>
    openApp(changed, options);
  const app = await openAnother({
    ...(clock === undefined ? {} : { clock }),
    ...(log === undefined ? {} : { log }),
  });
  if (isCopy) await makeAnother(app);
  // A sequence of PostgreSQL would give its numbers twice, and many tests name the first ones.
  if (made === undefined) repeatTransactions(app);
  return {
    app,
    folder: folder.path,
    openAnother,
    async close() {
      await app.close();
      await made?.leave();
      await folder.remove();
    },
  };
}

export interface TestOrganization {
  operator: Operator;
  appId: number;
  domain: string;
}

/** An organization with one app and one registered domain. */
export async function addOrganization(
  { app }: Pick<TestApp, 'app'>,
  name = 'Acme',
  domain = `${name.toLowerCase()}.example`,
): Promise<TestOrganization> {
  const { id: organizationId } = await createOrganization(app, { name });
  const operator: Operator = { kind: 'operator', organizationId };
  const site = await createApp(app, operator, { name: `${name} app` });
  await claimDomain(app, operator, { host: domain, appId: site.id });
  return { operator, appId: site.id, domain };
}

export interface TestUser {
  id: number;
  email: string;
  password: string;
  /** A valid access token. */
  token: string;
}

/** A user of an organization, with a token for the API. */
export async function addUser(
  { app }: Pick<TestApp, 'app'>,
  { operator }: TestOrganization,
  role: Role,
): Promise<TestUser> {
  const email = `${role}-${operator.organizationId}@example.com`;
  return insertAccount(app, operator, { email, role, displayName: email.split('@')[0] ?? email });
}

const password = 'correct horse battery';

/** A hash with the least work that argon2 accepts, so that sign-ins are fast. `createUser` has tests of its own. */
let cheapHash: Promise<string> | undefined;

/** An account as `createUser` makes it, with a fast password hash and a token for the API. */
export async function insertAccount(
  app: OpenedApp,
  actor: Operator,
  who: { email: string; role: Role; displayName: string },
): Promise<TestUser> {
  const { organizationId } = actor;
  const passwordHash = await (cheapHash ??= hash(password, { memoryCost: 8, timeCost: 1 }));
  const user = await insertUser(app, { ...who, organizationId, disabled: false, passwordHash });
  const subject = `user:${user.id}`;
  const change = { organizationId, action: 'user.create', subject, after: presentUser(user) };
  await inTransaction(app, (app) => recordChange(app, actor, change));
  const token = await signAccessToken(app, { userId: user.id }, 900);
  return { id: user.id, email: who.email, password, token };
}

/** The application behind real HTTP, on a port of its own. Its workers of uploads and sources are off unless configured. */
export async function serveTestApp(
  config: ConfigInput = {},
  clock?: Clock,
  log?: Logger,
): Promise<TestApp & { server: RunningServer; url: string }> {
  const test = await openTestApp(
    {
      ...config,
      ingestion: { worker: false, ...config.ingestion },
      sources: { worker: false, ...config.sources },
    },
    clock,
    log,
  );
  const server = await serve(test.app);
  return {
    ...test,
    server,
    url: server.url,
    async close() {
      await server.stop();
      await test.close();
    },
  };
}
