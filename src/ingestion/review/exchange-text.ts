import { titleSeparator } from '../../platform/text/heading.js';
import { headingMark, type TitledText } from './draft-texts.js';

/** A text that another one takes the place of. */
export interface Exchange {
  /** Any number of lines, as they are written in the drafts, with the signs of Markdown. */
  find: string;
  /** Nothing takes the text out. */
  replacement: string;
  /** Only where it is a whole line, or a whole part of a title. */
  wholeLines: boolean;
}

/** Stands in place of what was found: Unicode has no such character. */
const found = '\uFFFF';
/** Emphasis, code or a link around nothing else. */
const emptied =
  /(\*{1,3}|_{1,3}|~~|`{1,3})[ \t]*\uFFFF[ \t]*\1|(?<!!)\[[ \t]*\uFFFF[ \t]*\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/gu;
/** How deep marks are nested, at most, such as a link in bold. */
const deepest = 4;
/** Nothing, the mark of a heading, an item or a quotation without its text, or a row without words. */
const emptyLine = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])(?:\s+\[[ xX]\])?|#{1,6}|\|[\s|]*)?$/;
const fence = /^[\s>]*(?:```|~~~)/;
const row = /^[\s>]*\|/;
/** The line below the head of a table. */
const rule = /^[\s>]*\|(?=[^-]*-)[-:|\s]*$/;

/** A draft's title and text with another text in every place of `find`. What becomes empty by it goes as a whole. */
export function replaceInTexts({ title, content }: TitledText, exchange: Exchange): TitledText {
  const parts = marked(title, exchange).split(titleSeparator);
  const exchanged = parts.map((part) => exchangeLine(part, exchange) ?? '');
  return {
    title: title.includes(exchange.find)
      ? exchanged.filter((part) => part.trim() !== '').join(titleSeparator)
      : title,
    content: content.includes(exchange.find) ? exchangeLines(content, exchange) : content,
  };
}

function marked(text: string, { find }: Exchange): string {
  return text.replaceAll(found, '').replaceAll(find, found);
}

/** Whether an exchange leaves nothing of a text but its headings. */
export function isEmptied(before: TitledText, after: TitledText): boolean {
  return hasText(before) && !hasText(after);
}

function hasText({ content }: TitledText): boolean {
  return content.split('\n').some((line) => line.trim() !== '' && !headingMark.test(line));
}

/** A line of which nothing is left goes as a whole, and so does one of the empty lines around it. */
function exchangeLines(content: string, exchange: Exchange): string {
  const lines = marked(content, exchange).split('\n');
  const kept: string[] = [];
  let isGone = false;
  let isCode = false;
  let emptyHead = -1;
  for (const [index, line] of [...lines, ''].entries()) {
    // A table goes when neither its head nor a row below it has words left.
    if (emptyHead >= 0 && emptyHead === kept.length - 2 && !row.test(line)) {
      kept.length = emptyHead;
      isGone = true;
    }
    if (index === lines.length) break;
    if (fence.test(line)) isCode = !isCode;
    const left = exchangeLine(line, exchange, isCode);
    const isHead = left === undefined && row.test(line) && rule.test(lines[index + 1] ?? '');
    if (isHead) emptyHead = kept.push(line.replaceAll(/[^|>\s]/g, '')) - 1;
    else if (left === undefined) isGone = true;
    else if (left.trim() !== '' || !isGone || (kept.at(-1) ?? '').trim() !== '') {
      kept.push(left);
      isGone = false;
    }
  }
  return kept.join('\n');
}

/** A line with the new text in each place that was found; undefined when nothing is left of it. */
function exchangeLine(line: string, exchange: Exchange, isCode = false): string | undefined {
  if (!line.includes(found)) return line;
  const { find, replacement, wholeLines } = exchange;
  const bare = isCode ? line : withoutEmptied(line);
  const isEmpty = emptyLine.test(bare.replaceAll(found, '').trimEnd());
  if (wholeLines && !isEmpty) return line.replaceAll(found, () => find);
  if (replacement.trim() !== '') return line.replaceAll(found, () => replacement);
  if (isEmpty) return undefined;
  const closed = isCode || replacement !== '' ? bare : closeUp(bare);
  return closed.replaceAll(found, () => replacement);
}

function withoutEmptied(line: string): string {
  let bare = line;
  for (let depth = 0; depth < deepest; depth += 1) bare = bare.replaceAll(emptied, found);
  return bare;
}

/** Takes one of the blanks away that stood on both sides of what is taken out. */
function closeUp(line: string): string {
  return line
    .replace(/^([ \t]*\uFFFF)[ \t]+/u, '$1')
    .replaceAll(/(?<=\S)[ \t]+(?=\uFFFF(?:[ \t)\]]|$))/gu, '');
}
