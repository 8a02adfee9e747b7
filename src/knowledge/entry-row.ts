import { randomUUID } from 'node:crypto';
import type { Language } from '../language/language-pack.js';
import type { Visibility } from '../platform/actor.js';
import { timestamp, type Clock } from '../platform/clock.js';
import { scopeOf, type Entry, type EntryStatus, type NewEntry, type Scope } from './entry.js';

/** How the database holds an entry. */
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
  source_document: string | null;
  source_sha256: string | null;
  source_title: string | null;
  replaces_id: number | null;
  was_published: number | boolean;
  edited: number | boolean;
  changed_by: string;
  created_at: string;
  updated_at: string;
}

export function toRow(clock: Clock, entry: NewEntry): Omit<EntryRow, 'id'> {
  const now = timestamp(clock);
  return {
    uuid: entry.uuid ?? randomUUID(),
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
    source_document: entry.document ?? null,
    source_sha256: entry.sourceSha256 ?? null,
    source_title: entry.sourceTitle ?? null,
    replaces_id: entry.replacesId ?? null,
    was_published: entry.status === 'published' || entry.wasPublished === true,
    edited: entry.edited ?? false,
    changed_by: entry.changedBy,
    created_at: entry.createdAt ?? now,
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
    document: row.source_document,
    sourceSha256: row.source_sha256,
    sourceTitle: row.source_title,
    replacesId: row.replaces_id,
    wasPublished: Boolean(row.was_published),
    edited: Boolean(row.edited),
    changedBy: row.changed_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Where an entry comes from. */
export type EntrySource = Pick<
  Entry,
  | 'batchId'
  | 'chunkIndex'
  | 'pageFrom'
  | 'pageTo'
  | 'document'
  | 'sourceSha256'
  | 'sourceTitle'
  | 'replacesId'
>;

export function sourceColumns(source: Partial<EntrySource>) {
  return {
    batch_id: source.batchId,
    chunk_index: source.chunkIndex,
    page_from: source.pageFrom,
    page_to: source.pageTo,
    source_document: source.document,
    source_sha256: source.sourceSha256,
    source_title: source.sourceTitle,
    replaces_id: source.replacesId,
  };
}
