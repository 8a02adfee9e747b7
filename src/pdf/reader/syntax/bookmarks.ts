import { Dict, isArray, Name, type PdfObject, Ref, type Resolver } from './objects.js';
import type { PageTree } from './page-tree.js';
import type { PdfFile } from './pdf-file.js';

/** A bookmark: its target page, from 1, and its depth, from 1. */
export interface OutlineEntry {
  title: string;
  level: number;
  page: number;
  /** The distance from the page's top in points, if stated. */
  y: number | undefined;
}

/** A manual has some hundred bookmarks; a file with far more is damaged or hostile. */
const maxEntries = 20_000;
const maxLevel = 32;

/** The height of a destination above the page's bottom (ISO 32000-1, table 151). */
export function heightOf(kind: string, target: readonly unknown[]): number | undefined {
  const index = { XYZ: 3, FitH: 2, FitBH: 2, FitR: 5 }[kind];
  const value = index === undefined ? undefined : target[index];
  return typeof value === 'number' ? value : undefined;
}

/** Resolves named destinations (7.9.6 and 12.3.2.3) in the old dictionary or in the name tree. */
class Destinations {
  readonly #old: Dict | undefined;
  readonly #named = new Map<string, PdfObject>();

  constructor(
    root: Dict | undefined,
    readonly resolver: Resolver,
  ) {
    this.#old = root?.dict('Dests');
    const tree = root?.dict('Names')?.dict('Dests');
    if (tree !== undefined) this.#collect(tree, new Set());
  }

  find(value: PdfObject): readonly PdfObject[] | undefined {
    const key = value instanceof Name ? value.text : value;
    const named = typeof key === 'string' ? (this.#named.get(key) ?? this.#old?.get(key)) : key;
    const found = named instanceof Ref ? this.resolver.resolve(named) : named;
    const target = found instanceof Dict ? found.get('D') : (found ?? null);
    return isArray(target) ? target : undefined;
  }

  #collect(node: Dict, seen: Set<Dict>): void {
    if (seen.has(node) || seen.size > maxEntries) return;
    seen.add(node);
    // A manual has a destination for each anchor, but bookmarks need only a few, so values are resolved later.
    const value = node.get('Names');
    const names = isArray(value) ? value : [];
    for (let at = 0; at + 1 < names.length; at += 2) {
      const name = names[at];
      if (typeof name === 'string') this.#named.set(name, names[at + 1] ?? null);
    }
    for (const kid of node.array('Kids') ?? []) if (kid instanceof Dict) this.#collect(kid, seen);
  }
}

/** The bookmarks that lead to a page of this document, in order. Invalid ones are omitted. */
export function readBookmarks(file: PdfFile, tree: PageTree): OutlineEntry[] {
  const root = file.trailer.dict('Root');
  const first = root?.dict('Outlines')?.dict('First');
  const entries: OutlineEntry[] = [];
  if (first === undefined) return entries;
  const destinations = new Destinations(root, file);
  const seen = new Set<Dict>();

  const placeOf = (item: Dict): { page: number; y: number | undefined } | undefined => {
    const action = item.dict('A');
    const goTo = action?.name('S') === 'GoTo' ? action.get('D') : null;
    const target = destinations.find(item.get('Dest') ?? goTo);
    const [destination, kind] = target ?? [];
    const page =
      destination instanceof Ref
        ? tree.numbers.get(destination.num)
        : typeof destination === 'number'
          ? destination + 1
          : undefined;
    const node = page === undefined ? undefined : tree.pages[page - 1];
    if (target === undefined || page === undefined || node === undefined) return undefined;
    const height = heightOf(kind instanceof Name ? kind.text : '', target);
    const y = height === undefined || node.quarters !== 0 ? undefined : node.box[3] - height;
    return { page, y };
  };
  const visit = (start: Dict | undefined, level: number): void => {
    for (let item = start; item !== undefined && !seen.has(item); item = item.dict('Next')) {
      seen.add(item);
      if (entries.length >= maxEntries || level > maxLevel) return;
      const place = placeOf(item);
      const title = decodeTextString(item.string('Title') ?? '');
      if (place !== undefined) entries.push({ title, level, ...place });
      visit(item.dict('First'), level + 1);
    }
  };
  visit(first, 1);
  return entries;
}

// PDFDocEncoding where it differs from Latin-1 (ISO 32000-1, D.2), from the codes 0x18 and 0x80.
const from18 = '˘ˇˆ˙˝˛˚˜';
const from80 = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\ufffd€';

function decodeDocument(text: string): string {
  return text.replace(/[\u0018-\u001f\u0080-\u00a0]/g, (char) => {
    const code = char.charCodeAt(0);
    return (code < 0x20 ? from18[code - 0x18] : from80[code - 0x80]) ?? '';
  });
}

/** Decodes a text string (7.9.2.2): UTF-16 or UTF-8 by its first bytes, else PDFDocEncoding. */
export function decodeTextString(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  if (text.startsWith('\xfe\xff')) {
    const even = bytes.subarray(2, bytes.length - (bytes.length % 2));
    return even
      .swap16()
      .toString('utf16le')
      .replace(/\u001b[^]*?\u001b/g, '');
  }
  if (text.startsWith('\xff\xfe')) return bytes.subarray(2).toString('utf16le');
  if (text.startsWith('\xef\xbb\xbf')) return bytes.subarray(3).toString('utf8');
  return decodeDocument(text);
}
