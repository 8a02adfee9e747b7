import { isContentsTitle, titleKey } from '../sections/titles.js';
import { isFilled, isStyled, lengthOf, wordsOf, type OfficeBlock } from './office-blocks.js';
import { makeElement, rawText } from './tree.js';

/** In characters: a longer line is no entry of contents, and no title. */
const longestEntry = 100;
/** In characters: less than this above the first heading, without a sentence, is a cover. */
const longestCover = 400;
/** Fewer lines that look like contents are none. */
const fewestEntries = 3;
/** The first heading below a title. */
const ofChapter = /^(?:introduc|overview|preface|einleitung|vorwort)/i;
/** A chapter of a text about versions. */
export const ofVersion = /^(?:version|v\.?|rev(?:ision)?\.?):? ?\d/i;
/** Lines of a cover that are no title: authors, rights and dates. */
export const ofCover =
  /^(?:(?:by|von|por):? \p{Lu}|(?:copyright|©).* \d{4}|\d{1,2}\.? \p{L}+ \d{4}$|\p{L}+ \d{1,2},? \d{4}$)/iu;
/** A version or a right. A date alone may be all that a text says about when. */
export const imprint =
  /^(?=.{1,80}$)(?!.*\p{Ll}{3}[.!?]$)(?:.*\b(?:version|rev(?:ision|ised)?|updated?|copyright|datum|fecha|stand)\b|v\d|©)/iu;
/** A text or chapter about versions. */
const ofVersions = /revision|releas|histor|change|version|änderung|cambio/i;
/** The author's line below a title. */
const ofAuthor = /^(?:by|von|por):? \p{Lu}/iu;
/** A larger line of a cover is no title if it is a sentence, a date or an address. */
const notTitle = /[.,;:!]$|^\P{L}*(?:\p{L}+\P{L}*\d{4})?$|:\/\/|\S@\S/u;
/** In points: the title on a cover is larger than text by this much. */
const largerThanText = 4;
/** A word that no list of names has. */
const sentenceWord = /^(?!(?:and|of|the|und|der|von|y|de|la)$)\p{Ll}/u;
/** The end of a line of contents: dots or a tab before the number of a page. */
const pageNumber = /(?:\t|\.{3,}|…{2,}|(?:\. ){3,}|_{3,})\s*(?:\d{1,4}|[ivxl]{1,6})\s*$/;

/** In characters: no dots before the number of a page are so many. */
const longestEnd = 300;

/** The blocks without a table of contents that was typed: lines that end with a page, or that all come again below. */
export function withoutContents(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  const isEntry = (block: OfficeBlock | undefined) =>
    block !== undefined &&
    block.kind !== 'element' &&
    block.mono !== 'all' &&
    pageNumber.test(rawText(makeElement('p', block.nodes)).slice(-longestEnd));
  const kept: OfficeBlock[] = [];
  const keys = blocks.map((block) => keyOf(wordsOf(block)));
  const last = new Map(keys.map((key, at) => [key, at]));
  /** True if most entries come again below. */
  const areRepeated = (from: number, to: number) => {
    const entries = blocks.slice(from, to).filter(isEntry);
    const told = entries.filter((block) => {
      const words = rawText(makeElement('p', block.kind === 'element' ? [] : block.nodes));
      const entry = words.slice(0, -longestEnd) + words.slice(-longestEnd).replace(pageNumber, '');
      return (last.get(keyOf(entry)) ?? 0) >= to;
    });
    return entries.length >= fewestEntries && told.length >= 0.5 * entries.length;
  };
  let hasTitle = false;
  for (let at = 0; at < blocks.length; at++) {
    let end = at;
    if (isEntry(blocks[at])) {
      for (let next = at; next < blocks.length; next++) {
        const isOther = blocks[next]?.kind === 'element' || wordsOf(blocks[next]) !== '';
        if (!isEntry(blocks[next]) && isOther) break;
        end = next + 1;
      }
      if (!areRepeated(at, end)) end = at;
    } else if (!hasTitle && isContentsTitle(wordsOf(blocks[at]))) {
      hasTitle = true;
      end = endOfContents(keys, last, at + 1);
      // The contents themselves may have been a field.
      const isBare = isStyled(blocks.slice(at + 1).find(isFilled));
      if (end <= at + fewestEntries) end = isBare ? at + 1 : at;
    }
    if (end === at) {
      kept.push(blocks[at] as OfficeBlock);
      continue;
    }
    while (kept.at(-1)?.kind === 'paragraph' && wordsOf(kept.at(-1)) === '') kept.pop();
    if (isContentsTitle(wordsOf(kept.at(-1)))) kept.pop();
    at = end - 1;
  }
  return kept;
}

