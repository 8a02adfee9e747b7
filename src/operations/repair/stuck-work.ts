import { claimMs } from '../../conversations/store/running-answers.repository.js';
import { dayMs, timestamp } from '../../platform/clock.js';
import type { Config } from '../../platform/config/schema.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { counted } from '../../platform/text/counted.js';
import type { Damage, Finding, Store } from './damage.js';

/** A table whose rows processes hold for a while. */
interface Leased {
  table: string;
  /** The name of the thing that a row describes. */
  thing: string;
  key: string;
  /** How long a process may hold a row without renewing it, in milliseconds. */
  lease: (config: Config) => number;
  /** True when the row is nothing but the lease. */
  isOnlyLease?: boolean;
  waits?: boolean;
}

const leased: readonly Leased[] = [
  {
    table: 'ingestion_batches',
    thing: 'file under way',
    key: 'id',
    lease: ({ ingestion }) => ingestion.lease_ms,
    waits: true,
  },
  {
    table: 'outbox_deliveries',
    thing: 'message',
    key: 'id',
    waits: true,
    lease: ({ notifications }) => notifications.lease_ms,
  },
  {
    table: 'embedding_work',
    thing: 'turn to make vectors',
    key: 'id',
    lease: ({ ollama }) => ollama.embedding_lease_ms,
  },
  {
    table: 'running_answers',
    thing: 'answer under way',
    key: 'question_id',
    lease: () => claimMs,
    isOnlyLease: true,
  },
];

/** Clocks of two machines may differ by this, in milliseconds. */
const toleranceMs = 60_000;

/**
 * Work that nobody continues, because a wrong clock set when its lease or its wait ends. A lease of a killed process is
 * no damage: it ends within seconds, and the next worker of this machine does not wait for that.
 */
export const leases: Damage = {
  name: 'leases',
  status: 'warning',
  async find(app) {
    const findings: Finding[] = [];
    for (const kind of leased) {
      const { held, waiting } = await findStuck(app, kind);
      if (held.length > 0) {
        findings.push({
          what: `${counted(held.length, kind.thing, plural(kind))} held until a time that is too late`,
        });
      }
      if (waiting.length > 0) {
        const what = `${counted(waiting.length, kind.thing, plural(kind))} waiting for more than a day`;
        findings.push({ what });
      }
    }
    if (await isMigratorLocked(app)) findings.push({ what: 'migrations are locked' });
    return findings;
  },
  async mend(app) {
    return inTransaction(app, async (app) => {
      const done: string[] = [];
      for (const kind of leased) {
        const { held, waiting } = await findStuck(app, kind);
        const rows = (ids: unknown[]) =>
          app.db.write(kind.table).whereIn(kind.key, ids as string[]);
        if (kind.isOnlyLease === true) await rows(held).delete();
        else await rows(held).update({ lease_token: null, lease_expires_at: null });
        if (waiting.length > 0) await rows(waiting).update({ not_before: timestamp(app.clock) });
        const freed = new Set([...held, ...waiting]).size;
        if (freed > 0) done.push(`freed ${counted(freed, kind.thing, plural(kind))}`);
      }
      if (await isMigratorLocked(app)) {
        await app.db.write(migratorLock).update({ is_locked: 0 });
        done.push('unlocked the migrations');
      }
      return done;
    });
  },
};

function plural({ thing }: Leased): string {
  const [noun = '', ...rest] = thing.split(' ');
  return [`${noun}s`, ...rest].join(' ');
}

async function findStuck(
  { db, clock, config }: Store,
  { table, key, lease, waits = false }: Leased,
): Promise<{ held: unknown[]; waiting: unknown[] }> {
  const latest = timestamp(clock, lease(config) + toleranceMs);
  const held: unknown[] = await db.read(table).where('lease_expires_at', '>', latest).pluck(key);
  // No retry waits longer than six hours.
  const waiting: unknown[] = waits
    ? await db.read(table).where('not_before', '>', timestamp(clock, dayMs)).pluck(key)
    : [];
  return { held, waiting };
}

/** knex's own lock. Migrations hold it inside their transaction, so no process leaves it locked. */
const migratorLock = 'schema_migrations_lock';

async function isMigratorLocked({ db }: Store): Promise<boolean> {
  return (await db.read(migratorLock).where({ is_locked: 1 }).first()) !== undefined;
}
