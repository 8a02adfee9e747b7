import { systemClock } from '../platform/clock.js';
import type { Config } from '../platform/config/schema.js';
import { pendingMigrations } from '../platform/db/migrate.js';
import { nameOfDatabase } from '../platform/db/require-database.js';
import { createLog } from '../platform/log.js';
import { isIndexOutdated, readFormat } from '../search/term-index/index-format.js';
import type { Check } from './doctor.schema.js';
import type { Store } from './repair/damage.js';
import { isOfIndex, putBack } from './repair/damaged-indexes.js';
import { findAll } from './repair/repair-database.js';
import { judgeSchema, withDatabase } from './with-database.js';

/**
 * Checks the database: that it can be read, that it is whole and up to date, and that its rows agree. `further` checks
 * what is in it, if all migrations are applied.
 */
export async function examineDatabase(
  config: Config,
  options: { quick?: boolean },
  further: (store: Store) => Promise<Check[]> = () => Promise.resolve([]),
): Promise<Check[]> {
  return withDatabase(config, async (db) => {
    const name = 'database';
    const integrity = await db.dialect.checkIntegrity(db.read);
    if (integrity !== 'ok' && !isOfIndex(integrity)) {
      const finding = `damaged: ${integrity}`;
      const said = { code: 'database_damaged', finding, remedy: putBack };
      return [{ name, status: 'failed', ...said }];
    }
    const size = ((await db.dialect.sizeOf(db.read)) / 1024 ** 2).toFixed(1);
    const pending = await pendingMigrations(db);
    const checks: Check[] = [
      { name, status: 'ok', finding: `${nameOfDatabase(config.database)}, ${size} MB` },
    ];
    const log = createLog({ ...config.log, level: 'silent' });
    const store = { db, config, log, clock: systemClock };
    if (pending.length === 0 && (await isIndexPending(store))) pending.push('search-index');
    checks.push(...(await examineContents(store, pending.length > 0, options)));
    const schema = judgeSchema(pending);
    checks.push(schema);
    return schema.status === 'ok' ? [...checks, ...(await further(store))] : checks;
  });
}

/** Looks for damage by hand or by other tools. One finding if there is none. */
async function examineContents(
  store: Store,
  isOutdated: boolean,
  { quick = false }: { quick?: boolean },
): Promise<Check[]> {
  const options = { mostPassages: quick ? 100 : 1000, withoutFile: quick };
  const all = await findAll(store, isOutdated, options);
  const damaged = all.filter(({ found }) => found.length > 0);
  if (damaged.length === 0) {
    const finding = 'rows, search index, vectors and counters agree';
    return isOutdated ? [] : [{ name: 'contents', status: 'ok', code: 'contents_agree', finding }];
  }
  return damaged.map(({ kind: { name, status }, found }) => {
    const byHand = found.every(({ remedy }) => remedy !== undefined) ? found[0]?.remedy : undefined;
    const finding = found.map(({ what }) => what).join('; ');
    const kind = byHand === undefined ? `damaged_${name.replaceAll(' ', '_')}` : 'database_damaged';
    return {
      name,
      status,
      code: kind,
      finding,
      remedy: byHand ?? 'Run: assistant doctor --repair',
    };
  });
}

/** True when the search index is of an older version. Without the row that says so, the index is damaged instead. */
async function isIndexPending(store: Store): Promise<boolean> {
  return (await readFormat(store)) !== undefined && (await isIndexOutdated(store));
}