function keyOf(line: string): string {
  return titleKey(line.slice(0, longestEntry));
}

/** Where the entries below a title of contents end: lines that all come again further below. */
function endOfContents(
  keys: readonly string[],
  last: ReadonlyMap<string, number>,
  from: number,
): number {
  const told = new Set<string>();
  let end = from;
  for (let at = from; at < keys.length; at++) {
    const key = keys[at] ?? '';
    if (key !== '' && (last.get(key) === at || told.has(key))) break;
    told.add(key);
    end = at + 1;
  }
  return end;
}

/** A text with its headings, and the title above them if it is none of them. */
export interface OfficeText {
  title: string;
  blocks: OfficeBlock[];
}

/**
 * Leaves out a cover: lines above the first heading without a sentence, and headings with nothing but another heading
 * or the author below them. These headings are the title of the text, else the largest lines of the cover are.
 * @param usual the size of most words
 * @param stated the title by its style, if there is one
 */
export function withoutCover(
  blocks: readonly OfficeBlock[],
  usual: number,
  stated: string,
): OfficeText {
  const { title, blocks: kept } = parted(blocks, usual, stated);
  return { title, blocks: withoutImprint(kept, title) };
}

/** Leaves out versions, dates and names, and headings with nothing else, between the title and the first text. */
function withoutImprint(blocks: readonly OfficeBlock[], title: string): OfficeBlock[] {
  const first = blocks.findIndex(isStyled);
  const left = new Set<OfficeBlock>();
  let head = title !== '' && first > 0 ? undefined : blocks[first];
  let lines: OfficeBlock[] = [];
  for (const block of blocks.slice(head === undefined ? 0 : first + 1)) {
    if (!isFilled(block)) continue;
    if (block.kind === 'paragraph' && imprint.test(wordsOf(block))) {
      lines.push(block);
      continue;
    }
    if (!isStyled(block)) break;
    const isTop = head === undefined || head === blocks[first];
    const isText =
      (isStyled(head) && /\d/.test(wordsOf(head))) || ofVersions.test(title + wordsOf(head));
    const isOver = isStyled(head) && (lines.length === 0 || head.level < block.level);
    if (isText || (!isTop && isOver)) break;
    for (const line of lines) left.add(line);
    if (!isTop && head !== undefined) left.add(head);
    head = block;
    lines = [];
  }
  return blocks.filter((block) => !left.has(block));
}

function parted(blocks: readonly OfficeBlock[], usual: number, stated: string): OfficeText {
  const first = blocks.findIndex(isStyled);
  if (first < 0) return { title: stated, blocks: [...blocks] };
  const cover = blocks.slice(0, first);
  const largest = stated === '' ? largestLines(cover, blocks.slice(first), usual) : [];
  const shown = stated + largest.map(wordsOf).join(' ');
  // A cover with more than names keeps what is not the title, and so does one of a text about versions.
  if (!areNames(cover) || ofVersions.test(shown)) return titled(shown, blocks, largest, usual);
  const bare: string[] = [];
  let from = first;
  for (let at = first + 1; at < blocks.length; at++) {
    const [head, below] = [blocks[from], blocks[at]];
    if (!isStyled(head) || !isStyled(below)) continue;
    const words = wordsOf(head);
    const between = blocks.slice(from + 1, at).filter(isFilled);
    const isFirst = ofChapter.test(wordsOf(below)) || /^1(?!\d|\.\d)/.test(wordsOf(below));
    const isSigned =
      (areNames(between) && ofAuthor.test(wordsOf(between[0]))) || (isFirst && areAuthors(between));
    const isBare = (between.length === 0 || isSigned) && below.level <= head.level;
    const isOwn = ofCover.test(words) && areNames(between);
    if (!(isBare || isOwn) || /^\d/.test(words)) break;
    bare.push(words);
    from = at;
  }
  const title = bare.find((words) => !ofCover.test(words) && !ofVersion.test(words)) ?? '';
  const found = stated !== '' || title === '' ? shown : title;
  if (found !== '') return { title: found, blocks: blocks.slice(from) };
  const weak = titled('', blocks, [], usual);
  const above = new Set(blocks.slice(0, from));
  return { title: weak.title, blocks: weak.blocks.filter((block) => !above.has(block)) };
}

