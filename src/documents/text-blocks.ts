import { endsEarly, isSpoken } from './author-lines.js';
import { isContentsTitle } from '../sections/titles.js';
import {
  heading,
  indentOf,
  listing,
  underline,
  type LineReader,
  type Rule,
} from './line-reader.js';
import {
  countFull,
  isDrawn,
  isExplained,
  isLedIn,
  isProse,
  isTyped,
  openBraces,
  stepsIn,
} from './typed-lines.js';
import { lineOf, makeElement, rawText, type Element, type TreeNode } from './tree.js';

const bullet = /^(\s*)(?:[-*•+o–☆□■▪●○◦·‣])\s+(?=\S)/u;
const number = /^(\s*)(\(?(?:\d{1,3}|[a-z])[.)]|\d{1,2}\/|#\.)\s+(?=\S)/;
/** The mark of a question or an answer. */
export const speaker =
  /^(\s*)(?:Q\.?\d{0,3}\s*[:.)]|A\d{1,3}\s*[:.)]|[QA]\d{1,3}(?= {2})|A\s*:|(?:Question|Answer|Frage|Antwort|Pregunta|Respuesta)\s*[:.)])\s+(?=\S)/;
/** A rule that ends what is above it, though no empty line is there. */
const longRule = /^\s*([^\p{L}\p{N}\s|+])\1{29,}$/u;
/** A number of several levels, as in lists of contents. */
const compound = /^\s*\d{1,2}(?:\.\d{1,2})+\.?\s/;
/** In characters: what is indented by more is no list. */
const deepestList = 8;
/** In lines: the most of a listing from where a brace opens to where it closes. */
const longestListing = 400;

export const list: Rule = (reader) => {
  const first = reader.line();
  const pattern = [bullet, number].find((each) => each.test(first));
  const depth = indentOf(first);
  if (pattern === undefined || depth >= deepestList) return undefined;
  const items: Element[] = [];
  for (;;) {
    const found = pattern.exec(reader.line());
    if (found === null || indentOf(reader.line()) !== depth) break;
    const marker =
      pattern === number
        ? (found[2] ?? '').replace('/', '.').replace('#', String(items.length + 1))
        : '-';
    const { blocks, head } = takeItem(reader, found[0].length);
    items.push(makeElement('li', [...head, ...blocks], { marker }));
    const next = reader.line() === '' && !reader.isAtEnd ? reader.nextText : 0;
    if (next > 0 && pattern.test(reader.line(next)) && !underline.test(reader.line(next + 1)))
      reader.skip(next);
  }
  return [makeElement(pattern === number ? 'ol' : 'ul', items)];
};

/** A question, which is the heading of its answer; what hangs below the mark of either belongs to it. */
export const spoken: Rule = (reader) => {
  const line = reader.line();
  const isBelow = reader.out.at(-1)?.attributes['look'] === 'Q';
  const found =
    speaker.exec(line) ?? (isBelow ? /^(\s*)A\.(?:\d{1,3}[.:)])?\s+(?=\S)/.exec(line) : null);
  if (found === null) return undefined;
  const { blocks, head } = takeItem(reader, found[0].length);
  const words = head.map(rawText).join('');
  if (/^\s*[QFP]/.test(line) && reader.depth === 0) return [heading(words, 'Q', 1), ...blocks];
  return [makeElement('p', head), ...blocks];
};

/** The content of an item: its first paragraph, and the blocks that are indented below it. */
function takeItem(reader: LineReader, mark: number): { head: TreeNode[]; blocks: Element[] } {
  const depth = indentOf(reader.line());
  const answer = /^\s*Q/.test(reader.line())
    ? [/^\s*(?:A\.(?:\d{1,3}[.:)])?\s|(?:A|Answer|Antwort|Respuesta)\s*:)/]
    : [];
  const begins = (line: string) =>
    [bullet, number, speaker, compound, ...answer].some((each) => each.test(line));
  const rows = [reader.line().slice(mark)];
  reader.skip();
  // Without an indentation, lines go on up to an empty one.
  rows.push(
    ...reader.takeWhile(
      (line) => line !== '' && indentOf(line) <= depth && !begins(line) && !underline.test(line),
    ),
  );
  const inner = reader.takeIndented(depth + 1);
  while (longRule.test(inner.at(-1) ?? '')) inner.pop();
  const above = ' '.repeat(rows.length === 1 ? mark : depth) + (rows.at(-1) ?? '').trim();
  const end = inner.findIndex(
    (row, at) => row === '' || begins(row) || stepsIn(inner[at - 1] ?? above, row),
  );
  const [, ...others] = [...rows, ...(end < 0 ? inner : inner.slice(0, end))];
  const [head, ...more] = reader.paragraphs([' '.repeat(mark) + (rows[0] ?? ''), ...others]);
  const blocks = [...more, ...(end < 0 ? [] : reader.inner(inner.slice(end)))];
  return { head: head?.name === 'p' ? head.children : [rawText(head ?? '')], blocks };
}

