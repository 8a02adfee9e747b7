import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../platform/clock.js';
import type { Config } from '../../platform/config/schema.js';
import { migrate } from '../../platform/db/migrate.js';
import { openDatabase } from '../../platform/db/open-database.js';
import { sqliteFiles } from '../../platform/db/sqlite-dialect.js';
import { takeSnapshot } from '../../platform/db/take-snapshot.js';
import { messageOf } from '../../platform/errors.js';
import { createLog } from '../../platform/log.js';
import { bringIndexUpToDate } from '../../search/term-index/bring-index-up-to-date.js';
import { databaseName } from '../backup/manifest.js';
import { reserve, withScratchFolder } from '../backup/scratch-space.js';

export interface Rehearsal {
  /** Why the upgrade would fail; null where it would succeed. */
  failure: string | null;
  /** Times in milliseconds for the copy, each migration, and the search index. */
  copyMs: number;
  migrations: { name: string; ms: number }[];
  searchIndexMs: number;
}

/** The space that a rehearsal needs, by the size of the database: a copy, and what migrations rewrite in it. */
const copies = 3;

/**
 * A folder with enough space for a rehearsal: the database's folder, whose disk gives true times, else the temporary
 * one.
 */
export async function folderForRehearsal(path: string, bytes: number): Promise<string | undefined> {
  for (const folder of [dirname(path), tmpdir()]) {
    if ((await freeIn(folder)) >= copies * bytes + reserve) return folder;
  }
  return undefined;
}

/** The free bytes of a folder's disk for this user. */
export async function freeIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Upgrades a copy of the database, which may be in use meanwhile, and takes the copy away. A failed migration is a
 * result, not an error.
 */
export async function rehearseUpgrade(
  config: Config,
  folder: string,
  {
    signal,
    onStep,
  }: { signal?: AbortSignal | undefined; onStep?: ((what: string) => void) | undefined },
): Promise<Rehearsal> {
  return withScratchFolder(folder, async (scratch) => {
    const path = join(scratch, databaseName);
    onStep?.('Copying the database …');
    const copyMs = await timed(() => takeSnapshot(sqliteFiles, config.database.path, path, signal));
    const db = await openDatabase({ ...config.database, url: null, path });
    const log = createLog({ ...config.log, level: 'silent' });
    const app = { db, log, clock: systemClock };
    const migrations: Rehearsal['migrations'] = [];
    try {
      onStep?.('Upgrading the copy …');
      const onApplied = (name: string, ms: number) =>
        void migrations.push({ name, ms: rounded(ms) });
      await migrate(app, path, { copies: false, onApplied });
      signal?.throwIfAborted();
      const searchIndexMs = await timed(() => bringIndexUpToDate(app));
      const faults = [
        ...(await db.dialect.listDamage(db.read)),
        ...(await db.dialect.listAstray(db.read)),
      ];
      return { failure: faults[0] ?? null, copyMs, migrations, searchIndexMs };
    } catch (error) {
      signal?.throwIfAborted();
      return { failure: messageOf(error), copyMs, migrations, searchIndexMs: 0 };
    } finally {
      await db.close();
    }
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return rounded(performance.now() - began);
}

function rounded(ms: number): number {
  return Math.max(1, Math.round(ms));
}