/**
 * A text with its title. Without one, that is its first line in bold or larger type, or a first heading that is larger
 * than all others beside it.
 */
function titled(
  title: string,
  blocks: readonly OfficeBlock[],
  lines: readonly OfficeBlock[],
  usual: number,
): OfficeText {
  const without = (some: readonly OfficeBlock[]) => blocks.filter((block) => !some.includes(block));
  if (title !== '') return { title, blocks: without(lines) };
  const sizeOf = (block: OfficeBlock) => (block.kind === 'element' ? 0 : (block.size ?? usual));
  const first = blocks.find(isFilled);
  const words = wordsOf(first);
  const isTitle = ![notTitle, ofCover, ofVersion, /^\d/, /^\S*$/, ofChapter].some((pattern) =>
    pattern.test(words),
  );
  if (first?.kind !== 'paragraph' || !isTitle || words.length > longestEntry)
    return { title, blocks: [...blocks] };
  const others = blocks.filter((block) => block !== first && isStyled(block));
  const isAbove = isStyled(first)
    ? others.some((each) => isStyled(each) && each.level <= first.level) &&
      others.every((each) => sizeOf(each) < sizeOf(first))
    : first.isBold || sizeOf(first) > usual + 1;
  if (!isAbove || others.length === 0) return { title, blocks: [...blocks] };
  const isSame = (block: OfficeBlock | undefined) => titleKey(wordsOf(block)) === titleKey(words);
  return { title: words, blocks: without([first, ...others.slice(0, 1).filter(isSame)]) };
}

/** The lines of a cover that are larger than all else, headings too: one or two, one below the other. */
function largestLines(
  cover: readonly OfficeBlock[],
  below: readonly OfficeBlock[],
  usual: number,
): OfficeBlock[] {
  const sizeOf = (block: OfficeBlock) => (block.kind === 'element' ? 0 : (block.size ?? usual));
  const lines = cover.filter(isFilled);
  const size = Math.max(0, ...lines.map(sizeOf));
  const isLargest = size >= usual + largerThanText && below.every((each) => sizeOf(each) <= size);
  const largest = lines.filter((block) => sizeOf(block) === size);
  const title = largest.map(wordsOf).join(' ');
  const isName = ![notTitle, ofCover, ofVersion].some((pattern) => pattern.test(title));
  const isTitle =
    title.length >= 3 && title.length <= longestEntry && isName && !isContentsTitle(title);
  const start = lines.findIndex((block) => sizeOf(block) === size);
  const isOne = largest.every((line, at) => line === lines[start + at]);
  const isTold = titleKey(title) === titleKey(wordsOf(below[0]));
  return isLargest && isTitle && isOne && !isTold && largest.length <= 2 ? largest : [];
}

/** True for names and dates: little text, without a sentence. */
function areNames(blocks: readonly OfficeBlock[]): boolean {
  return (
    lengthOf(blocks) < longestCover &&
    blocks.every((block) => block.kind === 'paragraph' && !/\p{Ll}[.!?:]$/u.test(wordsOf(block)))
  );
}

/** True for authors and their addresses: lines of several words, none of which is a word of sentences. */
function areAuthors(blocks: readonly OfficeBlock[]): boolean {
  const isLine = (block: OfficeBlock) =>
    !wordsOf(block)
      .split(' ')
      .some((word) => sentenceWord.test(word));
  return lengthOf(blocks) < longestCover && blocks.every(isLine);
}
