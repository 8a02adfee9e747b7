import { isLabelText, isCaptionText, labelWords } from '../sections/labels.js';
import { isContentsTitle, numberDepth, titleKey } from '../sections/titles.js';
import { linesOf } from './office-lines.js';
import { lineOf, makeElement, rawText } from './tree.js';
import { wordsOf, type OfficeBlock } from './office-blocks.js';

/** In characters: a longer paragraph that looks like a heading is none. */
const longestHeading = 100;
/** A longer paragraph is no heading, whatever style it has. */
const longestStyled = 250;
/** In characters: what stands under one heading for longer than this has headings without their style. */
const longestChapter = 8000;
/** In characters: less than this above the first heading, without a sentence, is a cover. */
const longestCover = 400;
/** Word takes a title from one of so many first lines. */
const firstLines = 60;
/** The first heading below a title. */
const ofChapter = /^(?:introduc|overview|preface|einleitung|vorwort)/i;
/** Lines of a cover that are no title. */
const ofCover = /^(?:by\b|von\b|por\b|version\b|v\.? ?\d|rev(?:ision)?\b)/i;
/** A text that occurs this often is a label, such as "Example". */
const mostTimes = 3;

type Paragraph = Extract<OfficeBlock, { kind: 'paragraph' }>;

/** A text with its headings, and the title above them if it is none of them. */
export interface OfficeText {
  title: string;
  blocks: OfficeBlock[];
}

/**
 * The blocks of a text with its headings: those that have a style, and those that only look like headings, where a text
 * has no styles, or too few. A table of contents that was typed and the lines of a cover are left out.
 */
export function withHeadings(all: readonly OfficeBlock[]): OfficeText {
  const lines = all.map(plainIfLong).flatMap(linesOf);
  const blocks = joinHeadings(withoutContents(withoutLabels(lines)));
  const usual = usualSize(blocks);
  const starts = blocks.flatMap((block, at) => (isStyled(block) ? [at] : []));
  const bounds = starts[0] === 0 ? starts : [0, ...starts];
  const found = bounds.flatMap((start, at) => {
    const stretch = blocks.slice(start, bounds[at + 1] ?? blocks.length);
    const head = isStyled(stretch[0]) ? stretch[0] : undefined;
    return starts.length > 0 && lengthOf(stretch) < longestChapter
      ? stretch
      : findHeadings(stretch, usual, head);
  });
  return withoutCover(found);
}

function isStyled(block: OfficeBlock | undefined): block is Paragraph & { level: number } {
  return block?.kind === 'paragraph' && block.level !== undefined;
}

function lengthOf(blocks: readonly OfficeBlock[]): number {
  return blocks.reduce((sum, block) => {
    const text = block.kind === 'element' ? rawText(block.element) : wordsOf(block);
    return sum + text.length;
  }, 0);
}

/** Letters of a glossary, empty lines and whole paragraphs are no headings. */
function plainIfLong(block: OfficeBlock): OfficeBlock {
  if (!isStyled(block)) return block;
  const words = wordsOf(block);
  const isHeading = words.length > 1 && words.length <= longestStyled;
  return isHeading ? block : { ...block, level: undefined };
}

