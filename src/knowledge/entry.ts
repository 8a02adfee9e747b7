import type { Visibility } from '../platform/actor.js';
import type { Language } from '../language/language-pack.js';
import { flag, plain, record, type RecordOf } from '../platform/db/record.js';
import type { Eligibility } from '../search/passages/passages.repository.js';
import { AppError } from '../platform/errors.js';
import { textDirective } from '../platform/text/page-words.js';
import { parseUrl } from '../platform/text/parse-url.js';

/** The most characters of an entry's title and of its text. */
export const longestTitle = 500;
export const longestText = 500_000;

export const statuses = ['draft', 'published'] as const;
export type EntryStatus = (typeof statuses)[number];

export const scopes = ['view', 'url_pattern', 'domain_global', 'app_global'] as const;
/** The scope of an entry: one view, the pages of a pattern, a whole domain, or the whole app. */
export type Scope = (typeof scopes)[number];

export const entries = record({
  id: plain<number>(),
  uuid: plain<string>(),
  organizationId: plain<number>(),
  /** Null while no app claims the domain: the entry waits and is invisible. */
  appId: plain<number | null>(),
  viewId: plain<number | null>(),
  domain: plain<string | null>(),
  urlPattern: plain<string | null>(),
  scope: plain<Scope>(),
  title: plain<string>(),
  content: plain<string>(),
  language: plain<Language>(),
  status: plain<EntryStatus>(),
  visibility: plain<Visibility>(),
  /** True when the visibility is the app's default because nobody chose one. */
  visibilityDefaulted: flag(),
  version: plain<number>(),
  batchId: plain<string | null>(),
  chunkIndex: plain<number | null>(),
  pageFrom: plain<number | null>(),
  pageTo: plain<number | null>(),
  /** The document of the entry: one name for all versions of a file. Null when a person wrote the entry. */
  document: plain<string | null>('source_document'),
  /** The address of the page that the entry was read from, if it has one. */
  sourceUrl: plain<string | null>(),
  /** Its place in a source without pages: the id of its heading, or `paragraph-12`. */
  sourceAnchor: plain<string | null>(),
  /** The headings below its first one by their ids, as JSON, where its section has several. */
  sourceAnchors: plain<string | null>(),
  /** Fingerprint and title of the section from which it was read. Edits do not change them. */
  sourceSha256: plain<string | null>(),
  sourceTitle: plain<string | null>(),
  /** The fingerprints of further sections that a person merged into the entry, separated by blanks. */
  mergedSha256s: plain<string | null>(),
  /** The place among the entries of its section; equal places are in the order of `id`. */
  sourcePart: plain<number>(),
  /** For a draft: the entry that it replaces when approved. */
  replacesId: plain<number | null>(),
  wasPublished: flag(),
  /** True when a person has changed its text since it was created or read. */
  edited: flag(),
  changedBy: plain<string>(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

/** One knowledge entry. The page query and batches use `id`; /api/knowledge uses `uuid`. */
export type Entry = RecordOf<typeof entries>;

export type PageEntry = Pick<
  Entry,
  | 'id'
  | 'title'
  | 'content'
  | 'language'
  | 'visibility'
  | 'scope'
  | 'urlPattern'
  | 'document'
  | 'sourceUrl'
>;

/** The document that an entry was read from, and the place in it. */
type Origin = Pick<
  Entry,
  | 'document'
  | 'sourceUrl'
  | 'sourceAnchor'
  | 'sourceAnchors'
  | 'sourceSha256'
  | 'sourceTitle'
  | 'mergedSha256s'
  | 'sourcePart'
  | 'replacesId'
>;

/** Where an entry comes from. */
export type EntrySource = Origin & Pick<Entry, 'batchId' | 'chunkIndex' | 'pageFrom' | 'pageTo'>;

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
  | keyof Origin
> &
  Partial<Origin & Past>;

export const entrySorts = [
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
  'title',
  '-title',
  'relevance',
] as const;
/** A column to sort by; a minus means descending. `relevance` is the score of `matching`. */
export type EntrySort = (typeof entrySorts)[number];

/** The narrowest scope that an entry is bound to. */
export function scopeOf(entry: Pick<Entry, 'viewId' | 'urlPattern' | 'domain'>): Scope {
  if (entry.viewId !== null) return 'view';
  if (entry.urlPattern !== null) return 'url_pattern';
  return entry.domain !== null ? 'domain_global' : 'app_global';
}

/**
 * The name that all versions of a file share: where it belongs, the stated source, if any, and the name of the file. A
 * domain belongs to one app at a time. Neither sources nor names of files contain a slash.
 */
export function documentOf(file: {
  appId: number;
  domain: string | null;
  source: string | null;
  fileName: string;
}): string {
  const owner = file.domain === null ? `app:${file.appId}` : `domain:${file.domain}`;
  const source = file.source === null ? '' : `${file.source}/`;
  return `${owner}/${source}${file.fileName}`;
}

export function fileNameOf(document: string): string {
  return document.slice(document.lastIndexOf('/') + 1);
}

/**
 * The address of a place in the document that an entry was read from: the page of a PDF, or the id above it, and `words`
 * that begin it. Undefined without one. Only addresses of the web: an imported entry may state anything.
 */
export function addressOfPlace(
  { sourceUrl, sourceAnchor, pageFrom }: Pick<Entry, 'sourceUrl' | 'sourceAnchor' | 'pageFrom'>,
  words?: string,
): string | undefined {
  const page = sourceUrl === null ? undefined : parseUrl(sourceUrl);
  if (page === undefined || !/^https?:$/.test(page.protocol)) return undefined;
  if (pageFrom !== null) {
    page.hash = sourceAnchor ?? `page=${pageFrom}`;
    return page.href;
  }
  // The directive of a heading that has no id comes last: browsers go to the first one that they find.
  const [id = '', heading] = (sourceAnchor ?? page.hash.slice(1)).split(':~:');
  const named = words === undefined ? undefined : textDirective(words);
  const directives = [named, heading].filter((each) => each !== undefined);
  page.hash = directives.length === 0 ? id : `${id}:~:${directives.join('&')}`;
  return page.href;
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

export function etagOf(entry: Entry): string {
  return `"${entry.version}"`;
}

/**
 * Errors: `precondition_failed` when an If-Match header does not name the entry's present version: somebody else has
 * changed it. `*` matches any version. A weak tag counts as strong, because compressing proxies weaken tags.
 */
export function checkVersion(entry: Entry, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (tags.includes('*') || tags.includes(etagOf(entry))) return;
  throw new AppError(
    'precondition_failed',
    `The entry has been changed meanwhile: it is now at version ${entry.version}. Read it again, and repeat your change.`,
    { reason: { is: 'entry_changed' } },
  );
}
