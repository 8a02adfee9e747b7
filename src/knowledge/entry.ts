import type { Visibility } from '../platform/actor.js';
import type { Language } from '../language/language-pack.js';
import type { Eligibility } from '../search/passages/passages.repository.js';

export const statuses = ['draft', 'published'] as const;
export type EntryStatus = (typeof statuses)[number];

export const scopes = ['view', 'url_pattern', 'domain_global', 'app_global'] as const;
/** How far an entry reaches: one view, the pages of a pattern, a whole domain, the whole app. */
export type Scope = (typeof scopes)[number];

/** One piece of knowledge. `id` is the number of the page query and of batches, `uuid` the id in /api/knowledge. */
export interface Entry {
  id: number;
  uuid: string;
  organizationId: number;
  /** Null while no app claims the domain: the entry waits, unseen. */
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
  /** Whether nobody chose the visibility: it was the app's default. */
  visibilityDefaulted: boolean;
  version: number;
  batchId: string | null;
  chunkIndex: number | null;
  pageFrom: number | null;
  pageTo: number | null;
  /** The document that it was read from: one name for all versions of a file. Null where somebody wrote it. */
  document: string | null;
  /** Fingerprint and title of the section that it was made of, as they were read: edits don't change them. */
  sourceSha256: string | null;
  sourceTitle: string | null;
  /** Of a draft: the entry whose text it takes the place of when it is approved. */
  replacesId: number | null;
  /** Whether it is published, or was once. */
  wasPublished: boolean;
  /** Whether its text is a person's: changed by one since it was made or read. */
  edited: boolean;
  changedBy: string;
  createdAt: string;
  updatedAt: string;
}

/** What a page shows of an entry. */
export type PageEntry = Pick<
  Entry,
  'id' | 'title' | 'content' | 'language' | 'visibility' | 'scope' | 'urlPattern'
>;

/** Where an entry comes from, if it was read from a document. */
type Source = Pick<Entry, 'document' | 'sourceSha256' | 'sourceTitle' | 'replacesId'>;

/** What an entry brings along that was one elsewhere before; else it begins here. */
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
/** A column to order by, from the last where a minus stands before it; `relevance` is the score of `matching`. */
export type EntrySort = (typeof entrySorts)[number];

/** The scope that follows from what an entry is bound to, the narrowest first. */
export function scopeOf(entry: Pick<Entry, 'viewId' | 'urlPattern' | 'domain'>): Scope {
  if (entry.viewId !== null) return 'view';
  if (entry.urlPattern !== null) return 'url_pattern';
  return entry.domain !== null ? 'domain_global' : 'app_global';
}

/** The name under which a file's versions are known to be the same document. A domain is one app's at a time. */
export function documentOf(file: {
  appId: number;
  domain: string | null;
  fileName: string;
}): string {
  const owner = file.domain === null ? `app:${file.appId}` : `domain:${file.domain}`;
  return `${owner}/${file.fileName}`;
}

/** The name of a document's file. */
export function fileNameOf(document: string): string {
  return document.slice(document.indexOf('/') + 1);
}

/** What retrieval needs to know of an entry to show it to the right people alone. */
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
