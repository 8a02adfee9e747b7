import type { Knex } from 'knex';
import type { Language } from '../language/language-pack.js';
import type { Visibility } from '../platform/actor.js';
import type { WithDb } from '../platform/app.js';
import type { ScoredPassage } from '../search/ranking/rank-by-stems.js';
import {
  countOf,
  countUpTo,
  type Order,
  type Page,
  type Paged,
} from '../platform/db/select-page.js';
import { usesOfEntry } from './citations.repository.js';
import { entries, type Entry, type EntrySort, type EntryStatus } from './entry.js';

/** Conditions of a list. Undefined ones do not apply. */
export interface EntryFilter {
  organizationId: number;
  status?: EntryStatus | undefined;
  visibilities?: Visibility[] | undefined;
  domain?: string | undefined;
  language?: Language | undefined;
  urlPattern?: string | undefined;
  appId?: number | undefined;
  batchId?: string | undefined;
  document?: string | undefined;
  /** The id of a batch, or a part of a document's name: of all documents that it fits. */
  documentNamed?: string | undefined;
  wasPublished?: boolean | undefined;
  edited?: boolean | undefined;
  /** Whether an answer of the organization cites it. */
  used?: boolean | undefined;
  /** Passages that match a text. Only their entries are listed, and the list can be sorted by their scores. */
  matching?: readonly ScoredPassage[] | undefined;
}

export async function listEntriesWhere(
  app: WithDb,
  filter: EntryFilter,
  sort: EntrySort,
  page: Page,
): Promise<Paged<Entry>> {
  return entries.page(filtered(app, filter), orderOf(sort), page);
}

/** All matching entries in order of creation. Only for the entries of a batch or an app. */
export async function findEntriesWhere(app: WithDb, filter: EntryFilter): Promise<Entry[]> {
  return entries.all(filtered(app, filter).orderBy('id'));
}

/** The next matching entries in order of creation, after the id `after`. */
export async function findEntriesAfter(
  app: WithDb,
  filter: EntryFilter,
  after: number,
  limit: number,
): Promise<Entry[]> {
  return entries.all(filtered(app, filter).where('id', '>', after).orderBy('id').limit(limit));
}

/** Those of the documents that have entries, as `<organization> <document>`. */
export async function findDocumentsWithEntries(
  app: WithDb,
  documents: readonly { organizationId: number; document: string }[],
): Promise<Set<string>> {
  const { read, dialect } = app.db;
  const names = documents.map(({ document }) => document);
  const owners = documents.map(({ organizationId }) => organizationId);
  const rows: { organization_id: number; document: string }[] = await read('knowledge_entries')
    .where(dialect.isAmong(read, 'organization_id', owners))
    .where(dialect.isAmong(read, 'source_document', names))
    .distinct('organization_id', 'source_document as document');
  return new Set(rows.map((row) => `${row.organization_id} ${row.document}`));
}

export function countEntriesWhere(app: WithDb, filter: EntryFilter): Promise<number> {
  return countOf(filtered(app, filter));
}

/** The drafts of the whole installation. */
export function countDrafts(app: WithDb): Promise<number> {
  return countOf(app.db.read('knowledge_entries').where({ status: 'draft' }));
}

/** The organization's drafts that came from documents, counted up to `most`. */
export function countDraftsToReview(
  app: WithDb,
  organizationId: number,
  most: number,
): Promise<number> {
  const drafts = app.db
    .read('knowledge_entries')
    .where({ organization_id: organizationId, status: 'draft' });
  return countUpTo(app, drafts.whereNotNull('batch_id'), most);
}

/** True when a draft of a document was published. */
export async function hasReviewedDraft(app: WithDb, organizationId: number): Promise<boolean> {
  const published = app.db
    .read('knowledge_entries')
    .where({ organization_id: organizationId, status: 'published' });
  return (await countUpTo(app, published.whereNotNull('batch_id'), 1)) > 0;
}

/** The organization's entries with exactly this title, including drafts. */
export async function findEntriesTitled(
  app: WithDb,
  organizationId: number,
  title: string,
): Promise<Entry[]> {
  const query = app.db.read('knowledge_entries').where({ organization_id: organizationId, title });
  return entries.all(query.orderBy('id'));
}

