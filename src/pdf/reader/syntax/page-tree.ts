import { tooMuch } from './bytes.js';
import { Dict, NotUnderstood, Ref, Stream, type PdfObject } from './objects.js';
import type { PdfFile } from './pdf-file.js';

/** A page with its inherited attributes. Boxes are [left, bottom, right, top] in points. */
export interface PageNode {
  dict: Dict;
  resources: Dict | undefined;
  box: readonly [number, number, number, number];
  /** Quarter turns clockwise. */
  quarters: number;
}

interface Inherited {
  resources: Dict | undefined;
  mediaBox: number[] | undefined;
  cropBox: number[] | undefined;
  rotate: number;
}

/** US Letter: viewers use it when a page states no size. */
const letter = [0, 0, 612, 792];
const maxDepth = 64;
/** A thousand times more than a page's text needs. */
const maxContentBytes = 128 << 20;

export interface PageTree {
  pages: PageNode[];
  /** The page number of an object, from 1. */
  numbers: Map<number, number>;
}

/**
 * All pages in order, at most `limit` of them (7.7.3). Repeated nodes are skipped, because a tree has none. Throws
 * NotUnderstood for a broken tree.
 */
export function readPageTree(file: PdfFile, limit: number): PageTree {
  const root = file.trailer.dict('Root')?.dict('Pages');
  if (root === undefined) throw new NotUnderstood('no pages');
  const pages: PageNode[] = [];
  const numbers = new Map<number, number>();
  const seen = new Set<Dict>();

  const visit = (node: Dict, num: number | undefined, above: Inherited, depth: number): void => {
    if (seen.has(node) || pages.length >= limit) return;
    seen.add(node);
    if (depth > maxDepth) throw new NotUnderstood('a page tree without end');
    const inherited = inherit(node, above);
    const kids = node.get('Kids');
    if (Array.isArray(kids)) {
      for (const kid of kids as PdfObject[]) {
        const child = kid instanceof Ref ? file.resolve(kid) : kid;
        if (!(child instanceof Dict)) throw new NotUnderstood('a page is missing');
        visit(child, kid instanceof Ref ? kid.num : undefined, inherited, depth + 1);
      }
      return;
    }
    if (node.name('Type') === 'Pages') return;
    pages.push(toPage(node, inherited));
    if (num !== undefined) numbers.set(num, pages.length);
  };
  visit(root, undefined, inherit(root, nothing), 0);
  // An empty tree with a count is broken, not an empty document.
  if (pages.length === 0 && (root.number('Count') ?? 0) > 0) throw new NotUnderstood('no pages');
  return { pages, numbers };
}

const nothing: Inherited = {
  resources: undefined,
  mediaBox: undefined,
  cropBox: undefined,
  rotate: 0,
};

function inherit(node: Dict, above: Inherited): Inherited {
  return {
    resources: node.dict('Resources') ?? above.resources,
    mediaBox: node.numbers('MediaBox') ?? above.mediaBox,
    cropBox: node.numbers('CropBox') ?? above.cropBox,
    rotate: node.number('Rotate') ?? above.rotate,
  };
}

function ordered(box: readonly number[] | undefined): [number, number, number, number] | undefined {
  const [a, b, c, d] = box ?? [];
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  const rectangle: [number, number, number, number] = [
    Math.min(a, c),
    Math.min(b, d),
    Math.max(a, c),
    Math.max(b, d),
  ];
  return rectangle[2] > rectangle[0] && rectangle[3] > rectangle[1] ? rectangle : undefined;
}

function toPage(dict: Dict, { resources, mediaBox, cropBox, rotate }: Inherited): PageNode {
  const media = ordered(mediaBox) ?? ordered(letter) ?? [0, 0, 612, 792];
  const crop = ordered(cropBox) ?? media;
  const box: [number, number, number, number] = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  const shown = box[2] > box[0] && box[3] > box[1] ? box : media;
  const quarters = ((Math.round(rotate / 90) % 4) + 4) % 4;
  return { dict, resources, box: shown, quarters };
}

/** The page's content: its streams in sequence, as the specification requires (7.8.2). */
export function contentOf(page: PageNode): Uint8Array {
  const contents = page.dict.get('Contents');
  if (contents instanceof Stream) return contents.bytes();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const part of page.dict.array('Contents') ?? []) {
    if (!(part instanceof Stream)) continue;
    const bytes = part.bytes();
    length += bytes.length;
    if (length > maxContentBytes) throw tooMuch(maxContentBytes);
    parts.push(bytes);
  }
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const space = Uint8Array.of(10);
  return Buffer.concat(parts.flatMap((part) => [part, space]));
}
