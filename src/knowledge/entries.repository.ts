import { randomUUID } from 'node:crypto';
import type { Store } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { entries, scopeOf, type Entry, type EntrySource, type NewEntry } from './entry.js';

/** Entries per insert: well below the parameters that a statement may bind. */
const rowsPerInsert = 30;

export async function insertEntries(app: Store, added: NewEntry[]): Promise<Entry[]> {
  const stored: Entry[] = [];
  for (let start = 0; start < added.length; start += rowsPerInsert) {
    const rows = added.slice(start, start + rowsPerInsert).map((entry) => toRow(app, entry));
    const inserted = await app.db.write('knowledge_entries').insert(rows).returning('*');
    stored.push(...(inserted as object[]).map(entries.read));
  }
  return stored;
}

/** The source of an entry that no document has. */
export const withoutDocument = {
  document: null,
  sourceUrl: null,
  sourceAnchor: null,
  sourceAnchors: null,
  sourceSha256: null,
  sourceTitle: null,
  replacesId: null,
  mergedSha256s: null,
  sourcePart: 0,
};

function toRow({ clock }: Store, entry: NewEntry) {
  const now = timestamp(clock);
  return entries.columns({
    ...withoutDocument,
    edited: false,
    createdAt: now,
    ...entry,
    uuid: entry.uuid ?? randomUUID(),
    scope: scopeOf(entry),
    version: 1,
    wasPublished: entry.status === 'published' || entry.wasPublished === true,
    updatedAt: now,
  });
}

/** An entry by its uuid, or by the number that batches and the page query show. */
export async function findEntryNamed(
  app: Store,
  organizationId: number,
  name: string,
): Promise<Entry | undefined> {
  const number = /^[1-9]\d{0,9}$/.test(name) ? { id: Number(name) } : { uuid: name };
  const query = app.db.read('knowledge_entries');
  return entries.first(query.where({ organization_id: organizationId, ...number }));
}

/** Entries that somebody may mean by a number, a title, or a uuid or its beginning: at most `limit` of them. */
export async function findEntriesCalled(
  app: Store,
  organizationId: number,
  name: string,
  limit: number,
): Promise<Entry[]> {
  const number = /^[1-9]\d{0,9}$/.test(name) ? Number(name) : -1;
  const query = app.db
    .read('knowledge_entries')
    .where({ organization_id: organizationId })
    .andWhere((called) => {
      void called.where({ id: number }).orWhere({ title: name });
      const uuid = /^[\da-f-]+$/i.test(name) ? name.toLowerCase() : undefined;
      if (uuid !== undefined) void called.orWhereBetween('uuid', [uuid, `${uuid}~`]);
    })
    .orderBy('id')
    .limit(limit);
  return entries.all(query);
}

/** The fields of an entry that decide who may open it, and its version. */
export type EntryState = Pick<
  Entry,
  'uuid' | 'organizationId' | 'appId' | 'visibility' | 'status' | 'version'
>;

interface StateRow extends Pick<Entry, 'uuid' | 'visibility' | 'status' | 'version'> {
  organization_id: number;
  app_id: number | null;
}

/** How the entries of these uuids stand, of whatever organization, by their uuids. */
export async function findEntryStates(
  app: Store,
  uuids: string[],
): Promise<Map<string, EntryState>> {
  const rows = await named(app, uuids).select(
    ...(['organization_id', 'app_id', 'visibility', 'status', 'version'] as const),
  );
  return new Map(
    rows.map(({ uuid, organization_id: organizationId, app_id: appId, ...state }) => [
      uuid,
      { uuid, organizationId, appId, ...state },
    ]),
  );
}

/** Those of the uuids that name entries of any other organization. */
export async function findForeignEntries(
  app: Store,
  organizationId: number,
  uuids: string[],
): Promise<string[]> {
  const rows = await named(app, uuids).whereNot({ organization_id: organizationId });
  return rows.map(({ uuid }) => uuid);
}

function named(app: Store, uuids: string[]) {
  return app.db
    .read<StateRow>('knowledge_entries')
    .where(app.db.dialect.isAmong(app.db.read, 'uuid', uuids))
    .select('uuid');
}

export async function findEntriesById(app: Store, ids: number[]): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let start = 0; start < ids.length; start += 500) {
    const query = app.db.read('knowledge_entries').whereIn('id', ids.slice(start, start + 500));
    found.push(...(await entries.all(query.orderBy('id'))));
  }
  return found;
}

/** What is told of a cited entry, besides the passage. */
export type CitedEntry = Pick<
  Entry,
  'uuid' | 'version' | 'visibility' | 'document' | 'sourceUrl' | 'sourceAnchor' | 'sourceAnchors'
>;