/** The numbers of entries and of drafts in batches; a batch without entries is left out. */
export async function countEntriesOfBatches(
  app: WithDb,
  batchIds: string[],
): Promise<Map<string, { entries: number; drafts: number }>> {
  const rows: { batch_id: string; entries: number; drafts: number }[] = await app.db
    .read('knowledge_entries')
    .whereIn('batch_id', batchIds)
    .groupBy('batch_id')
    .select('batch_id')
    .count({ entries: '*' })
    .count({ drafts: app.db.read.raw(`case when status = 'draft' then 1 end`) });
  return new Map(rows.map(({ batch_id, entries, drafts }) => [batch_id, { entries, drafts }]));
}

/**
 * The numbers of drafts of the organization in batches, by batch, that with the oldest draft first. Those that a person
 * took back, or whose predecessor, are left out, and batches without others too.
 *
 * @param batches a query of their ids
 */
export async function countAcceptable(
  app: WithDb,
  organizationId: number,
  batches: Knex.QueryBuilder,
): Promise<Map<string, number>> {
  const rows: { batch_id: string; drafts: number | string }[] = await app.db
    .read('knowledge_entries as entry')
    .leftJoin('knowledge_entries as old', 'old.id', 'entry.replaces_id')
    .where({ 'entry.organization_id': organizationId, 'entry.status': 'draft' })
    .where('entry.was_published', false)
    .where((either) => {
      void either.whereNull('old.id').orWhere('old.status', '<>', 'draft');
      void either.orWhere('old.was_published', false);
    })
    .whereIn('entry.batch_id', batches)
    .groupBy('entry.batch_id')
    .orderByRaw('min(entry.id)')
    .select('entry.batch_id')
    .count({ drafts: '*' });
  return new Map(rows.map(({ batch_id, drafts }) => [batch_id, Number(drafts)]));
}

/** The organization's batches with drafts, as ids: at most `limit` of them, those with the newest drafts first. */
export async function findBatchesWithDrafts(
  app: WithDb,
  organizationId: number,
  limit: number,
  { oldestFirst = false }: { oldestFirst?: boolean } = {},
): Promise<string[]> {
  const drafts = app.db
    .read('knowledge_entries')
    .where({ organization_id: organizationId, status: 'draft' })
    .whereNotNull('batch_id');
  return (await drafts
    .groupBy('batch_id')
    .orderByRaw(oldestFirst ? 'min(id)' : 'max(id) desc')
    .limit(limit)
    .pluck('batch_id')) as string[];
}

/** The fields that give an entry's place in its document. */
type Place = 'chunkIndex' | 'sourcePart';

/** An entry of a batch without its text. */
export type EntryOutline = Pick<
  Entry,
  'id' | 'title' | 'version' | 'status' | 'edited' | 'pageFrom' | 'pageTo' | 'replacesId' | Place
> & {
  /** True when a person unpublished the entry, or the entry that it replaces. */
  takenBack: boolean;
};

/** The entries of a batch without their texts, in the order of the document: there may be thousands. */
export async function findOutlines(
  app: WithDb,
  { organizationId, batchId }: { organizationId: number; batchId: string },
): Promise<EntryOutline[]> {
  const rows: OutlineRow[] = await app.db
    .read('knowledge_entries as entry')
    .leftJoin('knowledge_entries as old', 'old.id', 'entry.replaces_id')
    .where({ 'entry.batch_id': batchId })
    // Keeps SQLite from reading all entries of the organization instead of those of the batch.
    .whereRaw(`${app.db.dialect.unindexed}entry.organization_id = ?`, [organizationId])
    .orderByRaw('coalesce(entry.chunk_index, 0), entry.source_part, entry.id')
    .select({
      id: 'entry.id',
      title: 'entry.title',
      version: 'entry.version',
      status: 'entry.status',
      edited: 'entry.edited',
      pageFrom: 'entry.page_from',
      pageTo: 'entry.page_to',
      chunkIndex: 'entry.chunk_index',
      sourcePart: 'entry.source_part',
      replacesId: 'entry.replaces_id',
      wasPublished: 'entry.was_published',
      oldStatus: 'old.status',
      oldWasPublished: 'old.was_published',
    });
  return rows.map(({ wasPublished, oldStatus, oldWasPublished, edited, ...row }) => ({
    ...row,
    edited: Boolean(edited),
    takenBack:
      (row.status === 'draft' && Boolean(wasPublished)) ||
      (oldStatus === 'draft' && Boolean(oldWasPublished)),
  }));
}

interface OutlineRow extends Omit<EntryOutline, 'edited' | 'takenBack'> {
  edited: number | boolean;
  wasPublished: number | boolean;
  /** Of the entry that it replaces. */
  oldStatus: EntryStatus | null;
  oldWasPublished: number | boolean | null;
}