/** Lines with numbers of several levels, as lists of contents have them, stay apart. */
export const numberedLines: Rule = (reader) => {
  if (!/^\s*\d/.test(reader.line())) return undefined;
  const block = reader.block();
  const numbered = block.filter((line) => /^\s*(?:\d{1,2}\.)*\d{1,2}\.?\s+\S/.test(line));
  const isList = block.length >= 3 && numbered.length >= 0.7 * block.length;
  if (!isList || !block.some((line) => compound.test(line))) return undefined;
  return reader.paragraphs(reader.takeWhile((line) => line !== ''));
};

/** An option or a key with its explanation beside it: `-o  Writes to a file.` That of a key hangs below itself. */
export const option: Rule = (reader) => {
  const line = reader.line();
  const key = /^(\s*)((?![\d.]+ )\S{1,16}) {2,}(?=\p{Lu})((?:\S+ {1,2})+\S+)$/u.exec(line);
  const hangs = key !== null && indentOf(reader.line(1)) === line.length - (key[3] ?? '').length;
  const [, margin, term, text] =
    /^(\s*)(-{1,2}\S*(?:,? \S+)*)\s{2,}(\S.*)$/.exec(line) ?? (hangs ? key : []);
  if (margin === undefined || term === undefined || text === undefined) return undefined;
  reader.skip();
  if (/^\(?\w{1,2}[.)]$/.test(term))
    return reader.paragraphs([line, ...reader.takeWhile((row) => indentOf(row) > margin.length)]);
  const column = ' '.repeat(line.length - text.length);
  const rows = [column + text, ...reader.takeIndented(margin.length + 1)];
  // What stands below an empty line may be indented less than the words beside the name.
  const end = rows.includes('') ? rows.indexOf('') : rows.length;
  const content = [rows.slice(0, end), rows.slice(end)].flatMap((part) => reader.inner(part));
  return [makeElement('dt', [term]), makeElement('dd', content)];
};

/** A short line above an indented text that explains it. */
export const definition: Rule = (reader) => {
  const line = reader.line();
  if (!isTerm(reader)) return undefined;
  const term = reader.paragraph([line], 'dt');
  reader.skip();
  const rows = reader.takeIndented(indentOf(line) + 2);
  while (longRule.test(rows.at(-1) ?? '')) rows.pop();
  return [term, makeElement('dd', reader.inner(rows))];
};

/** In characters: a longer line is a sentence. */
const longestTerm = 80;

