import type { Vocabulary } from '../pdf/sections/hyphenation.js';
import { heading, LineReader, listing, type Dialect, type Rule } from './line-reader.js';
import { underlinedHeading } from './text-headings.js';
import { indented } from './text-blocks.js';
import { inlineAsciidoc, setAttribute } from './asciidoc-inline.js';
import { isElement, makeElement, type Element } from './tree.js';

const section = /^(={1,6})\s+(\S.*?)(?:\s+\1)?$/;
/** `[source,sh]`, `[[anchor]]`: says what the block below is. */
const blockStyle = /^\[(?:\[.*\]|[^\]]*)\]$/;
const macro = /^(?:include|image|video|audio|toc)::\S*\[.*\]$/;
/** `Option::`, with the explanation beside or below it. */
const label = /^\s*(\S.{0,160}?)(?:::+|;;)(?:\s+(\S.*))?$/;
const listMark = /^\s*(\*{1,6}|-|\.{1,6}|\d{1,3}\.|[a-z]\.|<(?:\d+|\.)>)\s+(?=\S)/;
const literal = /^(-{4,}|\.{4,}|\+{4,}|`{3,})[\w-]*$/;
const container = /^(={4,}|\*{4,}|_{4,}|--)$/;
/** In lines: the attributes of a text stand at its beginning. */
const mostOfHead = 20;
/** Styles of paragraphs whose lines stay apart. */
const ofLines = /^\[(?:source|listing|literal|verse)\b/;

/** True for a text with several lines that only AsciiDoc has. */
export function isAsciidoc(lines: readonly string[]): boolean {
  const sure =
    /^={1,5} \S|^\[\[[\w-]+\]\]$|^(?:include|image|ifn?def|endif)::\S*\[.*\]$|^\[(?:source|NOTE|options=|verse|quote)|^\+$|<<[\w-]+,[^>]+>>|\blink\w*:\S+\[/;
  return lines.filter((line) => sure.test(line)).length >= 2;
}

/** The lines of a text without conditions, which may stand anywhere: all that they are about is read. */
export function withoutConditions(lines: readonly string[]): string[] {
  return lines.filter((line) => !/^(?:ifn?def|ifeval|endif)::[^\s[]*\[.*\]$/.test(line));
}

/** The rules for one text, which know its attributes: also those that it states below its title. */
export function asciidoc(text: readonly string[], vocabulary: Vocabulary): Dialect {
  const attributes = new Map<string, string>();
  for (const line of text.slice(0, mostOfHead)) setAttribute(attributes, line);
  return {
    rules: [
      unseen(attributes),
      sectionTitle,
      delimited,
      blockTitle,
      lines,
      twoLineTitle,
      table,
      labelled,
      list,
      literalLines,
      indented,
    ],
    endsParagraph: (reader) =>
      [literal, container, blockStyle, listMark, /^\|={3,}$|^\+$|^\/\//].some((begin) =>
        begin.test(reader.line()),
      ),
    vocabulary,
    inline: (words) => inlineAsciidoc(words, attributes),
  };
}

/** Lines that nobody sees: comments, attributes, and commands of the format. */
function unseen(attributes: Map<string, string>): Rule {
  return (reader) => {
    const line = reader.line();
    const isAttribute = setAttribute(attributes, line);
    const isComment = /^\/{4,}$/.test(line);
    const isStyle = blockStyle.test(line) && !ofLines.test(line);
    if (isComment) {
      reader.skip();
      reader.takeWhile((row) => row !== line);
    } else if (
      !isAttribute &&
      !isStyle &&
      !/^(?:\/\/(?!\/)|\+$|<<<$|'{3,}$)/.test(line) &&
      !macro.test(line)
    ) {
      return undefined;
    }
    reader.skip();
    return [];
  };
}

const sectionTitle: Rule = (reader) => {
  const found = section.exec(reader.line());
  if (found === null) return undefined;
  const [, signs = '', title = ''] = found;
  reader.skip();
  // The author and the version of the document.
  if (signs.length === 1) reader.takeWhile((line, at) => at < 2 && /^[^:=/[]/.test(line));
  return [heading(reader.words(title), '=', signs.length)];
};

/** In characters: a title and the line below it have nearly the same length. Other lines of signs begin a listing. */
const nearLength = 3;

const twoLineTitle: Rule = (reader) => {
  const isNear = Math.abs(reader.line().length - reader.line(1).length) <= nearLength;
  return isNear && !reader.line().endsWith(':') ? underlinedHeading(reader) : undefined;
};

/** What stands between two lines of signs: a listing, or blocks. */
const delimited: Rule = (reader) => {
  const line = reader.line();
  const [, fence = line] = literal.exec(line) ?? container.exec(line) ?? [];
  if (!literal.test(line) && !container.test(line)) return undefined;
  reader.skip();
  const rows = reader.takeWhile((row) => row !== fence);
  reader.skip();
  if (!literal.test(line)) return reader.inner(rows);
  return rows.every((row) => row === '') ? [] : [listing(rows)];
};

/** A paragraph whose lines stay apart. */
const lines: Rule = (reader) => {
  if (!ofLines.test(reader.line())) return undefined;
  reader.skip();
  if (reader.line() === '' || literal.test(reader.line()) || container.test(reader.line()))
    return [];
  return [listing(reader.takeWhile((line) => line !== ''))];
};

/** In AsciiDoc, a paragraph that is indented keeps its lines, unless it goes on with a list. */
const literalLines: Rule = (reader) => {
  const last = reader.out.at(-1);
  const isBelow = last === undefined || isElement(last, 'p', 'pre', 'h1');
  return reader.depth === 0 && isBelow && reader.line(-1) === '' && reader.line().startsWith(' ')
    ? [listing(reader.takeWhile((line) => line !== ''))]
    : undefined;
};

/** The number of columns that a style states: `[cols="2,3*a"]`; 0 for none. */
function columnsOf(style: string): number {
  const stated = /\bcols="?([^"\]]*)/.exec(style)?.[1] ?? '';
  const columns = stated.split(',').filter((column) => column.trim() !== '');
  return columns.reduce((sum, column) => sum + Number(/^\s*(\d{1,2})\*/.exec(column)?.[1] ?? 1), 0);
}

/** A table has as many columns as its style states, else as its first line has cells. Cells may have blocks. */
const table: Rule = (reader) => {
  const line = reader.line();
  if (!/^\|={3,}$/.test(line)) return undefined;
  let above = -1;
  while (/^\.\S/.test(reader.line(above))) above--;
  const style = blockStyle.test(reader.line(above)) ? reader.line(above) : '';
  reader.skip();
  const rows = reader.takeWhile((row) => row !== line);
  reader.skip();
  const cells: string[][] = [];
  let first = 0;
  for (const row of rows) {
    const [before = '', ...found] = row.split(/(?:^|\s)[\d.<^>+*]*[aehlmsd]?\|/);
    if (!blockStyle.test(row)) cells.at(-1)?.push(before);
    if (cells.length === 0) first = found.length;
    for (const cell of found) cells.push([cell]);
  }
  const width = columnsOf(style) || Math.max(1, first);
  const begin = rows.findIndex((row) => row !== '');
  const isHead =
    width > 1 && (/\bheader\b/.test(style) || (width === first && begin === 0 && rows[1] === ''));
  const grouped = Array.from({ length: Math.ceil(cells.length / width) }, (_, at) =>
    cells.slice(at * width, (at + 1) * width),
  );
  const isBlocks = (row: string) => listMark.test(row) || literal.test(row);
  const nodesOf = (own: readonly string[]) =>
    own.some(isBlocks)
      ? reader.inner(own.map((row) => row.trimEnd()))
      : reader.dialect.inline(own.join(' ').trim());
  return [
    makeElement(
      'table',
      grouped.map((row, at) =>
        makeElement(
          'tr',
          row.map((cell) => makeElement(at === 0 && isHead ? 'th' : 'td', nodesOf(cell))),
        ),
      ),
    ),
  ];
};

/** `.Title` of the block below. */
const blockTitle: Rule = (reader) => {
  const found = /^\.([^\s.].*)$/.exec(reader.line());
  if (found === null) return undefined;
  reader.skip();
  return [makeElement('p', [makeElement('b', reader.dialect.inline(found[1] ?? ''))])];
};

const labelled: Rule = (reader) => {
  const [, term, beside = ''] = label.exec(reader.line()) ?? [];
  if (term === undefined) return undefined;
  reader.skip();
  // The explanation may stand below an empty line if it is indented.
  const next = reader.line() === '' ? reader.line(reader.nextText) : reader.line();
  if (beside === '' && /^\s/.test(next)) reader.takeWhile((line) => line === '');
  const rows = beside === '' ? [] : [beside];
  const content = takeContent(reader, rows, (line) => label.test(line));
  return [makeElement('dt', reader.dialect.inline(term)), makeElement('dd', content)];
};

/** The text of an item up to the next one, with blocks that a "+" joins to it and deeper lists. */
function takeContent(
  reader: LineReader,
  rows: string[],
  isNext: (line: string) => boolean,
): Element['children'] {
  const isText = (line: string) =>
    line !== '' &&
    !isNext(line) &&
    (!reader.dialect.endsParagraph(reader) || /^\s*(?:\/\/)/.test(line));
  rows.push(...reader.takeWhile(isText));
  const children: Element['children'] =
    rows.length === 0 ? [] : [reader.paragraph(rows.filter((row) => !row.startsWith('//')))];
  while (reader.line() === '+') {
    reader.skip();
    children.push(...reader.readOne());
  }
  return children;
}

/** A list; the signs of its marks tell the depth. */
const list: Rule = (reader) => {
  const mark = markOf(reader.line());
  return mark === undefined ? undefined : [readList(reader, [mark])];
};

function readList(reader: LineReader, open: readonly string[]): Element {
  const own = open.at(-1);
  const items: Element[] = [];
  while (markOf(reader.line()) === own && !reader.isAtEnd) {
    const text = reader.line().replace(listMark, '');
    reader.skip();
    const children = takeContent(reader, [text], () => false);
    const next = () => markOf(reader.line() === '' ? reader.line(reader.nextText) : reader.line());
    for (
      let mark = next();
      mark !== undefined && !open.includes(mark) && open.length < 12;
      mark = next()
    ) {
      reader.takeWhile((line) => line === '');
      children.push(readList(reader, [...open, mark]));
    }
    items.push(makeElement('li', children));
    if (next() === own) reader.takeWhile((line) => line === '');
  }
  return makeElement(/^[.\d<a-z]/.test(own ?? '') ? 'ol' : 'ul', items);
}

/** The kind of a list's mark: numbers and letters count as one each. */
function markOf(line: string): string | undefined {
  return listMark.exec(line)?.[1]?.replace(/\d+|[a-z]/, (found) => (/\d/.test(found) ? '1' : 'a'));
}