/** The organization's entries with a matching domain name, in an app or waiting for one. */
export async function findEntriesOfHosts(
  app: WithDb,
  organizationId: number,
  matches: (domain: string) => boolean,
): Promise<Entry[]> {
  const named = () => app.db.read('knowledge_entries').where({ organization_id: organizationId });
  const hosts = (await named().whereNotNull('domain').distinct().pluck('domain')) as string[];
  const found: Entry[] = [];
  const fitting = hosts.filter(matches);
  for (let start = 0; start < fitting.length; start += 500) {
    const slice = fitting.slice(start, start + 500);
    found.push(...(await entries.all(named().whereIn('domain', slice))));
  }
  return found.sort((a, b) => a.id - b.id);
}

/** The number of entries in an app, or bound to one of its views. */
export async function countEntriesBoundTo(
  app: WithDb,
  { appId, viewIds }: { appId?: number; viewIds: number[] },
): Promise<number> {
  const all = () => app.db.read('knowledge_entries');
  let count = appId === undefined ? 0 : await countOf(all().where({ app_id: appId }));
  for (let start = 0; start < viewIds.length; start += 500) {
    const bound = all().whereIn('view_id', viewIds.slice(start, start + 500));
    // Entries of the app are already counted.
    count += await countOf(appId === undefined ? bound : bound.whereNull('app_id'));
  }
  return count;
}

function orderOf(sort: EntrySort): Order[] {
  if (sort === 'relevance') return [{ column: 'score', order: 'desc' }, { column: 'id' }];
  const order = sort.startsWith('-') ? 'desc' : 'asc';
  return [
    { column: sort.replace('-', ''), order },
    { column: 'id', order },
  ];
}

function filtered(app: WithDb, filter: EntryFilter): Knex.QueryBuilder {
  const query = app.db.read('knowledge_entries').where('organization_id', filter.organizationId);
  if (filter.status !== undefined) query.where('status', filter.status);
  if (filter.visibilities !== undefined) query.whereIn('visibility', filter.visibilities);
  if (filter.domain !== undefined) query.where('domain', filter.domain);
  if (filter.language !== undefined) query.where('language', filter.language);
  if (filter.urlPattern !== undefined) query.where('url_pattern', filter.urlPattern);
  if (filter.appId !== undefined) query.where('app_id', filter.appId);
  if (filter.batchId !== undefined) query.where('batch_id', filter.batchId);
  if (filter.document !== undefined) query.where('source_document', filter.document);
  if (filter.documentNamed !== undefined) query.whereIn('id', ofDocument(app, filter));
  if (filter.wasPublished !== undefined) query.where('was_published', filter.wasPublished);
  if (filter.edited !== undefined) query.where('edited', filter.edited);
  if (filter.used !== undefined) {
    const uses = usesOfEntry(app, filter.organizationId);
    if (filter.used) query.whereExists(uses);
    else query.whereNotExists(uses);
  }
  if (filter.matching !== undefined) {
    const matched = entriesOfPassages(app, filter.matching).as('matched');
    query.join(matched, 'matched.entry_id', 'knowledge_entries.id');
  }
  return query;
}

/** A query of the entries of passages: `entry_id`, and `score` of the entry's best passage. */
function entriesOfPassages({ db }: WithDb, passages: readonly ScoredPassage[]) {
  const columns = { id: 'integer', score: 'double precision' } as const;
  const rows = passages.map(({ id, score }) => [id, score]);
  return db.read
    .from(db.dialect.tableOf(db.read, 'found', columns, rows))
    .joinRaw(`${db.dialect.joinInOrder} passages as p on p.id = found.id`)
    .groupBy('p.entry_id')
    .select('p.entry_id')
    .max({ score: 'found.score' });
}

/** The ids of the entries of documents. Without them, SQLite reads all entries in the order of the list. */
function ofDocument(app: WithDb, { organizationId, documentNamed = '' }: EntryFilter) {
  const ids = app.db.read('knowledge_entries').select('id');
  if (/^[\da-f-]{36}$/.test(documentNamed)) return ids.where('batch_id', documentNamed);
  const part = `%${documentNamed.replaceAll(/[\\%_]/g, '\\$&')}%`;
  // Goes from name to name by the index: there are far more entries than documents.
  const next = 'select min(source_document) from knowledge_entries where organization_id = ?';
  const names = `with recursive names(name) as (
      ${next}
      union all
      select (${next} and source_document > name) from names where name is not null
    ) select name from names where lower(name) like lower(?) escape '\\'`;
  return ids
    .where('organization_id', organizationId)
    .whereRaw(`source_document in (${names})`, [organizationId, organizationId, part]);
}
