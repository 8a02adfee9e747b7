import type { Store } from '../platform/app.js';
import { decoded, parseUrl } from '../platform/text/parse-url.js';
import { linksWithin, resolveLinks } from '../platform/text/source-links.js';
import { addressOfPath } from './address-of-entry.js';
import { isOpenTo, type EntryReader } from './check-quotes.js';
import { findLinked, type LinkedEntry } from './entries.repository.js';
import { addressOfPlace, type Entry } from './entry.js';

/** A text with links to documents of its source, which is that of `document`. */
export type LinkedText = Pick<Entry, 'content' | 'document' | 'sourceUrl'>;

/** A link: the documents or pages that it may mean, the likeliest first, and the heading in them. */
interface Link {
  documents: string[];
  urls: string[];
  anchor: string | undefined;
}

/**
 * The most documents and pages that the links of a page of texts are looked up as. The words of further links stay. Each
 * link of a file in many folders may mean hundreds.
 */
const mostSought = 20_000;
/** In characters: no document has a longer one. */
const longestPath = 500;

/**
 * The texts as a reader may see them: each link to another document of the source leads where `addressOf` finds the
 * entry that was made of it. Links to what is no entry, or to one that the reader may not open, are only words. Entries
 * are found by what the text says, each time, so documents may be read and read again in any order.
 */
export async function showLinks<T extends LinkedText>(
  app: Store,
  reader: EntryReader,
  texts: readonly T[],
  addressOf: (entry: LinkedEntry, anchor: string | undefined) => string | undefined,
): Promise<T[]> {
  const links = new Map<string, Link>();
  let sought = 0;
  for (const text of texts) {
    for (const path of linksWithin(text.content)) {
      const key = keyOf(text, path);
      const link = links.has(key) || sought >= mostSought ? undefined : linkOf(text, path);
      if (link === undefined) continue;
      links.set(key, link);
      sought += link.documents.length + link.urls.length;
    }
  }
  const all = [...links.values()];
  const documents = [...new Set(all.flatMap((link) => link.documents))];
  const urls = [...new Set(all.flatMap((link) => link.urls))];
  const linked =
    links.size === 0 ? [] : await findLinked(app, reader.organizationId, { documents, urls });
  const isOpen = (entry: LinkedEntry) => isOpenTo(reader, entry);
  const byDocument = targetsBy(linked, isOpen, ({ document }) => document ?? '');
  const byPage = targetsBy(linked, isOpen, ({ document, sourceUrl }) =>
    pageKey(document, sourceUrl ?? ''),
  );
  return texts.map((text) => {
    const content = resolveLinks(text.content, (path) => {
      const link = links.get(keyOf(text, path));
      if (link === undefined) return undefined;
      const targets = [
        ...link.documents.map((name) => byDocument.get(name)),
        ...link.urls.map((url) => byPage.get(pageKey(text.document, url))),
      ];
      const found = targets.find((target) => target?.first !== undefined);
      const named = link.anchor === undefined ? undefined : found?.byAnchor.get(link.anchor);
      // The reader must not learn of a section that is closed: the link leads to its document.
      const isClosed = named !== undefined && !isOpen(named);
      const entry = isClosed ? found?.first : (named ?? found?.first);
      if (entry === undefined) return undefined;
      const address = addressOf(entry, isClosed ? undefined : link.anchor);
      return address?.replaceAll('(', '%28').replaceAll(')', '%29');
    });
    return content === text.content ? text : { ...text, content };
  });
}

/**
 * For visitors: the place in the page that an entry was read from, else the page of the app that it is written for.
 * Without either, they have nothing to open.
 */
export function pageOfLink(entry: LinkedEntry, anchor: string | undefined): string | undefined {
  const { sourceUrl, domain, urlPattern } = entry;
  const place = addressOfPlace({ sourceUrl, sourceAnchor: anchor ?? null, pageFrom: null });
  const isOnePage = urlPattern !== null && !/[*:]/.test(urlPattern);
  if (place !== undefined || domain === null || domain.startsWith('*') || !isOnePage) return place;
  return addressOfPath(domain, urlPattern);
}

