import { systemClock, timestamp } from '../../platform/clock.js';
import type { Config } from '../../platform/config/schema.js';
import { rehearse } from '../../platform/db/in-transaction.js';
import { pendingMigrations } from '../../platform/db/migrate.js';
import { openDatabase } from '../../platform/db/open-database.js';
import { requireDatabase } from '../../platform/db/require-database.js';
import { isStorageTrouble } from '../../platform/db/sqlite-trouble.js';
import { messageOf } from '../../platform/errors.js';
import { createLog } from '../../platform/log.js';
import { createBackup } from '../backup/create-backup.js';
import type { Damage, Finding, LookOptions, Store } from './damage.js';
import { copyWithWholeIndexes, indexes } from './damaged-indexes.js';
import { keepRows, type KeptRows } from './kept-rows.js';
import { kinds } from './kinds.js';

/** One kind of damage, and the result of its repair. */
export interface Repaired {
  name: string;
  found: Finding[];
  /** The repairs, in sentences. */
  done: string[];
  /** The remaining damage, with what a person must do. */
  left: Finding[];
}

export interface Repair {
  /** The backup that was made before; null when nothing was found, and for a rehearsal. */
  backup: string | null;
  /** The file with the removed rows; null when none were removed. */
  kept: string | null;
  /** The number of removed rows by table. */
  removed: Record<string, number>;
  kinds: Repaired[];
}

export interface RepairInput {
  configFile: string | undefined;
  /** Repairs everything, reports the result, and rolls it back. */
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onStep?: ((what: string) => void) | undefined;
}

/** The damage of each kind that can be examined in a database with pending migrations, or in one without. */
export async function findAll(
  app: Store,
  isOutdated: boolean,
  options?: LookOptions,
): Promise<{ kind: Damage; found: Finding[] }[]> {
  const all: { kind: Damage; found: Finding[] }[] = [];
  for (const kind of kinds) {
    if (isOutdated && kind.inEverySchema !== true) continue;
    all.push({ kind, found: await kind.find(app, options) });
  }
  return all;
}

/**
 * Repairs damage by hand or by other tools in the database, after a backup of it. Each kind of damage is one
 * transaction, so a stopped repair leaves whole kinds undone. Removed rows of people's data are kept in a file beside
 * the database. Refuses as `createBackup` does.
 */
export async function repairDatabase(config: Config, input: RepairInput): Promise<Repair> {
  requireDatabase(config.database);
  const db = await openDatabase(config.database);
  const log = createLog({ ...config.log, level: 'warn' });
  const app: Store = { db, config, log, clock: systemClock };
  try {
    const isOutdated = (await pendingMigrations(db)).length > 0;
    const nothing = { backup: null, kept: null, removed: {} };
    input.onStep?.('Looking for damage …');
    const damaged = (await findAll(app, isOutdated)).filter(({ found }) => found.length > 0);
    if (damaged.length === 0) return { ...nothing, kinds: [] };
    if (input.dryRun === true) {
      const kept = keepRows(undefined);
      const repaired = await rehearse(app, (app) => mendAll(app, damaged, isOutdated, kept, input));
      return { ...nothing, removed: Object.fromEntries(kept.counts), kinds: repaired };
    }
    input.onStep?.('Making a backup …');
    const { configFile, signal } = input;
    const copyTo = damaged.some(({ kind }) => kind === indexes) ? copyWithWholeIndexes : undefined;
    const how = { configFile, signal, withSecrets: true, copyTo };
    const { file: backup } = await createBackup(app, how);
    const stamp = timestamp(app.clock).replaceAll(/[:.]/g, '-');
    const kept = keepRows(`${config.database.path}.removed-${stamp}.jsonl`);
    const repaired = await mendAll(app, damaged, isOutdated, kept, input);
    return { backup, kept: kept.file, removed: Object.fromEntries(kept.counts), kinds: repaired };
  } finally {
    await db.close();
  }
}

/** Repairs kind by kind. A later kind may find more than before, because of an earlier repair. */
async function mendAll(
  app: Store,
  damaged: readonly { kind: Damage; found: Finding[] }[],
  isOutdated: boolean,
  kept: KeptRows,
  { signal, onStep }: RepairInput,
): Promise<Repaired[]> {
  const repaired: Repaired[] = [];
  for (const kind of kinds) {
    const found = damaged.find((one) => one.kind === kind)?.found ?? [];
    if (isOutdated && kind.inEverySchema !== true) continue;
    if (found.length === 0 && repaired.length === 0) continue;
    signal?.throwIfAborted();
    if (found.length > 0) onStep?.(`Repairing: ${kind.name} …`);
    const { done, left } = await mendKind(app, kind, kept);
    if (found.length + done.length > 0) repaired.push({ name: kind.name, found, done, left });
  }
  return repaired;
}

async function mendKind(
  app: Store,
  kind: Damage,
  kept: KeptRows,
): Promise<Pick<Repaired, 'done' | 'left'>> {
  const isFirst = kept.counts.size === 0;
  try {
    const done = await kind.mend(app, kept);
    // Rebuilt data is correct by construction, so a sample is enough.
    return { done, left: await kind.find(app, { mostPassages: 1000 }) };
  } catch (error) {
    // Its transaction was rolled back. Rows that another kind has removed stay in the file.
    if (isFirst) await kept.discard();
    if (isStorageTrouble(error)) throw error;
    return { done: [], left: [{ what: `nothing was repaired: ${messageOf(error)}` }] };
  }
}
