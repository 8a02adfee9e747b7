import type { Visibility } from '../platform/actor.js';
import type { App, WithDb } from '../platform/app.js';
import type { Language } from '../language/language-pack.js';
import type { PageEntry, Scope } from './entry.js';

/** One place of an app with published entries of one tier, and their number. */
export interface Place {
  /** Identifies the place among those of one listing. */
  key: number;
  appId: number;
  scope: Scope;
  domain: string | null;
  urlPattern: string | null;
  viewId: number | null;
  visibility: Visibility;
  entries: number;
}

interface PlaceRow {
  app_id: number;
  scope: Scope;
  domain: string;
  url_pattern: string;
  view_id: number;
  visibility: Visibility;
  entries: number;
}

/** The revision of the app's places; 0 before there were any. */
export async function findRevision(app: App, appId: number): Promise<number> {
  const row: { revision: number } | undefined = await app.db
    .read('knowledge_revisions')
    .where({ app_id: appId })
    .first('revision');
  return row?.revision ?? 0;
}

/**
 * Has the pages of an app read anew, because the places in documents have changed to which links lead. All other changes
 * raise the revision by triggers.
 */
export async function raiseRevision(app: WithDb, appId: number): Promise<void> {
  await app.db.write('knowledge_revisions').where({ app_id: appId }).increment('revision', 1);
}

/** All places of an app. Their number depends on patterns, views, domains and tiers, not on entries. */
export async function listPlaces(app: App, appId: number): Promise<Place[]> {
  const rows = (await app.db
    .read('knowledge_places')
    .where({ app_id: appId })
    .select('*')) as PlaceRow[];
  return rows.map((row, key) => ({
    key,
    appId: row.app_id,
    scope: row.scope,
    domain: row.domain === '' ? null : row.domain,
    urlPattern: row.url_pattern === '' ? null : row.url_pattern,
    viewId: row.view_id === 0 ? null : row.view_id,
    visibility: row.visibility,
    entries: row.entries,
  }));
}

/**
 * The entries of these places, rank by rank; within a rank, the latest change first. Each place is read in the order of
 * its index, at most `limit` entries; with a language, at most the first thousand, filtered by it.
 */
export async function listEntriesAt(
  app: App,
  ranks: Place[][],
  limit: number,
  language?: Language,
): Promise<PageEntry[]> {
  const places = ranks.flatMap((rank, index) => rank.map((place) => ({ place, rank: index })));
  const found: Candidate[] = [];
  for (let start = 0; start < places.length; start += placesPerQuery) {
    const some = places.slice(start, start + placesPerQuery);
    found.push(...(await firstOfEach(app, some, limit, language)));
  }
  const ids = found
    .sort(inOrder)
    .slice(0, limit)
    .map(({ id }) => id);
  // Selects few columns: transferring whole entries would take most of the time of a page.
  const rows = await app.db
    .read<PageEntry & Record<'url_pattern' | 'source_document' | 'source_url', string | null>>(
      'knowledge_entries',
    )
    .whereIn('id', ids)
    .select('id', 'title', 'content', 'language', 'visibility', 'scope', {
      urlPattern: 'url_pattern',
      document: 'source_document',
      sourceUrl: 'source_url',
    });
  const entries = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => entries.get(id) ?? []);
}

interface Candidate {
  id: number;
  changed_at: string;
  rank: number;
}

/** Databases limit the parts of a union. */
const placesPerQuery = 100;
/** The most entries of a place that are searched for a language, which no index contains. */
const mostLookedThrough = 1000;

async function firstOfEach(
  app: App,
  places: { place: Place; rank: number }[],
  limit: number,
  language: Language | undefined,
): Promise<Candidate[]> {
  const parts = places.map(({ place, rank }) => {
    const first = app.db
      .read('knowledge_entries')
      .where({
        app_id: place.appId,
        status: 'published',
        scope: place.scope,
        domain: place.domain,
        url_pattern: place.urlPattern,
        view_id: place.viewId,
        visibility: place.visibility,
      })
      .orderBy([{ column: 'updated_at', order: 'desc' }, 'id'])
      .limit(language === undefined ? limit : mostLookedThrough)
      .select(
        'id',
        'updated_at as changed_at',
        'language',
        app.db.read.raw('cast(? as integer) as rank', [rank]),
      )
      .as('first');
    // Wrapped, because a part of a union may have no order or limit of its own.
    const candidates = app.db.read.from(first).select('id', 'changed_at', 'rank');
    return language === undefined ? candidates : candidates.where({ language });
  });
  return (await app.db.read.unionAll(parts)) as Candidate[];
}

function inOrder(a: Candidate, b: Candidate): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.changed_at !== b.changed_at) return a.changed_at < b.changed_at ? 1 : -1;
  return a.id - b.id;
}

/** The numbers of published entries by place, as the entries themselves say. */
const recounted = `select app_id, scope, coalesce(domain, '') as domain, coalesce(url_pattern, '') as url_pattern,
    coalesce(view_id, 0) as view_id, visibility, count(*) as entries
  from knowledge_entries where app_id is not null and status = 'published' group by 1, 2, 3, 4, 5, 6`;
const stored = `select app_id, scope, domain, url_pattern, view_id, visibility, entries from knowledge_places`;

/** The apps whose stored numbers differ from their entries. */
export async function listMiscounted({ db }: WithDb): Promise<number[]> {
  const rows: { app_id: number }[] = await db.read.raw(
    `select distinct app_id from (${recounted} except ${stored}) as more
     union select app_id from (${stored} except ${recounted}) as fewer`,
  );
  return rows.map(({ app_id }) => app_id);
}

/** Counts the entries of apps again, and tells other processes. */
export async function recountPlaces({ db }: WithDb, appIds: readonly number[]): Promise<void> {
  for (const appId of appIds) {
    await db.write('knowledge_places').where({ app_id: appId }).delete();
    await db.write.raw(
      `insert into knowledge_places (app_id, scope, domain, url_pattern, view_id, visibility, entries)
       select * from (${recounted}) as counted where counted.app_id = ?`,
      [appId],
    );
    await db
      .write('knowledge_revisions')
      .insert({ app_id: appId, revision: 1 })
      .onConflict('app_id')
      .merge({ revision: db.write.raw('knowledge_revisions.revision + 1') });
  }
}
