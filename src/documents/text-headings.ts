import { isContentsTitle } from '../sections/titles.js';
import { heading, indentOf, underline, type Rule } from './line-reader.js';
import { nameInWords } from './sections-of-tree.js';
import { findElements, isElement, lineOf, type Element } from './tree.js';

/** Gives headings their levels: looks in the order in which they come, and depths in theirs. */
export function rankHeadings(body: Element): void {
  const headings = findElements(body, ({ attributes }) => attributes['look'] !== undefined);
  const depths = new Map<string, Set<number>>();
  for (const { attributes } of headings) {
    const look = attributes['look'] ?? '';
    const known = depths.get(look) ?? new Set<number>();
    depths.set(look, known.add(Number(attributes['depth'])));
  }
  // Questions stand below all other headings.
  const questions = depths.get('Q');
  if (questions !== undefined && depths.delete('Q')) depths.set('Q', questions);
  let above = 0;
  const levels = new Map<string, number>();
  for (const [look, found] of depths) {
    for (const depth of [...found].sort((a, b) => a - b)) levels.set(look + String(depth), ++above);
  }
  for (const element of headings) {
    const { depth = '', look = '' } = element.attributes;
    element.name = `h${Math.min(6, levels.get(look + depth) ?? 1)}`;
    element.attributes = {};
  }
}

/** A heading with a line of signs below it, and perhaps the same above. */
export const underlinedHeading: Rule = (reader) => {
  const under = (offset: number) => underline.exec(reader.line(offset).trim());
  const hasOverline = under(0) !== null && under(2) !== null && reader.line(1) !== '';
  const line = reader.line(hasOverline ? 1 : 0);
  const title = line.trim();
  const below = reader.line(hasOverline ? 2 : 1);
  const sign = underline.exec(below.trim())?.[1];
  if (sign === undefined || !/[\p{L}\p{N}]/u.test(title)) return undefined;
  if (!hasOverline) {
    // A title and its line may be indented alike.
    const left = indentOf(line);
    const isFirst = reader.out.length === 0 && left === indentOf(below);
    if ((left > 3 && !isFirst) || (left !== indentOf(below) && indentOf(below) !== 0))
      return undefined;
  }
  const isAlone = reader.line(-1) === '' && reader.line(2) === '' && /^===+$/.test(below);
  const least = Math.min(0.7 * title.length, title.length - 2);
  if (below.trim().length < least && !isAlone) return undefined;
  reader.skip(hasOverline ? 3 : 2);
  return [heading(reader.words(title), hasOverline ? sign + sign : sign, depthOf(title))];
};

