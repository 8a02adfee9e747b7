import { isLabelText, isCaptionText, labelWords } from '../sections/labels.js';
import { numberDepth } from '../sections/titles.js';
import { withAppendices } from './office-appendices.js';
import { isFilled, isStyled, lengthOf, wordsOf, type OfficeBlock } from './office-blocks.js';
import {
  ofCover,
  ofVersion,
  withoutContents,
  withoutCover,
  type OfficeText,
} from './office-cover.js';
import { openWord, plainParagraphs } from './office-paragraphs.js';
import { makeElement, rawText, type TreeNode } from './tree.js';

/** In characters: a longer paragraph that looks like a heading is none. */
const longestHeading = 100;
/** In characters: what stands under one heading for longer than this has headings without their style. */
const longestChapter = 8000;
/** So does the one heading under which most of a text stands. */
const mostText = 0.7;
const shortestText = 1000;
/** An open or ended sentence, two of them, code, or an address. */
const notTitle =
  /[.,;!]$|^[/\\→|*#>]|\p{Ll}{3}[.!?] \p{L}|:\/\/|\bwww\.|\S@\S|^(?!.*(?:\p{L}{3}|\p{Lu}{2}|\p{Lo}))/u;
const mostWords = 14;
/** `phone: 123`: a name with its value behind it. */
const field = /^\S{1,28}(?: \S{1,28}){0,2}:\s+\S/u;
/** A line between two parts of a text. */
const rule = /^([*=_~.#–—-])(?: ?\1){3,}$/u;
/** A name with its value in columns. */
const columns = /(?:\p{L}{2}|:)\s*\t\s*\S/u;
/** The words announce what is below them. */
const announcement = /^\p{Ll}+ .*:$|(?: \S+){8}:$/u;
/** In characters: the first line of a sentence that goes on below it is longer. */
const shortestOpen = 40;

/** A text that occurs this often is a label, such as "Example". */
const mostTimes = 3;

type Paragraph = Extract<OfficeBlock, { kind: 'paragraph' }>;

/**
 * The blocks of a text with its headings: those that have a style, and those that only look like headings, where a text
 * has no styles, or too few. A table of contents that was typed and the lines of a cover are left out.
 * @param title the title by its style, if there is one
 */
export function withHeadings(all: readonly OfficeBlock[], title: string): OfficeText {
  const blocks = joinHeadings(withoutContents(plainParagraphs(all)));
  const usual = usualSize(blocks);
  const starts = blocks.flatMap((block, at) => (isStyled(block) ? [at] : []));
  const styled = new Map(
    blocks.filter(isStyled).map((block) => [block.size ?? usual, block.level]),
  );
  const whole = lengthOf(blocks);
  const bounds = starts[0] === 0 ? starts : [0, ...starts];
  const found = bounds.flatMap((start, at) => {
    const stretch = blocks.slice(start, bounds[at + 1] ?? blocks.length);
    const head = isStyled(stretch[0]) ? stretch[0] : undefined;
    const length = lengthOf(stretch);
    const isMost = length >= shortestText && length > mostText * whole;
    if (starts.length === 0 || length >= longestChapter || isMost) {
      return findHeadings(stretch, usual, head);
    }
    // Above the first heading is a cover.
    return head === undefined ? stretch : likeStyled(stretch, styled, usual, head);
  });
  return withoutCover(withoutEchoes(withAppendices(joinHeadings(found))), usual, title);
}

/** Leaves out lines that only repeat the heading above them, and lines of signs between two parts. */
function withoutEchoes(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  let head: string | undefined;
  return blocks.filter((block) => {
    const above = head;
    if (!isFilled(block)) return true;
    head = isStyled(block) ? wordsOf(block) : undefined;
    if (block.kind !== 'paragraph' || isStyled(block)) return true;
    return wordsOf(block) !== above && (block.mono === 'all' || !rule.test(wordsOf(block)));
  });
}

/** The blocks with those as headings that look like headings with a style, in larger bold type. */
function likeStyled(
  blocks: readonly OfficeBlock[],
  levels: ReadonlyMap<number, number>,
  usual: number,
  head: Paragraph,
): OfficeBlock[] {
  const found = looksOf(blocks, blocks.map(wordsOf), usual, head);
  return blocks.map((block, at) => {
    if (block.kind !== 'paragraph' || !found.has(at) || !block.isBold) return block;
    const size = block.size ?? usual;
    return size > usual + 1 ? { ...block, level: block.level ?? levels.get(size) } : block;
  });
}

/** The size of most words, in points. */
function usualSize(blocks: readonly OfficeBlock[]): number {
  const sizes = new Map<number, number>();
  for (const block of blocks) {
    if (block.kind === 'element') continue;
    const size = block.size ?? 0;
    sizes.set(size, (sizes.get(size) ?? 0) + wordsOf(block).length);
  }
  return [...sizes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** Joins the lines of a heading that was typed as two: the first one is open, or the second one goes on. */
function joinHeadings(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  const joined: OfficeBlock[] = [];
  for (const block of blocks) {
    const at = isStyled(block) ? joined.findLastIndex(isFilled) : -1;
    const last = joined[at];
    if (isStyled(block) && isStyled(last) && last.level === block.level) {
      const [above, words] = [wordsOf(last), wordsOf(block)];
      const isOpen = /[:,–&-]$|\b(?:and|or|of|for|the|to|in|und|der|für|y|de|para)$/iu.test(above);
      const goesOn = isOpen || /^(?:\p{Ll}+(?: |$)|\()/u.test(words);
      if (goesOn && !/^\d/.test(words) && above.length + words.length < longestHeading) {
        joined[at] = { ...last, nodes: [...last.nodes, ' ', ...block.nodes] };
        continue;
      }
    }
    joined.push(block);
  }
  return joined;
}

/**
 * Short paragraphs in bold, larger type or capitals, underlined and numbered ones, become headings. Their sizes or
 * numbers are their levels, below the heading above them all.
 */
function findHeadings(
  blocks: readonly OfficeBlock[],
  usual: number,
  head: (Paragraph & { level: number }) | undefined,
): OfficeBlock[] {
  const texts = blocks.map(wordsOf);
  const found = looksOf(blocks, texts, usual, head);
  const filled = texts.filter((text, at) => text !== '' || blocks[at]?.kind === 'element').length;
  if (found.size > 0.5 * filled || (head !== undefined && found.size < 2)) return [...blocks];
  const isTextBetween = (from: number, to: number) => blocks.slice(from + 1, to).some(isFilled);
  const levels = levelsOf(
    [...found].map(([at, look], place, all) => ({
      look,
      depth: numberDepth(texts[at] ?? ''),
      isBelow: place > 0 && !isTextBetween(all[place - 1]?.[0] ?? 0, at),
    })),
  );
  const above = head === undefined ? 0 : head.level - (isAsLarge(head, blocks, found) ? 1 : 0);
  return blocks.map((block, at) => {
    const look = found.get(at);
    if (look === undefined || block.kind === 'element') return block;
    const depth = numberDepth(texts[at] ?? '');
    const level = Math.min(6, above + (levels.get(`${look} ${depth}`) ?? 1));
    const nodes = block.kind === 'item' && block.marker !== '-' ? [`${block.marker} `] : [];
    return { ...block, kind: 'paragraph', nodes: [...nodes, ...block.nodes], level, mono: 'none' };
  });
}

/**
 * The looks of the headings, by their places. A look makes headings if most lines that have it could be headings, and if
 * it is used again, or is bold: what an author does once, or for sentences, too, names nothing.
 */
function looksOf(
  blocks: readonly OfficeBlock[],
  texts: readonly string[],
  usual: number,
  head: Paragraph | undefined,
): Map<number, string> {
  const times = new Map<string, number>();
  // One version is that of the whole text, and several are its chapters.
  const isOne = texts.filter((text) => ofVersion.test(text)).length < 2;
  const names = texts.map((text) => /^\p{L}[\p{L} ]*:(?= \S)/u.exec(text)?.[0] ?? text);
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  const found = new Map<number, string>();
  const used = new Map<string, number>();
  /** A title page, a form and a list of names are lines of one look, one below another. */
  const inRow = new Set<number>();
  /** The nearest block below with words. */
  let below: number | undefined;
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at] as OfficeBlock;
    const text = texts[at] ?? '';
    if (block === head || (block.kind !== 'element' && text === '')) continue;
    const isLabel = isCaptionText(text) || (times.get(names[at] ?? '') ?? 0) >= mostTimes;
    const look = isLabel ? undefined : headingLook(block, text, usual, head === undefined);
    if (look !== undefined && below !== undefined) {
      used.set(look, (used.get(look) ?? 0) + 1);
      const isSame = found.get(below) === look;
      const isText = isLine(block, text, blocks[below]) || (isOne && ofVersion.test(text));
      if (isName(block, text) && !isText) {
        found.set(at, look);
        if (isSame && numberDepth(texts[below] ?? '') === 0) inRow.add(at).add(below);
      } else if (isSame && block.kind === 'item' && blocks[below]?.kind === 'item')
        found.delete(below);
    }
    below = at;
  }
  const headings = new Map<string, number>();
  for (const [at, look] of found) {
    if (inRow.has(at)) used.set(look, (used.get(look) ?? 0) - 1);
    else headings.set(look, (headings.get(look) ?? 0) + 1);
  }
  const isHeading = ([at, look]: [number, string]) => {
    const count = inRow.has(at) ? 0 : (headings.get(look) ?? 0);
    const isSure = (blocks[at] as Paragraph).isBold && !/:$/.test(texts[at] ?? '');
    return count > 0.5 * (used.get(look) ?? 0) && (count > 1 || isSure);
  };
  return new Map([...found].filter(isHeading).sort(([a], [b]) => a - b));
}

/** True for a line that the line below it goes on with: an item, a name with its value, an announcement, a sentence. */
function isLine(block: OfficeBlock, text: string, below: OfficeBlock | undefined): boolean {
  if (block.kind === 'element') return false;
  if (block.kind === 'item' && below?.kind === 'item') return true;
  if (field.test(text) && field.test(wordsOf(below))) return true;
  if (columns.test(rawText(makeElement('p', block.nodes)))) return true;
  if (below?.kind === 'paragraph' && below.isBold === block.isBold && below.size === block.size)
    return false;
  if (announcement.test(text) || openWord.test(text)) return true;
  return text.length >= shortestOpen && /^(?:\p{Ll}+|\d\w+) /u.test(wordsOf(below));
}

/** True if the headings that were found look like the one above them: then they stand beside it. */
function isAsLarge(
  head: Paragraph,
  blocks: readonly OfficeBlock[],
  found: ReadonlyMap<number, string>,
): boolean {
  const sizes = [...found.keys()].map((at) => (blocks[at] as Paragraph).size ?? 0);
  return Math.max(...sizes) >= (head.size ?? Infinity);
}

function hasNote(node: TreeNode): boolean {
  return typeof node !== 'string' && (node.name === 'note-ref' || node.children.some(hasNote));
}

/** What parts a heading from text, by which headings of one level are told; undefined for the type of the text. */
function headingLook(
  block: OfficeBlock,
  text: string,
  usual: number,
  takesWeak: boolean,
): string | undefined {
  if (block.kind === 'element' || block.mono === 'all') return undefined;
  // The name of a box is not that of the text below it.
  if (block.kind === 'paragraph' && block.isBoxed === true) return undefined;
  const size = block.size ?? usual;
  const isLarge = size >= usual + 2;
  const isUnderlined = block.isUnderlined === true;
  const strong = [block.isBold && isUnderlined && !isLarge, block.isBold, isLarge].indexOf(true);
  if (strong >= 0) return `${1000 - size} ${strong}`;
  if (!takesWeak || block.kind === 'item') return undefined;
  const isLoud = !/\p{Ll}/u.test(text) && /\p{Lu}{4}/u.test(text);
  const isNumbered = /^\d{1,2}(?:\.\d{1,2})+\.?\s+\p{Lu}/u.test(text);
  const weak = [isLoud, isUnderlined, isNumbered].indexOf(true);
  return weak < 0 ? undefined : `${1000 - size} ${weak + 3}`;
}

/** True for words that could name what is below them. */
function isName(block: OfficeBlock, text: string): boolean {
  if (block.kind === 'element' || text.length > longestHeading) return false;
  // A heading has no place for the mark of a footnote.
  if (block.nodes.some(hasNote) || text.split(' ').length > mostWords) return false;
  if ([notTitle, ofCover, /^\p{L}+: \d/u].some((pattern) => pattern.test(text))) return false;
  return text.length > 60 || isLabelText(labelWords(text));
}

/**
 * Levels by look and number: the larger look is above, of two in one size that which stands directly above the other, and a
 * number states its own depth.
 */
function levelsOf(
  found: readonly { look: string; depth: number; isBelow: boolean }[],
): Map<string, number> {
  const numbered = found.filter(({ depth }) => depth > 0).length;
  const byNumber = numbered >= 0.5 * found.length && found.some(({ depth }) => depth > 1);
  /** How often a look stands directly above another one. */
  const over = new Map<string, number>();
  for (const [at, { look, isBelow }] of found.entries()) {
    const pair = `${found[at - 1]?.look} ${look}`;
    if (isBelow) over.set(pair, (over.get(pair) ?? 0) + 1);
  }
  const timesOver = (a: string, b: string) => over.get(`${a} ${b}`) ?? 0;
  const looks = [...new Set(found.map(({ look }) => look))].sort(
    (a, b) =>
      Number.parseFloat(a) - Number.parseFloat(b) ||
      timesOver(b, a) - timesOver(a, b) ||
      a.localeCompare(b),
  );
  return new Map(
    found.map(({ look, depth }) => [
      `${look} ${depth}`,
      byNumber && depth > 0 ? depth : looks.indexOf(look) + 1,
    ]),
  );
}
