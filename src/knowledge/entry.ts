import type { Visibility } from '../platform/actor.js';
import type { Language } from '../language/language-pack.js';
import type { Eligibility } from '../search/passages/passages.repository.js';

export const statuses = ['draft', 'published'] as const;
export type EntryStatus = (typeof statuses)[number];

export const scopes = ['view', 'url_pattern', 'domain_global', 'app_global'] as const;
/** The scope of an entry: one view, the pages of a pattern, a whole domain, or the whole app. */
export type Scope = (typeof scopes)[number];

/** One knowledge entry. The page query and batches use `id`; /api/knowledge uses `uuid`. */
export interface Entry {
  id: number;
  uuid: string;
  organizationId: number;
  /** Null while no app claims the domain: the entry waits and is invisible. */
  appId: number | null;
  viewId: number | null;
  domain: string | null;
  urlPattern: string | null;
  scope: Scope;
  title: string;
  content: string;
  language: Language;
  status: EntryStatus;
  visibility: Visibility;
  /** True when the visibility is the app's default because nobody chose one. */
  visibilityDefaulted: boolean;
  version: number;
  batchId: string | null;
  chunkIndex: number | null;
  pageFrom: number | null;
  pageTo: number | null;
  /** The document of the entry: one name for all versions of a file. Null when a person wrote the entry. */
  document: string | null;
  /** Fingerprint and title of the section from which it was read. Edits do not change them. */
  sourceSha256: string | null;
  sourceTitle: string | null;
  /** For a draft: the entry that it replaces when approved. */
  replacesId: number | null;
  wasPublished: boolean;
  /** True when a person has changed its text since it was created or read. */
  edited: boolean;
  changedBy: string;
  createdAt: string;
  updatedAt: string;
}

export type PageEntry = Pick<
  Entry,
  'id' | 'title' | 'content' | 'language' | 'visibility' | 'scope' | 'urlPattern'
>;

/** The origin of an entry that was read from a document. */
type Source = Pick<Entry, 'document' | 'sourceSha256' | 'sourceTitle' | 'replacesId'>;

/** The history of an imported entry; a new entry has none. */
type Past = Pick<Entry, 'uuid' | 'wasPublished' | 'edited' | 'createdAt'>;

export type NewEntry = Omit<
  Entry,
  | 'id'
  | 'uuid'
  | 'scope'
  | 'version'
  | 'wasPublished'
  | 'edited'
  | 'createdAt'
  | 'updatedAt'
  | keyof Source
> &
  Partial<Source & Past>;

export const entrySorts = [
  ...(['created_at', '-created_at', 'updated_at', '-updated_at'] as const),
  ...(['title', '-title', 'relevance'] as const),
] as const;
/** A column to sort by; a minus means descending. `relevance` is the score of `matching`. */
export type EntrySort = (typeof entrySorts)[number];

/** The narrowest scope that an entry is bound to. */
export function scopeOf(entry: Pick<Entry, 'viewId' | 'urlPattern' | 'domain'>): Scope {
  if (entry.viewId !== null) return 'view';
  if (entry.urlPattern !== null) return 'url_pattern';
  return entry.domain !== null ? 'domain_global' : 'app_global';
}

/** The name that all versions of a file share. A domain belongs to one app at a time. */
export function documentOf(file: {
  appId: number;
  domain: string | null;
  fileName: string;
}): string {
  const owner = file.domain === null ? `app:${file.appId}` : `domain:${file.domain}`;
  return `${owner}/${file.fileName}`;
}

export function fileNameOf(document: string): string {
  return document.slice(document.indexOf('/') + 1);
}

/** The fields of an entry that decide who finds it in a search. */
export function eligibilityOf(entry: Omit<NewEntry, 'title' | 'content'>): Eligibility {
  return {
    organizationId: entry.organizationId,
    appId: entry.appId,
    visibility: entry.visibility,
    published: entry.status === 'published',
    viewId: entry.viewId,
    domain: entry.domain,
    urlPattern: entry.urlPattern,
  };
}