/** Bold words that occur again and again name nothing. */
function withoutLabels(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  const times = new Map<string, number>();
  for (const block of blocks) {
    if (block.kind !== 'paragraph' || !block.isBold || block.level !== undefined) continue;
    times.set(wordsOf(block), (times.get(wordsOf(block)) ?? 0) + 1);
  }
  return blocks.map((block) => {
    const isRepeated = block.kind === 'paragraph' && (times.get(wordsOf(block)) ?? 0) >= mostTimes;
    return isRepeated && block.isBold && block.level === undefined
      ? { ...block, isBold: false }
      : block;
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

/** The end of a line of contents: dots or a tab before the number of a page. */
const pageNumber = /(?:\t|\.{3,}|…{2,}|(?:\. ){3,}|_{3,})\s*(?:\d{1,4}|[ivxl]{1,6})\s*$/;

function withoutContents(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  const isEntry = (block: OfficeBlock) =>
    block.kind !== 'element' && pageNumber.test(rawText(makeElement('p', block.nodes)));
  const kept: OfficeBlock[] = [];
  for (let at = 0; at < blocks.length; at++) {
    let end = at;
    let entries = 0;
    for (let next = at; next < blocks.length; next++) {
      const block = blocks[next] as OfficeBlock;
      if (isEntry(block)) entries++;
      else if (block.kind === 'element' || wordsOf(block) !== '') break;
      end = next + 1;
    }
    if (entries < mostTimes) {
      kept.push(blocks[at] as OfficeBlock);
      continue;
    }
    while (kept.length > 0 && wordsOf(kept.at(-1)) === '' && kept.at(-1)?.kind === 'paragraph') {
      kept.pop();
    }
    if (isContentsTitle(wordsOf(kept.at(-1)))) kept.pop();
    at = end - 1;
  }
  return kept;
}

/** Joins the lines of a heading that was typed as two: the first one is open, or both are the document's title. */
function joinHeadings(blocks: readonly OfficeBlock[]): OfficeBlock[] {
  const joined: OfficeBlock[] = [];
  let hasText = false;
  for (const block of blocks) {
    const last = joined.at(-1);
    const words = wordsOf(block);
    if (isStyled(block) && isStyled(last) && last.level === block.level) {
      const above = wordsOf(last);
      const isOpen = /[:,–&-]$|\b(?:and|or|of|for|the|to|in|und|der|für|y|de|para)$/iu.test(above);
      const isFirst = !hasText && !ofChapter.test(words);
      const goesOn = isOpen || /^\p{Ll}/u.test(words) || isFirst;
      if (
        goesOn &&
        !ofCover.test(words) &&
        !ofCover.test(above) &&
        above.length + words.length < longestHeading
      ) {
        joined[joined.length - 1] = { ...last, nodes: [...last.nodes, ' ', ...block.nodes] };
        continue;
      }
    }
    if (block.kind === 'element' || (words !== '' && !isStyled(block))) hasText = true;
    joined.push(block);
  }
  return joined;
}

/**
 * Short paragraphs in bold, larger type or capitals, underlined and numbered ones, become headings. Their sizes or numbers are
 * their levels, below the heading above them all.
 */
function findHeadings(
  blocks: readonly OfficeBlock[],
  usual: number,
  head: (Paragraph & { level: number }) | undefined,
): OfficeBlock[] {
  const texts = blocks.map(wordsOf);
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  const next = (at: number) => {
    for (let below = at + 1; below < blocks.length; below++) {
      if (blocks[below]?.kind === 'element' || texts[below] !== '') return below;
    }
    return undefined;
  };
  const candidates = new Map<number, string>();
  for (const [at, block] of blocks.entries()) {
    const below = next(at);
    const text = texts[at] ?? '';
    if (below === undefined || block === head || (times.get(text) ?? 0) >= mostTimes) continue;
    const look = headingLook(block, text, usual, head === undefined);
    if (look === undefined) continue;
    if (block.kind === 'item' && blocks[below]?.kind === 'item') continue;
    candidates.set(at, look);
  }
  const merged = new Map<number, number>();
  for (const at of [...candidates.keys()]) {
    const below = next(at);
    const isLine = below !== undefined && candidates.get(below) === candidates.get(at);
    if (!isLine || numberDepth(texts[below] ?? '') > 0) continue;
    merged.set(below, at);
  }
  // A title page, or a form, is lines of one look.
  const inRow = (at: number): number => (merged.has(at) ? 1 + inRow(merged.get(at) ?? 0) : 1);
  const rows = [...candidates.keys()].filter((at) => inRow(at) > 1);
  for (const at of rows) {
    for (let line: number | undefined = at; line !== undefined; line = merged.get(line)) {
      candidates.delete(line);
    }
  }
  const filled = texts.filter((text, at) => text !== '' || blocks[at]?.kind === 'element').length;
  if (candidates.size > 0.5 * filled || (head !== undefined && candidates.size < 2)) {
    return [...blocks];
  }
  const levels = levelsOf(
    [...candidates].map(([at, look]) => ({ look, depth: numberDepth(texts[at] ?? '') })),
  );
  const above = head === undefined ? 0 : head.level - (isAsLarge(head, blocks, candidates) ? 1 : 0);
  return blocks.map((block, at) => {
    const look = candidates.get(at);
    if (look === undefined || block.kind === 'element') return block;
    const depth = numberDepth(texts[at] ?? '');
    const level = Math.min(6, above + (levels.get(`${look} ${depth}`) ?? 1));
    const nodes = block.kind === 'item' && block.marker !== '-' ? [`${block.marker} `] : [];
    return { ...block, kind: 'paragraph', nodes: [...nodes, ...block.nodes], level, mono: 'none' };
  });
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

/** What parts a heading from text, by which headings of one level are told; undefined for text. */
function headingLook(
  block: OfficeBlock,
  text: string,
  usual: number,
  takesWeak: boolean,
): string | undefined {
  if (block.kind === 'element' || block.mono === 'all' || text.length > longestHeading) {
    return undefined;
  }
  const isName = text.length <= 60 ? isLabelText(labelWords(text)) : !isCaptionText(text);
  if (!isName || /[.,;!]$/.test(text) || !/\p{L}{2}/u.test(text)) return undefined;
  const size = block.size ?? usual;
  const isLarge = size >= usual + 2;
  const isLoud = !/\p{Ll}/u.test(text) && /\p{Lu}{4}/u.test(text);
  const isNumbered = /^\d{1,2}(?:\.\d{1,2})+\.?\s+\p{Lu}/u.test(text);
  if (block.isBold || isLarge) return `${1000 - size} ${block.isBold ? 0 : 1}`;
  if (!takesWeak || block.kind === 'item') return undefined;
  const weak = [isLoud, block.isUnderlined === true, isNumbered].indexOf(true);
  return weak < 0 ? undefined : `${1000 - size} ${weak + 2}`;
}

/** Levels by look and number: the larger look is above, and a number states its own depth. */
function levelsOf(found: readonly { look: string; depth: number }[]): Map<string, number> {
  const numbered = found.filter(({ depth }) => depth > 0).length;
  const byNumber = numbered >= 0.5 * found.length && found.some(({ depth }) => depth > 1);
  const looks = [...new Set(found.map(({ look }) => look))].sort(
    (a, b) => Number.parseFloat(a) - Number.parseFloat(b) || a.localeCompare(b),
  );
  return new Map(
    found.map(({ look, depth }) => [
      `${look} ${depth}`,
      byNumber && depth > 0 ? depth : looks.indexOf(look) + 1,
    ]),
  );
}

/**
 * Leaves out a cover: lines above the first heading without a sentence, and headings with nothing but another heading
 * below them. The first of these is the title of the text.
 */
function withoutCover(blocks: readonly OfficeBlock[]): OfficeText {
  const first = blocks.findIndex(isStyled);
  const cover = blocks.slice(0, Math.max(0, first));
  const isCover =
    cover.every((block) => block.kind === 'paragraph' && !/\p{Ll}[.!?:]$/u.test(wordsOf(block))) &&
    lengthOf(cover) < longestCover;
  if (!isCover || first < 0) return { title: '', blocks: [...blocks] };
  const bare: string[] = [];
  let from = first;
  for (let at = first + 1; at < blocks.length; at++) {
    const [head, below] = [blocks[from], blocks[at]];
    if (below?.kind === 'paragraph' && wordsOf(below) === '') continue;
    if (!isStyled(head) || !isStyled(below) || below.level > head.level) break;
    if (/^\d/.test(wordsOf(head)) || ofChapter.test(wordsOf(head))) break;
    bare.push(wordsOf(head));
    from = at;
  }
  const [title = ''] = bare.filter((words) => !ofCover.test(words) && !isContentsTitle(words));
  return { title, blocks: blocks.slice(from) };
}

/**
 * The title that a file states, if it is one. Word states the first words of a text, and templates state their own
 * title: then it is the first line of the text, if that looks like one.
 */
export function statedTitle(stated: string, blocks: readonly OfficeBlock[]): string {
  const title = stated.replace(/^Microsoft (?:Office )?Word - /i, '').replace(/\.docx?$/i, '');
  const lines = blocks.map((block) =>
    block.kind === 'element' ? lineOf(block.element) : wordsOf(block),
  );
  const key = titleKey(title);
  const isBeginning = lines.slice(0, firstLines).some((line) => {
    const begins = titleKey(line.slice(0, 2 * title.length + 20)).startsWith(key);
    return begins && line.length > title.length + 3;
  });
  const isLine = lines.some((line) => titleKey(line.slice(0, title.length + 20)) === key);
  const text = lines.join(' ').toLowerCase();
  const words = title.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  const isShown = words.length > 0 && words.every((word) => text.includes(word));
  if (isShown && (isLine || !isBeginning) && !isContentsTitle(title) && !title.endsWith(':'))
    return title;
  const first = blocks.find((block) => block.kind === 'element' || wordsOf(block) !== '');
  const line = first?.kind === 'paragraph' ? wordsOf(first) : '';
  return line.length >= 3 && line.length <= 80 && !/[.,;:!?]$/.test(line) ? line : '';
}
