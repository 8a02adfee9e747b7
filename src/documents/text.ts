import { collectTyped, type Vocabulary } from '../pdf/sections/hyphenation.js';
import type { DocumentTree } from './sections-of-tree.js';
import { dataShare, widthOf } from './author-lines.js';
import { asciidoc, isAsciidoc, withoutConditions } from './asciidoc.js';
import {
  dedent,
  heading,
  indentOf,
  LineReader,
  listing,
  underline,
  type Dialect,
} from './line-reader.js';
import { loneHeading, loneHeadings } from './lone-headings.js';
import { directive, docinfo, unmarked } from './restructured-text.js';
import {
  announced,
  beginsOther,
  definition,
  fenced,
  grid,
  indented,
  list,
  mixed,
  numberedLines,
  option,
  speaker,
  spoken,
  typed,
} from './text-blocks.js';
import {
  centredLines,
  clearCover,
  depthOf,
  findTitle,
  nameAbove,
  rankHeadings,
  rule,
  ruledHeading,
  underlinedHeading,
} from './text-headings.js';
import { withoutManualEdges, withoutPages, withSingleBlanks } from './printed-text.js';
import { clearFront } from './text-front.js';
import { isField } from './typed-lines.js';
import { isElement, makeElement, type Element, type TreeNode } from './tree.js';

/**
 * Reads plain text, AsciiDoc and the common part of reStructuredText: paragraphs, lists, terms and listings by their
 * indentation, and headings that are underlined, numbered, in capitals, or at the left of indented text.
 */
export function readText(text: string, fileName = ''): DocumentTree {
  const written = withoutMarks(text)
    .replaceAll(/(:[\w:.+-]{1,40}:`[^`\n]{1,200})\n[ \t]*(?=[^`\n]{1,200}`)/g, '$1 ')
    .replace(/^(?=.{0,300}\n).*-\*-.*-\*-.*\n/, '')
    .replace(/^(?:#.*\n)+/, (head) => (/copyright|\$Id/i.test(head) ? '' : head))
    .replaceAll(/^[^\S\n]*\$(?:Id|Date|Revision|Author|Header)\b.*\$[^\S\n]*$/gm, '');
  const rows = withSingleBlanks(withoutPages(withoutManualEdges(written.split('\n'))));
  const lines = dedent(rows.map((line) => withoutTabs(line).trimEnd()));
  const blocks = readLines(
    lines.flatMap((line, at) => (isRuleAbove(lines, at) ? [line, ''] : [line])),
  );
  clearCover(blocks);
  findTitle(blocks, fileName);
  clearFront(blocks);
  const body = makeElement('#root', blocks);
  rankHeadings(body);
  const notes = takeNotes(body);
  const above = nameAbove(body, fileName);
  return {
    body,
    title: '',
    heading: above,
    language: undefined,
    notes,
    hidden: [],
    hasAddress: false,
  };
}

/** So many links with a number before each are those of a page. */
const leastLinks = 5;

/** The text without what a text browser prints for pictures and before links: `[arrow.gif] See [1]oil`. */
function withoutMarks(text: string): string {
  const mark = /(?<![\p{L}\p{N}])\[(\d{1,4})\](?=[^\s.,;:)])/gu;
  let count = 0;
  for (const [, number] of text.matchAll(mark)) if (Number(number) === count + 1) count++;
  if (count < leastLinks) return text;
  let above = 0;
  return text
    .replaceAll(mark, (whole, number: string) => {
      if (Number(number) !== above + 1) return whole;
      above++;
      return '';
    })
    .replaceAll(/\[[\w.-]+\.(?:gif|png|jpe?g)\] ?/gi, '');
}

/** Takes footnotes, as programs print those of pages: `^[1]` in a sentence, and `^[1] Words.` below a chapter. */
function takeNotes(body: Element): Map<string, Element> {
  const notes = new Map<string, Element>();
  body.children = body.children.filter((block) => {
    const [first] = isElement(block, 'p') ? block.children : [];
    const [mark, number] = (typeof first === 'string' && /^\^\[(\d{1,3})\]\s+/.exec(first)) || [];
    if (!isElement(block) || mark === undefined || number === undefined) return true;
    const words = typeof first === 'string' ? first.slice(mark.length) : '';
    notes.set(number, makeElement('div', [words, ...block.children.slice(1)]));
    return false;
  });
  if (notes.size > 0) markNotes(body, notes);
  return notes;
}

function markNotes(element: Element, notes: ReadonlyMap<string, Element>): void {
  if (element.name === 'pre') return;
  element.children = element.children.flatMap((child): TreeNode[] => {
    if (isElement(child)) {
      markNotes(child, notes);
      return [child];
    }
    return child.split(/\^\[(\d{1,3})\]/).map((part, at) => {
      if (at % 2 === 0) return part;
      return notes.has(part) ? makeElement('note-ref', [], { ref: part }) : `^[${part}]`;
    });
  });
}

function readLines(lines: readonly string[]): Element[] {
  const vocabulary = collectTyped(lines.map((line) => line.trim()));
  if (isAsciidoc(lines)) {
    const read = withoutConditions(lines);
    return new LineReader(read, asciidoc(read, vocabulary)).read();
  }
  const margin = marginOf(lines);
  if (margin > 0) return readOutdented(lines, margin, plain(vocabulary, true));
  const dialect = plain(vocabulary, false, loneHeading(loneHeadings(lines)));
  return new LineReader(lines, dialect).read();
}

/** Plain text, and reStructuredText, which is plain text with a few signs more. */
function plain(
  vocabulary: Vocabulary,
  isOutdented: boolean,
  ...headings: Dialect['rules']
): Dialect {
  return {
    rules: [
      ...[
        underlinedHeading,
        ruledHeading,
        fenced,
        docinfo,
        directive,
        grid,
        rule,
        centredLines(isOutdented),
        spoken,
      ],
      numberedLines,
      ...headings,
      ...[announced, list, option, typed, definition, indented, mixed],
    ],
    endsParagraph: beginsOther,
    inline: unmarked,
    vocabulary,
  };
}

/** A line with blanks up to each tab stop, so that columns stay below each other. */
function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line;
  const [first = '', ...others] = line.split('\t');
  return others.reduce(
    (out, part) => out.padEnd((Math.floor(out.length / 8) + 1) * 8) + part,
    first,
  );
}

