import type { Knex } from 'knex';
import type { Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { ScoredPassage } from '../platform/db/dialect.js';
import { selectPage, type Order, type Page, type Paged } from '../platform/db/select-page.js';
import { toEntry, type EntryRow } from './entry-row.js';
import type { Entry, EntrySort, EntryStatus } from './entry.js';

/** Conditions of a list. Undefined ones do not apply. */
export interface EntryFilter {
  organizationId: number;
  status?: EntryStatus | undefined;
  visibilities?: Visibility[] | undefined;
  domain?: string | undefined;
  urlPattern?: string | undefined;
  appId?: number | undefined;
  batchId?: string | undefined;
  document?: string | undefined;
  wasPublished?: boolean | undefined;
  edited?: boolean | undefined;
  /** Passages that match a text. Only their entries are listed, and the list can be sorted by their scores. */
  matching?: readonly ScoredPassage[] | undefined;
}

type Store = Pick<App, 'db'>;

export async function listEntriesWhere(
  app: Store,
  filter: EntryFilter,
  sort: EntrySort,
  page: Page,
): Promise<Paged<Entry>> {
  return selectPage<EntryRow, Entry>(filtered(app, filter), orderOf(sort), page, toEntry);
}

/** All matching entries in order of creation. Only for the entries of a batch or an app. */
export async function findEntriesWhere(app: Store, filter: EntryFilter): Promise<Entry[]> {
  const rows = (await filtered(app, filter).orderBy('id').select('*')) as EntryRow[];
  return rows.map(toEntry);
}

/** The next matching entries in order of creation, after the id `after`. */
export async function findEntriesAfter(
  app: Store,
  filter: EntryFilter,
  after: number,
  limit: number,
): Promise<Entry[]> {
  const query = filtered(app, filter).where('id', '>', after).orderBy('id').limit(limit);
  return ((await query.select('*')) as EntryRow[]).map(toEntry);
}

export function countEntriesWhere(app: Store, filter: EntryFilter): Promise<number> {
  return countOf(filtered(app, filter));
}

/** The organization's entries with exactly this title, including drafts. */
export async function findEntriesTitled(
  app: Store,
  organizationId: number,
  title: string,
): Promise<Entry[]> {
  const rows = await app.db
    .read<EntryRow>('knowledge_entries')
    .where({ organization_id: organizationId, title })
    .orderBy('id')
    .select('*');
  return rows.map(toEntry);
}

export async function countEntriesOfBatches(
  app: Store,
  batchIds: string[],
): Promise<Map<string, number>> {
  const rows: { batch_id: string; count: number }[] = await app.db
    .read('knowledge_entries')
    .whereIn('batch_id', batchIds)
    .groupBy('batch_id')
    .select('batch_id')
    .count({ count: '*' });
  return new Map(rows.map((row) => [row.batch_id, row.count]));
}

/** The organization's entries with a matching domain name, in an app or waiting for one. */
export async function findEntriesOfHosts(
  app: Store,
  organizationId: number,
  matches: (domain: string) => boolean,
): Promise<Entry[]> {
  const named = () =>
    app.db.read<EntryRow>('knowledge_entries').where({ organization_id: organizationId });
  const hosts = (await named().whereNotNull('domain').distinct().pluck('domain')) as string[];
  const found: EntryRow[] = [];
  const fitting = hosts.filter(matches);
  for (let start = 0; start < fitting.length; start += 500) {
    const slice = fitting.slice(start, start + 500);
    found.push(...(await named().whereIn('domain', slice).select('*')));
  }
  return found.map(toEntry).sort((a, b) => a.id - b.id);
}

/** The number of entries in an app, or bound to one of its views. */
export async function countEntriesBoundTo(
  app: Store,
  { appId, viewIds }: { appId?: number; viewIds: number[] },
): Promise<number> {
  const entries = () => app.db.read('knowledge_entries');
  let count = appId === undefined ? 0 : await countOf(entries().where({ app_id: appId }));
  for (let start = 0; start < viewIds.length; start += 500) {
    const bound = entries().whereIn('view_id', viewIds.slice(start, start + 500));
    // Entries of the app are already counted.
    count += await countOf(appId === undefined ? bound : bound.whereNull('app_id'));
  }
  return count;
}

async function countOf(query: Knex.QueryBuilder): Promise<number> {
  const row = (await query.count({ count: '*' }).first()) as { count: number };
  return row.count;
}

function orderOf(sort: EntrySort): Order[] {
  if (sort === 'relevance') return [{ column: 'score', order: 'desc' }, { column: 'id' }];
  const order = sort.startsWith('-') ? 'desc' : 'asc';
  return [
    { column: sort.replace('-', ''), order },
    { column: 'id', order },
  ];
}

function filtered(app: Store, filter: EntryFilter): Knex.QueryBuilder {
  const query = app.db.read('knowledge_entries').where('organization_id', filter.organizationId);
  if (filter.status !== undefined) query.where('status', filter.status);
  if (filter.visibilities !== undefined) query.whereIn('visibility', filter.visibilities);
  if (filter.domain !== undefined) query.where('domain', filter.domain);
  if (filter.urlPattern !== undefined) query.where('url_pattern', filter.urlPattern);
  if (filter.appId !== undefined) query.where('app_id', filter.appId);
  if (filter.batchId !== undefined) query.where('batch_id', filter.batchId);
  if (filter.document !== undefined) query.where('source_document', filter.document);
  if (filter.wasPublished !== undefined) query.where('was_published', filter.wasPublished);
  if (filter.edited !== undefined) query.where('edited', filter.edited);
  if (filter.matching !== undefined) {
    const matched = app.db.dialect.entriesOfPassages(app.db.read, filter.matching).as('matched');
    query.join(matched, 'matched.entry_id', 'knowledge_entries.id');
  }
  return query;
}