/** Those of the entries that there still are, as they may be cited, by their numbers; at most some hundred. */
export async function findCited(app: Store, ids: number[]): Promise<Map<number, CitedEntry>> {
  const rows = await app.db
    .read<Entry & Record<`source_${'document' | 'url' | 'anchor' | 'anchors'}`, string | null>>(
      'knowledge_entries',
    )
    .whereIn('id', ids)
    .select('id', 'uuid', 'version', 'visibility', {
      document: 'source_document',
      sourceUrl: 'source_url',
      sourceAnchor: 'source_anchor',
      sourceAnchors: 'source_anchors',
    });
  return new Map(rows.map(({ id, ...cited }) => [id, cited]));
}

/** Texts of a document that are read to find words. */
const mostSearched = 20;

/**
 * The texts of earlier sections of an entry's document that contain these words in this order, among others. Sections of
 * other versions have no order to it; published ones are still in the document.
 */
export async function findEarlierText(
  app: Store,
  id: number,
  words: readonly string[],
): Promise<string[]> {
  const pattern = words.map((word) => word.replaceAll(/[%_\\]/g, '\\$&')).join('%');
  return app.db
    .read('knowledge_entries as own')
    .join('knowledge_entries as other', (on) => {
      void on
        .on('other.organization_id', 'own.organization_id')
        .on('other.source_document', 'own.source_document')
        .on('other.id', '<>', 'own.id');
    })
    .where('own.id', id)
    .whereRaw(
      `case when coalesce(other.batch_id, '') = coalesce(own.batch_id, '')
       then other.chunk_index < own.chunk_index else other.status = 'published' end`,
    )
    .whereRaw("lower(other.content) like lower(?) escape '\\'", [`%${pattern}%`])
    .limit(mostSearched)
    .pluck<string[]>('other.content');
}

/** What decides whether a link leads to an entry. */
export type LinkedEntry = EntryState &
  Pick<
    Entry,
    'domain' | 'urlPattern' | 'document' | 'sourceUrl' | 'sourceAnchor' | 'sourceAnchors'
  >;

/** Entries that are read for the links of one text or page of texts. */
const mostLinked = 5000;

/** The entries of these documents and pages, in the order of their sections; published ones first. */
export async function findLinked(
  app: Store,
  organizationId: number,
  { documents, urls }: { documents: readonly string[]; urls: readonly string[] },
): Promise<LinkedEntry[]> {
  const { read, dialect } = app.db;
  return read('knowledge_entries')
    .where({ organization_id: organizationId })
    .where((some) => {
      void some
        .where(dialect.isAmong(read, 'source_document', documents))
        .orWhere(dialect.isAmong(read, 'source_url', urls));
    })
    .orderBy([{ column: 'status', order: 'desc' }, 'chunk_index', 'source_part', 'id'])
    .limit(mostLinked)
    .select('uuid', 'visibility', 'status', 'version', 'domain', {
      organizationId: 'organization_id',
      appId: 'app_id',
      urlPattern: 'url_pattern',
      document: 'source_document',
      sourceUrl: 'source_url',
      sourceAnchor: 'source_anchor',
      sourceAnchors: 'source_anchors',
    }) as Promise<LinkedEntry[]>;
}

/** The organization's entries of these uuids, in no order. */
export async function findEntriesByUuid(
  app: Store,
  organizationId: number,
  uuids: string[],
): Promise<Entry[]> {
  const query = app.db
    .read('knowledge_entries')
    .where({ organization_id: organizationId })
    .where(app.db.dialect.isAmong(app.db.read, 'uuid', uuids));
  return entries.all(query);
}

/** The fields of an entry that may change. */
export type EntryChange = Partial<
  Omit<
    Entry,
    'id' | 'uuid' | 'organizationId' | 'version' | 'wasPublished' | 'createdAt' | 'updatedAt'
  >
>;

/** Changes some columns of entries, raising their version. */
export async function updateEntries(
  app: Store,
  ids: number[],
  change: EntryChange & { changedBy: string },
): Promise<void> {
  await app.db
    .write('knowledge_entries')
    .whereIn('id', ids)
    .update({
      ...entries.changes({
        ...change,
        wasPublished: change.status === 'published' ? true : undefined,
        updatedAt: timestamp(app.clock),
      }),
      version: app.db.write.raw('version + 1'),
    });
}

/** Says anew where an entry comes from: no change of what it says, and so no version. */
export async function updateSource(
  app: Store,
  id: number,
  source: Partial<EntrySource>,
): Promise<void> {
  await app.db.write('knowledge_entries').where({ id }).update(entries.changes(source));
}

/** Gives all entries of a document its new name. Their texts and versions stay. */
export async function renameDocument(
  app: Store,
  organizationId: number,
  from: string,
  to: string,
): Promise<void> {
  await app.db
    .write('knowledge_entries')
    .where({ organization_id: organizationId, source_document: from })
    .update({ source_document: to });
}

export async function deleteEntriesById(app: Store, ids: number[]): Promise<void> {
  await app.db.write('knowledge_entries').whereIn('id', ids).delete();
}
