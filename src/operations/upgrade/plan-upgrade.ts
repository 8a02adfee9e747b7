import { dirname } from 'node:path';
import type { Config } from '../../platform/config/schema.js';
import { factsOf, type DatabaseFacts } from '../../platform/db/inspect-database.js';
import { pendingMigrations } from '../../platform/db/migrate.js';
import { migrations } from '../../platform/db/migrations.js';
import { openDatabase } from '../../platform/db/open-database.js';
import { requireDatabase } from '../../platform/db/require-database.js';
import { packageVersion } from '../../platform/package-root.js';
import { isIndexOutdated } from '../../search/term-index/index-format.js';
import { reserve } from '../backup/scratch-space.js';
import { findNewest, isNewer, packageName, type Newest } from './find-newest.js';
import { configToName, findOrigin, findServiceUser, listSteps, type Step } from './list-steps.js';
import { folderForRehearsal, freeIn, rehearseUpgrade, type Rehearsal } from './rehearse-upgrade.js';

export interface PendingStep {
  name: string;
  /** A description, as a sentence. */
  about: string;
}

export interface UpgradePlan {
  /** The program, the last migration in the database, and the number of its migrations. */
  installed: { version: string; schema: string | null; migrations: number };
  newest: Newest;
  isNewer: boolean;
  pending: PendingStep[];
  /** Milliseconds that the database can't be used; null when nothing is pending. */
  time: { how: 'measured' | 'estimated'; ms: number; why: string | null } | null;
  rehearsal: Rehearsal | null;
  space: { folder: string; neededBytes: number; freeBytes: number };
  steps: Step[];
}

export interface PlanInput {
  configFile: string | undefined;
  /** Estimates the time by the number of rows, without a copy. */
  estimate?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onStep?: ((what: string) => void) | undefined;
}

/** The name of the search index among the pending steps, because no migration makes it. */
export const searchIndexStep: PendingStep = {
  name: 'search-index',
  about: 'Rebuilds the search index, in about a millisecond per passage.',
};

/**
 * Plans an upgrade: its steps, their duration, and the commands. Changes nothing; a rehearsal works on a copy. Refuses
 * with `not_found` without a database, and with `database_newer`.
 */
export async function planUpgrade(config: Config, input: PlanInput): Promise<UpgradePlan> {
  const { path } = config.database;
  requireDatabase(config.database);
  const name = packageName(config.upgrade.package);
  if (name !== undefined) input.onStep?.('Asking the registry of npm …');
  const newest = await findNewest(name, {
    timeoutMs: config.upgrade.registry_timeout_ms,
    signal: input.signal,
  });
  const version = packageVersion();
  const hasNewer = newest.version !== null && isNewer(newest.version, version);
  const { pending, facts, size } = await look(config);
  const { time, rehearsal } = await measure(config, pending, facts.counts, size, input);
  const folder = dirname(path);
  return {
    installed: {
      version,
      schema: facts.migrations.at(-1) ?? null,
      migrations: facts.migrations.length,
    },
    newest,
    isNewer: hasNewer,
    pending,
    time,
    rehearsal,
    space: {
      folder,
      neededBytes: pending.length === 0 || config.database.url !== null ? 0 : neededFor(size),
      freeBytes: await freeIn(folder),
    },
    steps: listSteps({
      origin: findOrigin(),
      packageName: name,
      version: hasNewer ? newest.version : undefined,
      serviceUser: findServiceUser(),
      configFile: configToName(input.configFile),
      isPending: pending.length > 0,
    }),
  };
}

/** The bytes that an upgrade takes: the copy that stays, and the log while tables are rewritten. */
export function neededFor(size: number): number {
  return 2 * size + reserve;
}

/** The migrations that the database lacks, and the search index if it must be made anew; what is in it, and its bytes. */
async function look(
  config: Config,
): Promise<{ pending: PendingStep[]; facts: DatabaseFacts; size: number }> {
  const db = await openDatabase(config.database);
  try {
    const facts = await factsOf(db);
    const size = await db.dialect.sizeOf(db.read);
    const names = await pendingMigrations(db);
    const known = new Map(migrations(db.dialect).map(({ name, about }) => [name, about]));
    const pending = names.map((name) => ({ name, about: known.get(name) ?? '' }));
    // Before this migration there is no such index; after it, the index is empty.
    const remakes = names.includes(firstIndex) || (await isIndexOutdated({ db }));
    return { pending: remakes ? [...pending, searchIndexStep] : pending, facts, size };
  } finally {
    await db.close();
  }
}

const firstIndex = '0034-build-term-index';

async function measure(
  config: Config,
  pending: readonly PendingStep[],
  counts: Readonly<Record<string, number>>,
  size: number,
  input: PlanInput,
): Promise<Pick<UpgradePlan, 'time' | 'rehearsal'>> {
  if (pending.length === 0) return { time: null, rehearsal: null };
  const estimated = (why: string | null) => {
    const ms = estimate(pending, counts, size);
    return { time: { how: 'estimated' as const, ms, why }, rehearsal: null };
  };
  if (input.estimate === true) return estimated(null);
  if (config.database.url !== null)
    return estimated('only a database file is copied to measure with');
  const folder = await folderForRehearsal(config.database.path, size);
  if (folder === undefined) return estimated('no disk here has room for a copy to measure with');
  const rehearsal = await rehearseUpgrade(config, folder, input);
  const { copyMs, migrations: each, searchIndexMs } = rehearsal;
  const ms = copyMs + searchIndexMs + each.reduce((sum, one) => sum + one.ms, 0);
  return { time: { how: 'measured', ms, why: null }, rehearsal };
}

/** Bytes that a disk copies or rewrites in a millisecond, on the safe side. */
const bytesPerMs = 20_000;
/** The shares of the database that migrations rewrite. Most migrations only create empty tables. */
const rewritten = 0.2;

/** Milliseconds by the number of rows: a copy, migrations, and one millisecond for each passage to index. */
function estimate(
  pending: readonly PendingStep[],
  counts: Readonly<Record<string, number>>,
  size: number,
): number {
  const passes = 1 + rewritten * pending.length;
  const analyses = pending.filter(({ name }) => /^0015|^search-index$/.test(name)).length;
  return Math.ceil((passes * size) / bytesPerMs + analyses * (counts['passages'] ?? 0));
}
