import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import type { Language } from '../platform/text/languages.js';
import { scopeOf, type Entry, type EntryStatus, type NewEntry, type Scope } from './entry.js';

export interface EntryRow {
  id: number;
  uuid: string;
  organization_id: number;
  app_id: number | null;
  view_id: number | null;
  domain: string | null;
  url_pattern: string | null;
  scope: Scope;
  title: string;
  content: string;
  language: Language;
  status: EntryStatus;
  visibility: Visibility;
  visibility_defaulted: number | boolean;
  version: number;
  batch_id: string | null;
  chunk_index: number | null;
  page_from: number | null;
  page_to: number | null;
  changed_by: string;
  created_at: string;
  updated_at: string;
}

/** Conditions of a list. Undefined ones do not narrow. */
export interface EntryFilter {
  organizationId: number;
  status?: EntryStatus | undefined;
  visibilities?: Visibility[] | undefined;
  domain?: string | undefined;
  urlPattern?: string | undefined;
  appId?: number | undefined;
  batchId?: string | undefined;
}

type Store = Pick<App, 'db' | 'clock'>;

/** Entries per insert: well below the parameters that a statement may bind. */
const rowsPerInsert = 30;

export async function insertEntries(app: Store, entries: NewEntry[]): Promise<Entry[]> {
  const stored: Entry[] = [];
  for (let start = 0; start < entries.length; start += rowsPerInsert) {
    const rows = entries.slice(start, start + rowsPerInsert).map((entry) => toRow(app, entry));
    const inserted = (await app.db
      .write('knowledge_entries')
      .insert(rows)
      .returning('*')) as EntryRow[];
    stored.push(...inserted.map(toEntry));
  }
  return stored;
}

/** An entry by its uuid, or by the number that batches and the page query show. */
export async function findEntryNamed(
  app: Store,
  organizationId: number,
  name: string,
): Promise<Entry | undefined> {
  const number = /^[1-9]\d{0,9}$/.test(name) ? { id: Number(name) } : { uuid: name };
  const row = await app.db
    .read<EntryRow>('knowledge_entries')
    .where({ organization_id: organizationId, ...number })
    .first();
  return row === undefined ? undefined : toEntry(row);
}

export async function findEntriesById(app: Store, ids: number[]): Promise<Entry[]> {
  const rows = await app.db.read<EntryRow>('knowledge_entries').whereIn('id', ids).select('*');
  return rows.map(toEntry);
}

export async function listEntriesWhere(
  app: Store,
  filter: EntryFilter,
  page: { offset: number; limit: number },
): Promise<{ entries: Entry[]; total: number }> {
  const counted = (await filtered(app, filter).count({ count: '*' }).first()) as { count: number };
  const rows = (await filtered(app, filter)
    .orderBy('id')
    .offset(page.offset)
    .limit(page.limit)
    .select('*')) as EntryRow[];
  return { entries: rows.map(toEntry), total: counted.count };
}

/** How many entries each of these batches has. */
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

/** Changes some columns of entries, raising their version. */
export async function updateEntries(
  app: Store,
  ids: number[],
  change: { status?: EntryStatus; appId?: number; changedBy: string },
): Promise<void> {
  const row: Record<string, unknown> = {
    changed_by: change.changedBy,
    updated_at: timestamp(app.clock),
    version: app.db.write.raw('version + 1'),
  };
  if (change.status !== undefined) row['status'] = change.status;
  if (change.appId !== undefined) row['app_id'] = change.appId;
  await app.db.write('knowledge_entries').whereIn('id', ids).update(row);
}

export async function deleteEntriesById(app: Store, ids: number[]): Promise<void> {
  await app.db.write('knowledge_entries').whereIn('id', ids).delete();
}

/** Keeps the entries as they are now, before they change: who made that version, when, what. */
export async function insertVersions(app: Store, entries: Entry[]): Promise<void> {
  const rows = entries.map((entry) => ({
    entry_id: entry.id,
    version: entry.version,
    fields: JSON.stringify(entry),
    changed_by: entry.changedBy,
    changed_at: entry.updatedAt,
  }));
  for (let start = 0; start < rows.length; start += 100) {
    await app.db.write('knowledge_entry_versions').insert(rows.slice(start, start + 100));
  }
}

/** Entries of the organization that wait for a domain to be claimed, under any of these names. */
export async function findWaitingEntries(
  app: Store,
  organizationId: number,
  matches: (domain: string) => boolean,
): Promise<Entry[]> {
  const rows = await app.db
    .read<EntryRow>('knowledge_entries')
    .where({ organization_id: organizationId, app_id: null })
    .whereNotNull('domain')
    .select('*');
  return rows.map(toEntry).filter((entry) => entry.domain !== null && matches(entry.domain));
}

function filtered(app: Store, filter: EntryFilter): Knex.QueryBuilder {
  const query = app.db.read('knowledge_entries').where('organization_id', filter.organizationId);
  if (filter.status !== undefined) query.where('status', filter.status);
  if (filter.visibilities !== undefined) query.whereIn('visibility', filter.visibilities);
  if (filter.domain !== undefined) query.where('domain', filter.domain);
  if (filter.urlPattern !== undefined) query.where('url_pattern', filter.urlPattern);
  if (filter.appId !== undefined) query.where('app_id', filter.appId);
  if (filter.batchId !== undefined) query.where('batch_id', filter.batchId);
  return query;
}

function toRow(app: Store, entry: NewEntry): Omit<EntryRow, 'id'> {
  const now = timestamp(app.clock);
  return {
    uuid: randomUUID(),
    organization_id: entry.organizationId,
    app_id: entry.appId,
    view_id: entry.viewId,
    domain: entry.domain,
    url_pattern: entry.urlPattern,
    scope: scopeOf(entry),
    title: entry.title,
    content: entry.content,
    language: entry.language,
    status: entry.status,
    visibility: entry.visibility,
    visibility_defaulted: entry.visibilityDefaulted,
    version: 1,
    batch_id: entry.batchId,
    chunk_index: entry.chunkIndex,
    page_from: entry.pageFrom,
    page_to: entry.pageTo,
    changed_by: entry.changedBy,
    created_at: now,
    updated_at: now,
  };
}

export function toEntry(row: EntryRow): Entry {
  return {
    id: row.id,
    uuid: row.uuid,
    organizationId: row.organization_id,
    appId: row.app_id,
    viewId: row.view_id,
    domain: row.domain,
    urlPattern: row.url_pattern,
    scope: row.scope,
    title: row.title,
    content: row.content,
    language: row.language,
    status: row.status,
    visibility: row.visibility,
    visibilityDefaulted: Boolean(row.visibility_defaulted),
    version: row.version,
    batchId: row.batch_id,
    chunkIndex: row.chunk_index,
    pageFrom: row.page_from,
    pageTo: row.page_to,
    changedBy: row.changed_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