/** True for a line that names what is indented below it. */
export function isTerm(reader: LineReader): boolean {
  const line = reader.line();
  const isDirect = reader.line(1) !== '';
  const next = reader.nextText;
  const below = reader.line(next);
  const left = indentOf(line);
  if (next > 2 || indentOf(below) < left + 2 || line.length > longestTerm) return false;
  const words = line.trim();
  if (/^(?:\d+[.)/]|\d+\s|#\s)|[{([=]$/.test(words) || bullet.test(line)) return false;
  if (bullet.test(below) && isDirect && /[:.]$/.test(words)) return false;
  if (/:$/.test(words) && /^\p{Ll}|(?:\S+\s+){4}/u.test(words)) return false;
  if (isDirect) {
    // The word below would have fitted into a line that goes on.
    const [word = ''] = below.trim().split(' ');
    return line.length + 1 + word.length < Math.min(70, reader.width) && !/[,;]$|::$/.test(words);
  }
  if (/[.,;:!?]$/.test(words)) return false;
  const rows: string[] = [];
  for (let at = next; indentOf(reader.line(at)) >= left + 2; at++) rows.push(reader.line(at));
  return isProse(rows, false) || isSpoken(rows);
}

/** A listing between two lines of signs, as in Markdown. */
export const fenced: Rule = (reader) => {
  const [, signs = ''] = /^\s*(`{3,}|~{3,})\w*$/.exec(reader.line()) ?? [];
  if (signs === '') return undefined;
  let end = 1;
  while (end < longestListing && reader.line(end).trim() !== signs) end++;
  if (end === longestListing) return undefined;
  reader.skip();
  const rows = reader.takeWhile((_, at) => at < end - 1);
  reader.skip();
  return [listing(rows)];
};

/** A drawing or table of signs keeps its lines. */
export const grid: Rule = (reader) => {
  const isRow = (line: string) =>
    /^\s*[+|].*[+|]\s*$/.test(line) || /^\s*(?:=+\s+)+=+\s*$/.test(line);
  if (!isRow(reader.line()) || reader.line(1) === '') return undefined;
  return [listing(reader.takeWhile((line) => line !== ''))];
};

/** Lines of code and data, with the empty ones between them. */
export const typed: Rule = (reader) => {
  const left = indentOf(reader.line());
  const block = reader.block();
  // What stands to the left of the first line is something else, and so is what is below a rule.
  const isOther = (line: string) => indentOf(line) < left || longRule.test(line);
  const end = block.findIndex(isOther);
  const isOne = (rows: readonly string[]) =>
    !isLedIn(rows) && !isExplained(rows) && (isTyped(rows) || isDrawn(rows));
  if (!isOne(end < 0 ? block : block.slice(0, end))) return undefined;
  const rows = reader.takeWhile((line) => line !== '' && !isOther(line));
  if (reader.line() !== '') return [listing(rows)];
  while (!reader.isAtEnd && rows.length < longestListing) {
    const offset = reader.nextText;
    const next = reader.block(offset);
    const step = indentOf(next[0] ?? '') - indentOf(rows[0] ?? '');
    // The first line of a paragraph may be a bit indented.
    const isInner = step > 0 && !isProse(next, false) && !(step < 4 && isSpoken(next));
    const isTitle = underline.test(next[1] ?? '') && /^\S.*\p{L}/u.test(next[0] ?? '');
    if (!(openBraces(rows) > 0 || isOne(next) || isInner) || isTitle || next.length === 0) break;
    reader.skip(offset);
    rows.push(
      ...Array.from({ length: offset }, () => ''),
      ...reader.takeWhile((line) => line !== ''),
    );
  }
  return [listing(rows)];
};

/** True for one word. */
const isTermLine = (line: string) => /^\s*\S+$/.test(line);

/** What is indented below "::" is a listing, and so is what is no sentence and no list below ":". */
export const announced: Rule = (reader) => {
  const { textAbove } = reader;
  const step = indentOf(reader.line()) - indentOf(textAbove);
  const isList = bullet.test(reader.line()) || number.test(reader.line());
  if (/::$/.test(textAbove) && step > 0)
    return [listing(reader.takeListing(indentOf(textAbove) + 1))];
  if (!/:$/.test(textAbove) || step < 2 || isList || reader.line(-1) !== '') return undefined;
  const rows = reader.block();
  // A word that ends with a colon is a term, which sentences explain.
  if (isTermLine(textAbove) && isProse(rows, false)) return undefined;
  if (
    isExplained(rows) ||
    isProse(rows, true) ||
    (rows.length > 2 && countFull(rows) > 0.5 * rows.length)
  )
    return undefined;
  return [listing(reader.takeListing(indentOf(textAbove) + 2))];
};

/** An indented passage: a listing where it looks like one, else a quotation. */
export const indented: Rule = (reader) => {
  if (indentOf(reader.line()) < 4) return undefined;
  if (isFirstOfParagraph(reader)) return reader.paragraphs(reader.takeParagraph());
  const rows = reader.takeIndented(4);
  const [only = ''] = rows;
  const last = reader.out.at(-1);
  const hasColon = last !== undefined && /:$/.test(lineOf(last)) && !isTermLine(lineOf(last));
  const isList = bullet.test(only) || number.test(only);
  const isWords = isProse(rows, hasColon && !isList) || (!hasColon && isSpoken(rows));
  if (isLedIn(rows) || isWords) return [makeElement('blockquote', reader.inner(rows))];
  return [listing(rows)];
};

/** True for a full line of words whose paragraph goes on to the left of it. */
function isFirstOfParagraph(reader: LineReader): boolean {
  const [line, next] = [reader.line(), reader.line(1)];
  const isFull =
    line.length > 0.8 * Math.min(70, reader.width) && !endsEarly(line, next, reader.width);
  const isLeft = indentOf(next) >= 0 && indentOf(next) < indentOf(line);
  return isFull && isLeft && /^\s*["“'(]?\p{Lu}\S* \S/u.test(line) && /^\s*\p{L}/u.test(next);
}

/** A paragraph; lines within it that are surely typed are listings. */
export const mixed: Rule = (reader) => {
  const isAnnounced = reader.line(-1) === '' && /[:：]$/.test(reader.textAbove);
  const rows = reader.takeParagraph();
  if (rows.length > 2 && isContentsTitle(rows[0] ?? '')) return [];
  return reader.paragraphs(rows, isAnnounced && !/:$/.test(rows.at(-1) ?? ''));
};

/** True where a line within a paragraph begins a list or is the title of an underline. */
export function beginsOther(reader: LineReader): boolean {
  const line = reader.line();
  if (bullet.test(line) && !/^\s*[–o-]\s/.test(line)) return true;
  if (
    /^\s*-\s+\S/.test(line) &&
    (/^\s*-\s+\S/.test(reader.line(1)) || endsEarly(reader.line(-1), line, reader.width))
  )
    return true;
  if (stepsIn(reader.line(-1), line)) return true;
  // `name - What it is`, below what hangs below the one before.
  const isBack = indentOf(reader.line(-1)) >= indentOf(line) + 2;
  const isName = /^\s*\S{1,20} --? \p{L}/u.test(line);
  if ((isBack && isName) || [underline, speaker, longRule].some((each) => each.test(line)))
    return true;
  const { length } = reader.line(1);
  return underline.test(reader.line(1)) && length >= 0.7 * line.length && length <= line.length + 6;
}
