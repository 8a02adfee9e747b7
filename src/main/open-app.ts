import { LRUCache } from 'lru-cache';
import { createKeptClaims } from '../conversations/answering/kept-claims.js';
import { createPasswordHasher } from '../accounts/users/password-hasher.js';
import { createSignInThrottle } from '../accounts/users/sign-in-throttle.js';
import { holdsSecrets } from '../accounts/users/stored-secrets.js';
import { createKeySightings } from '../federation/key-sightings.js';
import { createJobSignal, type App, type Counters } from '../platform/app.js';
import { systemClock, type Clock } from '../platform/clock.js';
import type { Config } from '../platform/config/schema.js';
import type { Database } from '../platform/db/database.js';
import { migrate, pendingMigrations } from '../platform/db/migrate.js';
import { openDatabase } from '../platform/db/open-database.js';
import { AppError } from '../platform/errors.js';
import { createLog, type Logger } from '../platform/log.js';
import { createLongWork } from '../platform/long-work.js';
import { createSecretBox } from '../platform/config/secret-box.js';
import { createConcurrencyLimit } from '../platform/concurrency-limit.js';
import { createCounter } from '../platform/counter.js';
import { createMeasure } from '../platform/measure.js';
import { counted } from '../platform/text/counted.js';
import { noTracing, type Tracing } from '../platform/tracing.js';
import { storedTokenRatios } from '../platform/models/model-facts.repository.js';
import { createOllamaClient } from '../platform/models/ollama-client.js';
import { ollamaSettings } from '../platform/models/ollama-settings.js';
import { createExports, createQueues } from '../platform/workers/queues.js';
import { limitLists } from '../search/term-index/index-cache.js';
import { isIndexOutdated } from '../search/term-index/index-format.js';

export interface OpenedApp extends App {
  close(): Promise<void>;
}

export interface OpenOptions {
  clock?: Clock;
  log?: Logger;
  tracing?: Tracing;
  configFile?: string | undefined;
  /** Waits for programs of an older version to end where it must, instead of refusing. */
  waits?: boolean;
  /** An opened database, instead of the configured one. Closed with the application. */
  db?: Database;
}

/**
 * Builds the application on its database, applying migrations first. Errors: `database_newer` for a database of a newer
 * version; `database_outdated` for pending migrations when database.auto_migrate is off; `conflict` when older programs
 * have to end first.
 */
export async function openApp(config: Config, options: OpenOptions = {}): Promise<OpenedApp> {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(config.log);
  const counters: Counters = {
    answers: createCounter(),
    unsupportedSentences: createCounter(),
    firstWords: createMeasure(),
    models: createCounter(),
  };
  const tracing = options.tracing ?? noTracing;
  const models = createOllamaClient(ollamaSettings(config.ollama), {
    log,
    tracing,
    events: counters.models,
  });
  const db = options.db ?? (await openDatabase(config.database));
  const app: OpenedApp = {
    config,
    configFile: options.configFile,
    db,
    log,
    clock,
    models,
    jobs: createJobSignal(db),
    signIns: createSignInThrottle({ db, clock }, config.auth),
    keySightings: createKeySightings({ db, clock, log }),
    longWork: createLongWork({ clock, log }),
    passwords: createPasswordHasher(),
    queues: createQueues(),
    secrets: createSecretBox(config, { isInUse: () => holdsSecrets({ db }), log }),
    // So short that a provider can move an endpoint without a restart here.
    providerMetadata: new LRUCache({ max: 200, ttl: 300_000 }),
    // A server replaces this by a signal that can abort.
    stopping: new AbortController().signal,
    counters,
    tracing,
    questionEmbedding: { late: 0, complaint: undefined },
    runningAnswers: new Map(),
    claims: createKeptClaims({ db, clock, log }),
    answersUnderWay: createConcurrencyLimit(config.limits.answers_at_once),
    testDeliveries: createConcurrencyLimit(1),
    sourcePreviews: createConcurrencyLimit(1),
    exports: createExports(),
    siteContents: {
      async followClaims(...claim) {
        return (await import('../knowledge/move-entries.js')).followClaims(...claim);
      },
      async countEntries(app, organizationId) {
        const { countEntriesWhere } = await import('../knowledge/entry-lists.repository.js');
        return countEntriesWhere(app, { organizationId });
      },
      async countEntriesBoundTo(...bound) {
        const { countEntriesBoundTo } = await import('../knowledge/entry-lists.repository.js');
        return countEntriesBoundTo(...bound);
      },
      async countBatches(...ofApp) {
        const { countBatchesOfApp } =
          await import('../ingestion/batches/batch-lists.repository.js');
        return countBatchesOfApp(...ofApp);
      },
    },
    async close() {
      await models.close();
      await app.longWork.stop();
      await app.keySightings.settled();
      await app.passwords.close();
      await db.close();
    },
  };
  limitLists(app, config.search.term_memory_mb * 2 ** 20);
  try {
    await bringUpToDate(app, options);
    await models.tokens.remember(storedTokenRatios(app));
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function bringUpToDate(app: App, options: OpenOptions): Promise<void> {
  await bringSchemaUpToDate(app, options);
  if (!(await isIndexOutdated(app))) return;
  if (!app.config.database.auto_migrate) {
    throw new AppError(
      'database_outdated',
      'The search index is of an older version. Run: assistant upgrade',
    );
  }
  const { bringIndexUpToDate } = await import('../search/term-index/bring-index-up-to-date.js');
  await bringIndexUpToDate(app);
}

async function bringSchemaUpToDate(app: App, { waits = false }: OpenOptions): Promise<void> {
  const pending = await pendingMigrations(app.db);
  if (pending.length === 0) return;
  if (!app.config.database.auto_migrate) {
    throw new AppError(
      'database_outdated',
      `The database lacks ${counted(pending.length, 'migration')}. Run: assistant upgrade`,
    );
  }
  const { applied, backup } = await migrate(app, app.config.database.path, {
    onWaiting: waits ? (reason) => app.log.warn({ reason }, 'waiting to migrate') : undefined,
  });
  if (applied.length > 0) app.log.info({ applied, backup }, 'the database was migrated');
}
