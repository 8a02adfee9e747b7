import { LRUCache } from 'lru-cache';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App, KeySightings, Store } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';

/** A host on whose pages a widget key was used. */
export interface Sighting {
  keyId: number;
  host: string;
  /** To the hour. */
  seenAt: string;
}

interface SightingRow {
  widget_key_id: number;
  host: string;
  seen_at: string;
}

const intervalMs = 3_600_000;
/** The most hosts per key, so that forged origins below a wildcard cannot fill the database. */
const mostHosts = 50;

export function createKeySightings(app: Store & Pick<App, 'log'>): KeySightings {
  const noted = new LRUCache<string, number>({ maxSize: 10_000, sizeCalculation: () => 1 });
  const underWay = new Set<Promise<void>>();
  return {
    note(key, host) {
      const name = `${key} ${host}`;
      const now = app.clock.now().getTime();
      if (now - (noted.get(name) ?? -Infinity) < intervalMs) return;
      noted.set(name, now);
      const work = store(app, key, host)
        .catch((error: unknown) => {
          // It is tried again with the next call.
          noted.delete(name);
          app.log.warn({ err: error }, 'the use of a widget key could not be recorded');
        })
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}

async function store(app: Store, key: string, host: string): Promise<void> {
  await app.db.write.raw(
    `insert into widget_key_hosts (widget_key_id, host, seen_at)
     select id, ?, ? from widget_keys where "key" = ? and revoked_at is null
     on conflict (widget_key_id, host) do update set seen_at = excluded.seen_at`,
    [host, timestamp(app.clock), key],
  );
  await app.db.write.raw(
    `delete from widget_key_hosts
     where widget_key_id = (select id from widget_keys where "key" = ?) and host not in (
       select host from widget_key_hosts
       where widget_key_id = (select id from widget_keys where "key" = ?)
       order by seen_at desc, host limit ?)`,
    [key, key, mostHosts],
  );
}

/** The hosts on which one or all of the organization's widget keys were used, the latest first. */
export async function listSightings(
  app: Store,
  actor: Actor,
  of: { keyId?: number | undefined } = {},
): Promise<Sighting[]> {
  const { organizationId } = requirePermission(actor, 'administer');
  const own = app.db.read('widget_keys').where({ organization_id: organizationId }).select('id');
  if (of.keyId !== undefined) void own.where({ id: of.keyId });
  const rows = await app.db
    .read<SightingRow>('widget_key_hosts')
    .whereIn('widget_key_id', own)
    .orderBy('seen_at', 'desc')
    .orderBy('host')
    .limit(1000)
    .select('*');
  return rows.map(({ widget_key_id: keyId, host, seen_at: seenAt }) => ({ keyId, host, seenAt }));
}
