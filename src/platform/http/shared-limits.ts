import { createHash, randomUUID } from 'node:crypto';
import type { App } from '../app.js';
import { minuteMs } from './rate-limiter.js';
import { countRequests, countServers, type Counted } from './request-counts.repository.js';

/** The pause between two signs of life of a server, in milliseconds. */
const signsApartMs = 10_000;

/** Whether a request is allowed, and the milliseconds until its key has its full limit again. */
export interface SharedCount {
  allowed: boolean;
  debt: number;
}

export interface SharedLimits {
  /** Counts a request. Undefined without an answer within `limits.database_wait_ms`: then the server decides alone. */
  take(key: string, perMinute: number): Promise<SharedCount | undefined>;
  /** How many servers counted requests in the last minute, with this one. */
  servers(): number;
}

/** Requests that one statement counts, by the hash of their key. */
type Batch = Map<string, { perMinute: number; tell: Tell[] }>;
type Tell = (count: SharedCount | undefined) => void;

/**
 * Counts requests in the database, for all servers. Those that arrive during a statement wait for the next one, so
 * that a busy server sends few statements. Undefined where one process has the database alone.
 */
export function createSharedLimits({
  config: { limits },
  db: { aside, dialect },
}: Pick<App, 'config' | 'db'>): SharedLimits | undefined {
  if (aside === undefined) return undefined;
  const db = aside;
  const server = randomUUID();
  let next: Batch | undefined;
  let isRunning = false;
  /** A statement takes too long: until its end, nobody waits. */
  let isLate = false;
  let servers = 1;
  let signedAt = -Infinity;

  function openBatch(): Batch {
    const batch: Batch = new Map();
    const giveUp = () => {
      if (batch.size === 0) return;
      isLate = true;
      if (next === batch) next = undefined;
      tellAll(batch, new Map());
    };
    // The answer may be there already, where other work has kept this process busy.
    setTimeout(() => setImmediate(giveUp), limits.database_wait_ms).unref();
    return batch;
  }

  async function run(): Promise<void> {
    isRunning = true;
    for (let batch = next; batch !== undefined; batch = next) {
      next = undefined;
      const asked = [...batch].map(([key, { perMinute, tell }]) => {
        return { key, perMinute, times: tell.length };
      });
      try {
        tellAll(batch, await countRequests(db, dialect, asked));
        if (performance.now() - signedAt > signsApartMs) {
          signedAt = performance.now();
          servers = await countServers(db, server);
        }
      } catch {
        tellAll(batch, new Map());
      }
      isLate = false;
    }
    isRunning = false;
  }

  return {
    servers: () => servers,
    take(key, perMinute) {
      if (isLate) return Promise.resolve(undefined);
      // A key may name an address.
      const hash = createHash('sha256').update(key).digest('hex');
      return new Promise((tell) => {
        next ??= openBatch();
        const asked = next.get(hash);
        if (asked === undefined) next.set(hash, { perMinute, tell: [tell] });
        else asked.tell.push(tell);
        if (!isRunning) void run();
      });
    },
  };
}

/** Tells each request of a batch its own count, and empties the batch. */
function tellAll(batch: Batch, counts: ReadonlyMap<string, Counted>): void {
  for (const [key, { perMinute, tell }] of batch) {
    const count = counts.get(key);
    for (const [index, one] of tell.entries()) {
      if (count === undefined) one(undefined);
      else {
        const later = Math.max(0, count.allowed - 1 - index);
        const debt = count.debt - (later * minuteMs) / perMinute;
        one({ allowed: index < count.allowed, debt });
      }
    }
  }
  batch.clear();
}
