import { withoutEscapes } from '../platform/text/escape-markdown.js';
import { withoutLinks } from '../platform/text/source-links.js';
import type { Block } from './block.js';
import { isCaptionText } from './labels.js';
import { hasWords, stripNumber, titleKey } from './titles.js';

/** In characters: the names of a part are told one by one as long as they are not longer together. */
const longest = 60;
const mostNames = 3;
/** A table with a caption is what a part is about if it is this share of it. */
const mostly = 0.6;
/** In points: blocks that are indented by less stand at the same left edge. */
export const sameLeft = 6;

interface Name {
  left: number;
  words: string;
  /** The listing below is all that it names. */
  isCaption?: boolean;
}

/** The name with which a block begins: a heading that was joined to the section, which is above all else, or its label. */
function nameOf({ kind, text, label, left = 0 }: Block, below?: Block): Name | undefined {
  if (kind === 'heading') {
    const words = stripNumber(withoutEscapes(text.replace(/^#+ /, '')), false);
    return { left: -Infinity, words };
  }
  if (label === undefined) return undefined;
  const isAlone = kind === 'paragraph' && withoutEscapes(text).length <= label.length + 2;
  const isCaption = isAlone && below?.kind === 'code' && (below.left ?? 0) <= left + sameLeft;
  return { left, words: label, isCaption };
}

function isDeeper(left: number, { left: outer }: Pick<Name, 'left'>): boolean {
  return left > outer + sameLeft;
}

/** The caption of the table that is most of the part: it is directly above or below. */
function captionOf(blocks: readonly Block[]): string | undefined {
  const all = blocks.reduce((sum, { text }) => sum + text.length, 0);
  const at = blocks.findIndex(({ kind, text }) => kind === 'table' && text.length > mostly * all);
  const around = at < 0 ? [] : [blocks[at - 1], blocks[at + 1]];
  // A caption between two tables belongs to the first of them if the second has one below.
  if (blocks[at - 2]?.kind === 'table') around.reverse();
  const caption = around.find((block) => block?.kind === 'paragraph' && isCaptionText(block.text));
  const words = withoutEscapes(withoutLinks(caption?.text ?? '')).replace(/[\s.]+$/, '');
  return words.length <= 2 * longest && hasWords(words) ? words : undefined;
}

/** The first and the last key of a table, of which most of the part consists: the words in its first column. */
function keysOf(blocks: readonly Block[]): string | undefined {
  const all = blocks.reduce((sum, { text }) => sum + text.length, 0);
  const table = blocks.find(({ kind, text }) => kind === 'table' && text.length > mostly * all);
  const rows = table?.text.split('\n') ?? [];
  const keys = rows[0]?.startsWith('|')
    ? rows.slice(2).map((row) => /^\| (.*?) \|/.exec(row)?.[1] ?? '')
    : rows.map((row) => /^- (.*?): /.exec(row)?.[1] ?? '');
  // The numbers of steps, under the name of their column.
  const column = /^\| (\p{L}{2}.*?) \|/u.exec(rows[0] ?? '')?.[1];
  const numbers = keys.filter((key) => /^\d{1,4}[.)]?$/.test(key));
  if (column !== undefined && new Set(numbers).size > mostly * keys.length) {
    const [first = '', last = ''] = [numbers[0], numbers.at(-1)].map((key) =>
      key?.replace(/\W/, ''),
    );
    const range = first === last ? first : `${first} – ${last}`;
    return `${withoutEscapes(withoutLinks(column))} ${range}`;
  }
  const telling = keys.filter((key) => key.length <= longest / 2 && /\p{L}{2}/u.test(key));
  const [first, last] = [telling[0], telling.at(-1)];
  const isKeyed = new Set(telling).size > mostly * keys.length;
  if (!isKeyed || first === undefined || last === undefined || first === last) return undefined;
  return withoutEscapes(withoutLinks(`${first} – ${last}`));
}

function joinNames(names: readonly Name[]): string[] {
  return namesInOne(names.map(({ words }) => words));
}

/** Names in one: "Save, Open", or "abs – zip" for many. None if that is too long to be read in a list. */
export function namesInOne(names: readonly string[]): string[] {
  const words = [...new Set(names)];
  const list = words.join(', ');
  if (words.length === 1 || (words.length <= mostNames && list.length <= longest)) return [list];
  const range = `${words[0] ?? ''} – ${words.at(-1) ?? ''}`;
  return range.length <= 2 * longest ? [range] : [];
}

/**
 * Names for the parts of a long section: the headings, run-in heads or terms that each consists of, with the one in
 * which it begins, else the caption of its table. From the outermost to the innermost; empty where the document gives
 * none.
 * @param path the titles of the section, which are no names of parts
 */
export function nameParts(
  parts: readonly (readonly Block[])[],
  path: readonly string[],
): string[][] {
  const titles = new Set(path.map(titleKey));
  // The names under which a block stands, from the outermost.
  let open: Name[] = [];
  return parts.map((blocks) => {
    let begun: Name | undefined;
    let inside: Name[] = [];
    for (const [at, block] of blocks.entries()) {
      const name = nameOf(block, blocks[at + 1]);
      const left = name?.left ?? block.left;
      if (left !== undefined) open = open.filter((each) => isDeeper(left, each));
      if (at === 0) [begun] = open;
      if (name === undefined || titles.has(titleKey(name.words))) continue;
      inside.push(name);
      if (name.isCaption !== true) open = [...open, name];
    }
    if (begun !== undefined || inside.some(({ isCaption }) => isCaption !== true)) {
      inside = inside.filter(({ isCaption }) => isCaption !== true);
    }
    const peers = (of: Name) =>
      inside.filter(({ left }) => !isDeeper(left, of) && !isDeeper(of.left, { left }));
    const [head] = blocks;
    const first = inside.find(({ words }) => head !== undefined && nameOf(head)?.words === words);
    if (begun === undefined && first !== undefined) return joinNames(peers(first));
    if (begun === undefined) return [captionOf(blocks) ?? keysOf(blocks) ?? []].flat();
    const next = peers(begun);
    if (next.length > 0 || first === undefined) return joinNames([begun, ...next]);
    return [begun.words, ...joinNames(peers(first))];
  });
}
