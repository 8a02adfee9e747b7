import { isNarrower, nameOf, type Member } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { detectLanguage } from '../../language/detect-language.js';
import type { EntryChange } from '../entries.repository.js';
import type { Entry, NewEntry } from '../entry.js';
import { normalizePattern } from '../match-pattern.js';
import { differences } from '../update-entry.js';
import type { EntryRecord } from './entry-record.js';
import type { ImportPlace, Places } from './find-places.js';

export type Plan =
  | { action: 'create'; fields: NewEntry & { uuid: string }; place: ImportPlace }
  | { action: 'update'; entry: Entry; change: EntryChange; place: ImportPlace }
  | { action: 'unchanged'; entry: Entry };

/** The existing entry of a record, and its present or future uuid. */
export interface Standing {
  uuid: string;
  entry: Entry | undefined;
}

/**
 * Decides what a record changes, without writing. Errors: those of placeEntry; `invalid_request`; `conflict` for the
 * publication of a draft that replaces another entry.
 */
export async function planImport(
  app: App,
  member: Member,
  places: Places,
  record: EntryRecord,
  { uuid, entry }: Standing,
): Promise<Plan> {
  const place = await places(app, record, entry);
  if (entry === undefined) {
    return { action: 'create', place, fields: { uuid, ...newEntry(app, member, record, place) } };
  }
  const change = changeOf(entry, record, place);
  if (Object.keys(change).length === 0 && place.missingView === undefined) {
    return { action: 'unchanged', entry };
  }
  if (change.status === 'published' && entry.replacesId !== null) {
    throw new AppError(
      'conflict',
      `this draft replaces another entry: approve it in its batch ${entry.batchId ?? ''} instead`,
    );
  }
  return { action: 'update', entry, change, place };
}

function newEntry(app: App, member: Member, record: EntryRecord, place: ImportPlace): NewEntry {
  const { title, content, status = 'draft' } = record;
  if (title === undefined) throw new AppError('invalid_request', 'title: missing');
  const now = app.clock.now();
  const created = record.created_at === undefined ? now : new Date(record.created_at);
  return {
    organizationId: member.organizationId,
    appId: place.site?.id ?? null,
    viewId: place.viewId,
    domain: place.domain,
    urlPattern: record.url_pattern == null ? null : normalizePattern(record.url_pattern),
    title,
    content,
    status,
    language: record.language ?? detectLanguage(`${title}\n${content}`),
    ...visibilityOf(record, place),
    batchId: null,
    chunkIndex: record.chunk_index ?? null,
    pageFrom: record.page_from ?? null,
    pageTo: record.page_to ?? null,
    document: record.document ?? null,
    sourceUrl: record.source_url ?? null,
    sourceAnchor: record.source_anchor ?? null,
    sourceAnchors: record.source_anchors ?? null,
    sourceSha256: record.source_sha256 ?? null,
    mergedSha256s: record.merged_sha256s ?? null,
    sourceTitle: record.source_title ?? null,
    wasPublished: record.was_published ?? false,
    edited: record.edited ?? false,
    createdAt: (created > now ? now : created).toISOString(),
    changedBy: nameOf(member),
  };
}

/** A default visibility becomes this app's default, unless that is visible to more people. */
function visibilityOf(
  record: EntryRecord,
  { site }: ImportPlace,
): Pick<Entry, 'visibility' | 'visibilityDefaulted'> {
  const byDefault = site?.defaultKnowledgeVisibility ?? 'public';
  const { visibility, visibility_defaulted: defaulted = visibility === undefined } = record;
  const follows = defaulted && (visibility === undefined || !isNarrower(visibility, byDefault));
  return {
    visibility: follows ? byDefault : (visibility ?? byDefault),
    visibilityDefaulted: follows,
  };
}

/** The differences from the existing entry. Its known origin stays. */
function changeOf(entry: Entry, record: EntryRecord, place: ImportPlace): EntryChange {
  const { title = entry.title, content, url_pattern: urlPattern = entry.urlPattern } = record;
  const said = record.visibility !== undefined || record.visibility_defaulted !== undefined;
  const { visibility, visibilityDefaulted } = said ? visibilityOf(record, place) : entry;
  const status = record.status ?? entry.status;
  const wanted = { title, content, urlPattern, status, visibility, visibilityDefaulted };
  return differences(entry, place, wanted, record.language);
}