/** True for a long line of signs above a heading: not one of a table, and not the upper of two. */
function isRuleAbove(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  const [above = '', title = '', below = ''] = [lines[at - 1], lines[at + 1], lines[at + 2]];
  return above === '' && below === '' && /^([_=-])\1{29,}$/.test(line) && /^\S.{2,80}$/.test(title);
}

/** In characters: lines of paragraphs are longer. */
const narrowest = 66;
/** In characters: the widest margin of the text below headings. */
const widestMargin = 8;

/**
 * The margin of a text whose headings stand at the left of it, as programs print manual pages and web pages. 0 for
 * other texts.
 */
function marginOf(lines: readonly string[]): number {
  const filled = lines.filter((line) => line !== '');
  const margins = Array.from({ length: widestMargin - 1 }, (_, at) => at + 2);
  const shareAt = (margin: number) =>
    filled.filter((line) => indentOf(line) === margin).length / filled.length;
  const likely = margins
    .filter((margin) => shareAt(margin) > 0.1)
    .sort((a, b) => shareAt(b) - shareAt(a));
  return likely.find((margin) => hasOutdents(lines, margin)) ?? 0;
}

function hasOutdents(lines: readonly string[], margin: number): boolean {
  const outer = lines.filter((line) => line !== '' && indentOf(line) < margin);
  if (outer.length > 0.4 * lines.filter((line) => line !== '').length) return false;
  const headings = lines.filter((_, at) => outdentOf(lines, at, margin) > 0);
  // Other lines at the left are listings, which are whole blocks.
  const stray = lines.filter(
    (line, at) =>
      line !== '' &&
      indentOf(line) < margin &&
      line.length > 60 &&
      indentOf(lines[at + 1] ?? '') >= 0 &&
      indentOf(lines[at + 1] ?? '') < margin,
  );
  return headings.length >= 2 && stray.length <= headings.length;
}

