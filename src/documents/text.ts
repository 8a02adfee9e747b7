import type { DocumentTree } from './sections-of-tree.js';
import { widthOf } from './author-lines.js';
import { asciidoc, isAsciidoc } from './asciidoc.js';
import { dedent, heading, indentOf, LineReader, listing, type Dialect } from './line-reader.js';
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
  findTitle,
  loneHeading,
  loneHeadings,
  rankHeadings,
  rule,
  underlinedHeading,
} from './text-headings.js';
import { isField } from './typed-lines.js';
import { isElement, makeElement, type Element, type TreeNode } from './tree.js';

/**
 * Reads plain text, AsciiDoc and the common part of reStructuredText: paragraphs, lists, terms and listings by their
 * indentation, and headings that are underlined, numbered, in capitals, or at the left of indented text.
 */
export function readText(text: string, fileName = ''): DocumentTree {
  const written = withoutMarks(text)
    .replace(/^.*-\*-.*-\*-.*\n/, '')
    .replace(/^(?:#.*\n)+/, (head) => (/copyright|\$Id/i.test(head) ? '' : head))
    .replaceAll('\f', '');
  const lines = dedent(written.split('\n').map((line) => solid(withoutTabs(line).trimEnd())));
  const blocks = readLines(lines);
  findTitle(blocks, fileName);
  const body = makeElement('#root', blocks);
  rankHeadings(body);
  const notes = takeNotes(body);
  return { body, title: '', language: undefined, notes, hidden: [], hasAddress: false };
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
  if (isAsciidoc(lines)) return new LineReader(lines, asciidoc()).read();
  const margin = marginOf(lines);
  if (margin > 0) return readOutdented(lines, margin);
  return new LineReader(lines, plain(false, loneHeading(loneHeadings(lines)))).read();
}

/** Plain text, and reStructuredText, which is plain text with a few signs more. */
function plain(isOutdented: boolean, ...headings: Dialect['rules']): Dialect {
  return {
    rules: [
      ...[
        underlinedHeading,
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

/** A line of signs without the blanks between them: `= = = =`. */
function solid(line: string): string {
  return /^\s*([=*#~_-])(?: \1){4,}$/.test(line) ? line.replaceAll(' ', '') : line;
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
  const headings = lines.filter((_, at) => isOutdent(lines, at, margin));
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

/** True for a heading: a short line at the left, apart from what is above, that ends no sentence. */
function isOutdent(lines: readonly string[], at: number, margin: number): boolean {
  const line = lines[at] ?? '';
  const left = indentOf(line);
  const [above, below] = [lines[at - 1] ?? '', lines[at + 1] ?? ''];
  const isApart =
    (above === '' || indentOf(above) < left) && (below === '' || indentOf(below) > left);
  if (left < 0 || left >= margin || !isApart || line.length > 90 || isField(line)) return false;
  // The first line of a paragraph that hangs is full.
  const [word = ''] = below.trim().split(' ');
  if (below !== '' && line.length + 1 + word.length > narrowest) return false;
  return (
    /\p{L}{2}/u.test(line) &&
    !/[.,;:]$|^\s*(?:[-*•$#>|+]|\p{Ll}\S*\s)/u.test(line) &&
    !speaker.test(line)
  );
}

/** Reads a text with this margin: what stands left of it are headings, and else listings. */
function readOutdented(lines: readonly string[], margin: number): Element[] {
  const blocks: Element[] = [];
  const dialect = plain(true);
  const width = widthOf(lines);
  for (let at = 0; at < lines.length;) {
    const from = at;
    const line = lines[at] ?? '';
    const isOuter = (of: string) => indentOf(of) >= 0 && indentOf(of) < margin;
    if (isOutdent(lines, at, margin)) {
      blocks.push(heading(line.trim(), 'outdent', indentOf(line)));
      at++;
    } else if (isOuter(line)) {
      while (at < lines.length && !isOutdent(lines, at, margin)) {
        const row = lines[at] ?? '';
        // What goes on far to the right belongs to a table.
        const goesOn = lines[at - 1] !== '' && indentOf(row) >= margin + 4;
        if (row !== '' && !isOuter(row) && !goesOn) break;
        at++;
      }
      blocks.push(listing(lines.slice(from, at)));
    } else {
      while (at < lines.length && !isOuter(lines[at] ?? '')) at++;
      const body = lines.slice(from, at).map((row) => row.slice(margin));
      blocks.push(...new LineReader(body, dialect, 0, width - margin).read());
    }
  }
  return blocks;
}
