import type { Knex } from 'knex';
import type { App } from '../app.js';
import { minuteMs, roundingMs } from './rate-limiter.js';

/** Requests of one key that are counted at once. */
export interface Asked {
  /** At most 64 characters. */
  key: string;
  times: number;
  perMinute: number;
}

export interface Counted {
  /** So many of the requests were allowed. The others do not count. */
  allowed: number;
  /** Milliseconds until the key has its full limit again. */
  debt: number;
}

/** The clock of the database, which all servers share, in milliseconds since 1970. */
const now = 'extract(epoch from now()) * 1000';

/** Counts requests by the rule of a rate limiter: the result by key. Only for PostgreSQL, outside of any transaction. */
export async function countRequests(
  db: Knex,
  dialect: App['db']['dialect'],
  asked: readonly Asked[],
): Promise<Map<string, Counted>> {
  const columns = { key: 'text', interval_ms: 'double precision', times: 'integer' } as const;
  const values = asked.map(({ key, times, perMinute }) => {
    return [key, minuteMs / perMinute, Math.min(times, perMinute)];
  });
  const rows = await db.raw<(Counted & { key: string })[]>(
    `insert into request_limits as held (counted, interval_ms, allowed, full_at)
     select key, interval_ms, times, ${now} + times * interval_ms::numeric from ? order by key
     on conflict (counted) do update set (interval_ms, allowed, full_at) = (
       select excluded.interval_ms, allowed, before + allowed * excluded.interval_ms::numeric
       from (
         select before, greatest(0, least(excluded.allowed, floor(
           (${minuteMs + roundingMs} + ${now} - before) / excluded.interval_ms::numeric
         ))) as allowed
         from (select greatest(${now}, least(held.full_at, ${now} + ${minuteMs})) as before) as debt
       ) as verdict
     )
     returning counted as key, allowed, full_at - ${now} as debt`,
    [dialect.tableOf(db, 'asked', columns, values)],
  );
  return new Map(rows.map(({ key, ...counted }) => [key, counted]));
}

/**
 * Notes for a minute that a server counts requests, and deletes the keys that have their full limit again. Returns the
 * number of servers.
 */
export async function countServers(db: Knex, server: string): Promise<number> {
  await db.raw(
    `insert into request_limits (counted, interval_ms, allowed, full_at) values (?, 0, 0, ${now} + ${minuteMs})
     on conflict (counted) do update set full_at = excluded.full_at`,
    [`server ${server}`],
  );
  // What another statement counts at this moment does not wait, and is left.
  await db.raw(
    `delete from request_limits where counted in
       (select counted from request_limits where full_at < ${now} for update skip locked)`,
  );
  const [row] = await db.raw<{ servers: number }[]>(
    `select count(*) as servers from request_limits where counted like 'server %'`,
  );
  return row?.servers ?? 1;
}