/** A title between signs in its own line: `**** Title ****`. */
export const ruledHeading: Rule = (reader) => {
  const [, sign = '', title = ''] =
    /^([*=#~-])\1{3,} *(\p{L}[^=|/\\]{2,80}?) *\1{4,}$/u.exec(reader.line().trim()) ?? [];
  if (title === '' || reader.line(-1) !== '' || /[.,;:]$|\b(?:cut|snip|begin|end)\b/i.test(title))
    return undefined;
  reader.skip();
  return [heading(reader.words(title), `ruled${sign}`, 1)];
};

/** How deep a number says that a heading is; 1 for those without. */
export function depthOf(title: string): number {
  const [, number = '1'] = /^((?:\d{1,2}|[A-Z](?=\.\d))(?:\.\d{1,2})*)\.?\s/.exec(title) ?? [];
  return number.split('.').length;
}

export function isCapital(line: string): boolean {
  if (/[={}<>;$\\|@]|:\/|:\S/.test(line)) return false;
  const letters = line.replaceAll(/[^\p{L}]+/gu, '');
  return (
    letters.length >= 4 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
  );
}

/** A line of signs that only parts what is above from what is below. */
export const rule: Rule = (reader) => {
  if (
    !/^\s*([^\p{L}\p{N}\s])\1{3,}\s*$|^\s*([^\p{L}\p{N}\s]{2})\2{4,}\S?$|^\s*([-*_])(?:\s?\3){2,}\s*$/u.test(
      reader.line(),
    )
  )
    return undefined;
  reader.skip();
  return [];
};

/** In characters: a line that is indented by more is in the middle of the page. */
const centred = 8;

/** `March 8, 2020`, `5. März 1996`: when a text was written, not its title. */
export const date =
  /^(?:\p{L}+,? )?(?:\d{1,2}(?:st|nd|rd|th)?[.,]? )?(?:(?:de )?\p{L}{3,}(?: de)?[ ,.]+)?(?:19|20)\d\d$/u;

/** In characters: lines in the middle of the page have their middles at the same place, or nearly. */
const nearMiddle = 3;

/**
 * Lines in the middle of the page: the title of the text, or else lines of its front page. `always`: single ones are
 * titles of chapters.
 */
export function centredLines(always: boolean): Rule {
  return (reader) => {
    if (reader.depth > 0) return undefined;
    const isFirst = reader.out.length === 0;
    const rows = reader.line(-1) === '' ? reader.block() : [];
    if (indentOf(rows[0] ?? '') < centred) return undefined;
    const middles = rows.map(middleOf);
    const isCentred = rows.every(
      (row, at) =>
        indentOf(row) >= centred &&
        /^\s*[\p{L}\p{N}(–-][^{}[\]<>=;$|\\]*$/u.test(row) &&
        Math.abs((middles[at] ?? 0) - (middles[0] ?? 0)) < nearMiddle,
    );
    const isEven =
      rows.length > 1 && rows.every((row) => indentOf(row) === indentOf(rows[0] ?? ''));
    if (!isCentred || isEven) return undefined;
    reader.skip(rows.length);
    const [first = '', ...rest] = rows.map((row) => row.trim());
    const isTitle = /\p{L}{3}/u.test(first) && !date.test(first) && !/[.,;:]$/.test(first);
    const [title] = reader.out;
    const isBelow =
      title?.attributes['look'] === 'centred' &&
      Math.abs(middleOf(reader.lines.find((row) => row !== '') ?? '') - (middles[0] ?? 0)) <
        nearMiddle;
    const isChapter = rest.length === 0 && (always || isBelow || isCapital(first));
    if (!isTitle || !(isFirst || isChapter)) return [reader.paragraph(rows)];
    const found = heading(first, 'centred', isFirst ? 1 : 2);
    return rest.length === 0 ? [found] : [found, reader.paragraph(rest)];
  };
}

function middleOf(row: string): number {
  return (indentOf(row) + row.length) / 2;
}

/** Signs of sections that a document has at its beginning, but that are not its title. */
const firstSections =
  /^(?:introduction|overview|general|about|conventions|name|synopsis|description|requirements|prerequisites|installation|installing|background|purpose|preface|summary|abstract|contents|license|copyright|usage|features|notes?|einleitung|einführung|überblick|allgemeines|beschreibung|voraussetzungen|vorwort|zusammenfassung|introducción|descripción|requisitos|instalación|resumen|nombre)\b/i;

/** Makes the first heading of a front page the title, and its other lines paragraphs: the author and the edition below the title are no chapters. */
export function clearCover(blocks: Element[]): void {
  const contents = blocks.findIndex((block) => isContentsTitle(lineOf(block)));
  const [first] = blocks.filter(({ attributes }) => attributes['look'] !== undefined);
  for (const [at, block] of blocks.slice(0, Math.max(0, contents)).entries()) {
    if (block.attributes['look'] === undefined || firstSections.test(lineOf(block))) continue;
    // What stands above all is the title, though it may look like a chapter.
    if (block === first) {
      if (at === 0) block.attributes = { look: 'title', depth: '1' };
      continue;
    }
    block.name = 'p';
    block.attributes = {};
  }
}

/** Words that files have in their names, whatever they are about. */
const kindOfFile =
  /^(?:read|me|readme|manual|guide|users?|faq|how|to|howto|docs?|document|documentation|index|install|installation|usage|notes?|help|text|file|intro|introduction|tutorial|\d+|.{1,2})$/i;
/** So many chapters with such names. */
const leastGeneral = 2;

/**
 * The name of the file, if the chapters of a text do not say what they are about: its first one, or several, have names
 * that all documents have.
 */
export function nameAbove(body: Element, fileName: string): string {
  const chapters = body.children.filter((block) => isElement(block, 'h1')).map(lineOf);
  const general = chapters.filter((words) => firstSections.test(words));
  const isUnnamed =
    chapters.length > 1 &&
    (firstSections.test(chapters[0] ?? '') || general.length >= leastGeneral);
  const name = nameInWords(fileName);
  return isUnnamed && name.split(/[\s.]+/).some((word) => !kindOfFile.test(word)) ? name : '';
}

/**
 * Makes the title of a text its first heading: a first line that stands alone, or a first heading that looks like the
 * others but has the name of the file.
 */
export function findTitle(blocks: Element[], fileName: string): void {
  const [first] = blocks;
  if (first === undefined) return;
  const words = lineOf(first);
  const { look, depth } = first.attributes;
  const others = blocks.slice(1).filter(({ attributes }) => attributes['look'] !== undefined);
  if (others.length === 0) return;
  if (look === undefined) {
    const isTitle = first.name === 'p' && /^[\p{L}\p{N}].{2,79}(?<![.,;:!?])$/u.test(words);
    if (isTitle) blocks[0] = heading(words, 'title', 1);
    return;
  }
  const isOne = others.every(
    ({ attributes }) => attributes['look'] !== look || attributes['depth'] !== depth,
  );
  if (isOne || firstSections.test(words) || /^\d/.test(words)) return;
  const keyOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const name = keyOf(fileName.replace(/\.\w+$/, ''));
  if (name.includes('readme') || keyOf(words).some((word) => name.includes(word)))
    blocks[0] = heading(words, 'title', 1);
}
