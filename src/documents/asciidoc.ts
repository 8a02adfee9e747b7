import type { Vocabulary } from '../pdf/sections/hyphenation.js';
import { heading, LineReader, listing, type Dialect, type Rule } from './line-reader.js';
import { underlinedHeading } from './text-headings.js';
import { indented } from './text-blocks.js';
import { isElement, makeElement, type Element, type TreeNode } from './tree.js';

const section = /^(={1,6})\s+(\S.*?)(?:\s+\1)?$/;
const attribute = /^:!?(\w[\w .-]*)!?:(?:\s+(.*))?$/;
/** `[source,sh]`, `[[anchor]]`: says what the block below is. */
const blockStyle = /^\[(?:\[.*\]|[^\]]*)\]$/;
const macro = /^(?:include|image|video|audio|toc|ifdef|ifndef|ifeval|endif)::\S*\[.*\]$/;
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
    inline: (words) =>
      inline(
        words.replaceAll(/\{([\w-]+)\}/g, (whole, name: string) => attributes.get(name) ?? whole),
      ),
  };
}

function setAttribute(attributes: Map<string, string>, line: string): boolean {
  const [, name, value = ''] = attribute.exec(line) ?? [];
  if (name !== undefined) attributes.set(name, value);
  return name !== undefined;
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

const table: Rule = (reader) => {
  const line = reader.line();
  if (!/^\|={3,}$/.test(line)) return undefined;
  reader.skip();
  const rows = reader.takeWhile((row) => row !== line).filter((row) => row !== '');
  reader.skip();
  const cellsOf = (row: string) => row.split(/(?:^|\s)[\d.<^>+*]*[aehlmsd]?\|/).slice(1);
  const width = Math.max(1, cellsOf(rows[0] ?? '').length);
  const cells: string[] = [];
  for (const row of rows) {
    const found = cellsOf(row);
    for (const cell of found) cells.push(cell);
    if (found.length > 0) continue;
    if (cells.length > 0) cells.push(`${cells.pop() ?? ''} ${row}`);
  }
  const grouped = Array.from({ length: Math.ceil(cells.length / width) }, (_, at) =>
    cells.slice(at * width, (at + 1) * width),
  );
  const name = (at: number) => (at === 0 && width > 1 ? 'th' : 'td');
  return [
    makeElement(
      'table',
      grouped.map((row, at) =>
        makeElement(
          'tr',
          row.map((cell) => makeElement(name(at), reader.dialect.inline(cell.trim()))),
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

/** Text without the signs of AsciiDoc, with its links. */
function inline(text: string): TreeNode[] {
  const plain = text
    .replaceAll(/\b[a-z]+:([\w.-]+)\[(\d)\]/g, '$1($2)')
    .replaceAll(/(?:footnote|indexterm|kbd|btn|menu|icon|anchor):[\w.-]*\[([^\]]*)\]/g, ' $1')
    .replaceAll(/\(\(\(.*?\)\)\)|\[\[[^\]]*\]\]/g, '')
    .replaceAll(/<<[^>,]*,\s*([^>]*)>>/g, '$1')
    .replaceAll(/<<#?([^>]*)>>/g, '$1')
    .replaceAll(/xref:[^\s[]+\[([^\]]*)\]/g, '$1')
    .replaceAll(/(?<![\w*])(\*{1,2})(?=\S)([^*\n]{1,300}?)(?<=\S)\1(?![\w*])/g, '$2')
    .replaceAll(/(?<![\w_])(_{1,2})(?=\S)([^_\n]{1,300}?)(?<=\S)\1(?![\w_])/g, '$2')
    .replaceAll(/(?<![\w*])(\*)(?=\S)([^*\n]{1,300}?)(?<=\S)\1(?![\w*])/g, '$2')
    .replaceAll(/(?<=^|\s)\+(?! \s)([^+\n]{1,200})\+(?=[\s,.;:)]|$)/g, '$1')
    .replaceAll(/\s\+$/g, '');
  const nodes: TreeNode[] = [];
  let from = 0;
  const parts =
    /`{1,2}([^`\n]{1,300})`{1,2}|(?:link:(\S+?)|(https?:\/\/[^\s[\]]+|mailto:[^\s[\]]+))\[([^\]]*)\]/g;
  for (const found of plain.matchAll(parts)) {
    const [whole, code, target, address = target ?? '', words = ''] = found;
    nodes.push(plain.slice(from, found.index));
    from = found.index + whole.length;
    if (code !== undefined) nodes.push(makeElement('code', [code]));
    else nodes.push(makeElement('a', [words === '' ? address : words], { href: address }));
  }
  return [...nodes, plain.slice(from)];
}