/** The share of rows with data that makes a block at the left a listing as a whole. */
const leastData = 0.3;
/** In lines, and in characters: a longer block at the left is a paragraph. */
const mostRows = 3;
const longestOutdent = 200;

/**
 * The number of lines that the heading here has, which stands at the left, apart from what is above, and ends no
 * sentence. 0 for what is no heading.
 */
function outdentOf(lines: readonly string[], at: number, margin: number): number {
  const left = indentOf(lines[at] ?? '');
  const above = lines[at - 1] ?? '';
  if (left < 0 || left >= margin) return 0;
  // A number tells a heading below a paragraph without an empty line.
  const isNumbered = /^\s*\d+(?:\.\d+)*\.?\s/.test(lines[at] ?? '') && lines[at + 1] === '';
  if (above !== '' && indentOf(above) >= left && !(isNumbered && indentOf(above) > left)) return 0;
  let end = at + 1;
  while (end < at + mostRows && indentOf(lines[end] ?? '') === left) end++;
  const rows = lines.slice(at, end);
  const below = lines[end] ?? '';
  const title = rows.map((row) => row.trim()).join(' ');
  // The rows of a heading but its last are full, and so is the first line of a paragraph that hangs.
  const isFull = (row: string, next: string) =>
    row.length + 1 + (next.trim().split(' ', 1)[0] ?? '').length > narrowest;
  if (rows.some((row, index) => index < rows.length - 1 && !isFull(row, rows[index + 1] ?? '')))
    return 0;
  if (below !== '' && (indentOf(below) <= left || isFull(rows.at(-1) ?? '', below))) return 0;
  if (title.length > (rows.length > 1 ? longestOutdent : 90) || isField(title)) return 0;
  const isTitle =
    /\p{L}{2}/u.test(title) &&
    !/[.,;:]$|^(?:[-*•$#>|+'"]|\p{Ll}\S*\s|\w+:\/|Copyright\b)|[©=@]|--/u.test(title) &&
    !speaker.test(title);
  return isTitle ? rows.length : 0;
}

/** Reads a text with this margin: what stands left of it are headings, and other blocks. */
function readOutdented(lines: readonly string[], margin: number, dialect: Dialect): Element[] {
  const blocks: Element[] = [];
  const width = widthOf(lines);
  const isOuter = (of: string) => indentOf(of) >= 0 && indentOf(of) < margin;
  for (let at = 0; at < lines.length;) {
    const from = at;
    const rows = outdentOf(lines, at, margin);
    if (rows > 0) {
      const title = lines.slice(at, at + rows).map((row) => row.trim());
      const words = title.join(' ');
      // A number of several levels says more than the margin, which all of them may have.
      blocks.push(heading(words, 'outdent', 10 * indentOf(lines[at] ?? '') + depthOf(words)));
      at += rows;
    } else if (isOuter(lines[at] ?? '')) {
      while (at < lines.length && (at === from || outdentOf(lines, at, margin) === 0)) {
        const row = lines[at] ?? '';
        // What goes on far to the right belongs to a table.
        const goesOn = lines[at - 1] !== '' && indentOf(row) >= margin + 4;
        if (row !== '' && !isOuter(row) && !goesOn) break;
        at++;
      }
      const block = dedent(lines.slice(from, at));
      const hasHeading = block.some(
        (row, index) => underline.test(row) && (block[index + 1] ?? '') === '' && index > 0,
      );
      const isData = !hasHeading && dataShare(block, width) > leastData;
      blocks.push(...(isData ? [listing(block)] : new LineReader(block, dialect, 0, width).read()));
    } else {
      while (at < lines.length && !isOuter(lines[at] ?? '')) at++;
      const body = lines.slice(from, at).map((row) => row.slice(margin));
      blocks.push(...new LineReader(body, dialect, 0, width - margin).read());
    }
  }
  return blocks;
}