/** A document or page, with the entry of each heading. A link to what is the heading of none leads to the first. */
interface Target {
  /** The first that is open to the reader; undefined when none is. */
  first: LinkedEntry | undefined;
  byAnchor: Map<string, LinkedEntry>;
}

function targetsBy(
  entries: readonly LinkedEntry[],
  isOpen: (entry: LinkedEntry) => boolean,
  keyOf: (entry: LinkedEntry) => string,
): Map<string, Target> {
  const targets = new Map<string, Target>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const target: Target = targets.get(key) ?? { first: undefined, byAnchor: new Map() };
    targets.set(key, target);
    target.first ??= isOpen(entry) ? entry : undefined;
    for (const anchor of [entry.sourceAnchor ?? '', ...Object.keys(headingsOf(entry))]) {
      if (!target.byAnchor.has(anchor)) target.byAnchor.set(anchor, entry);
    }
  }
  return targets;
}

/** The headings of an entry below its first one, by their ids. */
export function headingsOf({
  sourceAnchors,
}: Pick<Entry, 'sourceAnchors'>): Partial<Record<string, string>> {
  if (sourceAnchors === null) return {};
  try {
    // An imported entry may state anything.
    const stated: unknown = JSON.parse(sourceAnchors);
    return typeof stated === 'object' ? { ...stated } : {};
  } catch {
    return {};
  }
}

function keyOf({ document, sourceUrl }: LinkedText, path: string): string {
  return `${document ?? ''}\n${sourceUrl ?? ''}\n${path}`;
}

/** Pages of one address in two sources are two. */
function pageKey(document: string | null, url: string): string {
  return `${sourceOf(document)} ${url}`;
}

/** What all documents of a source have in common: `domain:docs.example.com/manuals/`. */
function sourceOf(document: string | null): string {
  return document?.slice(0, document.lastIndexOf('/') + 1) ?? '';
}

function linkOf({ document, sourceUrl }: LinkedText, path: string): Link | undefined {
  if (document === null || path.length > longestPath) return undefined;
  const [before = '', fragment = ''] = path.split('#', 2);
  const anchor = fragment === '' ? undefined : decoded(fragment);
  if (sourceUrl !== null) {
    const page = parseUrl(before, sourceUrl);
    return page === undefined ? undefined : { documents: [], urls: addressesOf(page), anchor };
  }
  const source = sourceOf(document);
  const names = namesOf(document.slice(source.length), decoded(before.split('?')[0] ?? ''));
  return { documents: names.map((name) => source + name), urls: [], anchor };
}

/** The addresses under which a page may be known: with and without its index file and its last slash. */
function addressesOf(page: URL): string[] {
  const { href, origin, pathname, search } = page;
  const bare = pathname.replace(/\/index\.(?:html?|php|aspx?)$/i, '/');
  const other = bare.endsWith('/') ? bare.slice(0, -1) : `${bare}/`;
  return [
    ...new Set([href, origin + bare + search, new URL(other, origin).origin + other + search]),
  ];
}

/** Files that stand for their folder. */
const indexFiles = ['README.md', 'index.md', 'index.html', 'readme.md'];

/**
 * The names that the file at a path may have, seen from a file of the same source: `setup - install.md` for
 * `setup/install.md`. A name with such a dash need not have a folder in it.
 */
function namesOf(own: string, path: string): string[] {
  const folders = own.split(' - ').slice(0, -1);
  const names: string[] = [];
  for (let depth = path.startsWith('/') ? 0 : folders.length; depth >= 0; depth--) {
    const parts = folders.slice(0, depth);
    for (const part of path.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    const name = parts.join(' - ');
    const inFolder = indexFiles.map((file) => [...parts, file].join(' - '));
    if (/\.html?$/i.test(name)) names.push(name, name.replace(/\.html?$/i, '.md'));
    else if (/\.[a-z]\w{1,7}$/i.test(name)) names.push(name);
    else if (name !== '') names.push(`${name}.md`, `${name}.html`, ...inFolder);
    else names.push(...inFolder);
  }
  return [...new Set(names.map((name) => name.normalize('NFC')))];
}
