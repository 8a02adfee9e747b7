/**
 * Which line breaks of a plain text are those of its author, and which only keep its lines from being too long: behind
 * the latter, the first word of the next line would not have fitted, or nearly not.
 */

import { isFigure, sureLine } from './typed-lines.js';

/** In characters: the width of a text that does not tell its own. */
const usualWidth = 72;
/** The part of the width that people leave empty who break lines by hand. */
const raggedness = 0.2;
/** In characters: no text is wrapped at more. */
const widest = 132;
/** In characters: a longer line is a paragraph. */
const longestLine = 500;
const within = /\S \S+ ?.*[\p{L},]$/u;
const sentenceEnd = /[.:;!?…][)"”»’'\]]*$/;
/** A line of its own that begins with what it is about: "Note: …". */
const label = /^\s*\p{Lu}[\w -]{0,20}: \S/u;
/** A number of several levels, as in lists of contents. */
const level = /^\s*(?:\d{1,2}|[A-Z])(?:\.\d{1,2})+\.?\s/;
const numbered = /^\s*(?:\d{1,2}|[A-Z])(?:\.\d{1,2})+\.?\s+\p{Lu}/u;
/** `name = value`, or what was typed at a prompt. */
const setting = /^\s*(?:\$ \S.*|[\w.-]+ ?[:+]?= ?(?:\S+|[\"'].*[\"']|\S+(?: \S+){1,3}[^\s.,;:]))$/;
/** What was typed at a prompt, or what a command printed, as some texts mark it. */
const prompted = /^\s*(?:# (?:\/|[a-z][\w.-]+ (?:[-/"'<|]|[^.]*[|>]))|>{2,} \S)/;
/** A name or a number, and a sign before its explanation: `int8 - signed`, `01: stop`. */
const beside = /^\s*(?:\S{1,20} +|\d+(?=:))(--?|[-=]>|[~=:]) +\S/;
const codeSign = /[{}<>=;$|\\]/;

/** The width at which a text is wrapped: that of lines which end within a sentence. Endless where paragraphs are lines. */
export function widthOf(lines: readonly string[]): number {
  const long = lines.filter((line) => line.length > widest).length;
  if (long >= 3 && long >= 0.2 * lines.filter((line) => line.length > 40).length) return Infinity;
  const wrapped = lines.flatMap((line, at) => {
    const next = lines[at + 1] ?? '';
    if (line.length > widest || !within.test(line) || codeSign.test(line)) return [];
    return /^\s*\p{Ll}{2}/u.test(next) ? [line.length] : [];
  });
  wrapped.sort((a, b) => a - b);
  return wrapped[Math.ceil(0.9 * wrapped.length) - 1] ?? usualWidth;
}

/** The rows of a paragraph, together where a line break is not its author's. */
function partAtBreaks(rows: readonly string[], width: number): string[][] {
  const own = rows.slice(0, -1).reduce((most, row) => Math.max(most, row.length), 0);
  const isNarrow = rows.length >= 4 && own >= 0.6 * width && own < width;
  const side = isNarrow ? own : width;
  // In a narrow paragraph, the end of a sentence is no full line.
  const ends = (row: string, next: string) => sentenceEnd.test(row) && !/^\s*\p{Ll}/u.test(next);
  const joins = (empty: number) => (row: string, at: number) =>
    isJoined(row, rows[at + 1] ?? '', ends(row, rows[at + 1] ?? '') ? width : side, empty);
  const above = rows.slice(0, -1);
  // Among sentences, a break within one says nothing. Among other lines, those that are not full are whole.
  const isProse = above.filter(joins(raggedness)).length >= 0.6 * above.length;
  const joined = above.map((row, at) => {
    const isWithin = isProse && !sentenceEnd.test(row) && !isOwn(row, rows[at + 1] ?? '');
    return isWithin || joins(isProse ? raggedness : 0)(row, at);
  });
  const parts: string[][] = [];
  for (const [at, row] of rows.entries()) {
    if (joined[at - 1] === true) parts.at(-1)?.push(row);
    else parts.push([row]);
  }
  return parts;
}

/** True for a line below which something of its own begins, however long it is. */
function isOwn(row: string, next: string): boolean {
  const isToken = (line: string) => /^\s*\S+$/.test(line);
  if (/\\$|\S {2,}(?:#|\/\/) /.test(row) || (isToken(row) && isToken(next))) return true;
  // A long word below what announces it tells nothing about the width.
  if (/[:：]$/.test(row) && /^\s*[^\s/@]{20}/.test(next)) return true;
  if (level.test(row) && level.test(next)) return true;
  if (areAlike(row, next)) return true;
  if (prompted.test(row) || prompted.test(next)) return true;
  if (sureLine.test(row) && (sureLine.test(next) || leftOf([next]) > leftOf([row]))) return true;
  if (isFigure(row) || isFigure(next)) return true;
  if (
    /[{[(]$/.test(row) ||
    /^\s*[{}\])][;,]?$/.test(next) ||
    (/[:：]$/.test(row) && /^\s*\D/.test(next) && sureLine.test(next))
  )
    return true;
  if (sentenceEnd.test(row) && label.test(next)) return true;
  return numbered.test(next) || setting.test(next);
}

/** True for names with the same sign before their explanations. */
function areAlike(row: string, next: string): boolean {
  const sign = beside.exec(row)?.[1];
  return sign !== undefined && sign === beside.exec(next)?.[1];
}

/** True where the next word would not have fitted, or the sentence goes on. `empty`: the part of the width that may be. */
function isJoined(row: string, next: string, width: number, empty: number): boolean {
  if (row.length > Math.max(widest, 1.3 * width) || isOwn(row, next)) return false;
  const [word = ''] = next.trim().split(' ', 1);
  if (row.length + 1 + word.length > (1 - empty) * width) return true;
  const goesOn = /^\s*[\p{Ll}(]/u.test(next) && !codeSign.test(row + next);
  return row.length > 0.5 * width && !sentenceEnd.test(row) && goesOn;
}

/** True for a line below which the next one begins something of its own. */
export function endsEarly(row: string, next: string, width: number): boolean {
  return !isJoined(row, next, width, raggedness);
}

/** What a line of its own is: a sentence or a label, words that may also be data, words in lower case, or data. */
type LineKind = 'sentence' | 'words' | 'unsure' | 'data';

/** The rows of a paragraph: lines of words, which may stand as paragraphs, and data between them, whose rows stay as they are. */
export function partWords(
  rows: readonly string[],
  width: number,
  isAnnounced = false,
): { rows: string[]; isData: boolean }[] {
  const parts = partAtBreaks(rows, width);
  const kinds = parts.map(kindOf);
  const count = (kind: LineKind) => kinds.filter((one) => one === kind).length;
  const isMostlyData = count('data') > 0 && count('data') + count('unsure') >= count('words');
  const areUnsure =
    isAnnounced || isMostlyData || count('unsure') > count('words') + count('sentence');
  const isData = kinds.map(
    (kind) =>
      kind === 'data' || (isMostlyData && kind === 'words') || (areUnsure && kind === 'unsure'),
  );
  // Rows of one look are one.
  const isAlike = (at: number) => areAlike(parts[at - 1]?.[0] ?? '', parts[at]?.[0] ?? '');
  for (let at = 1; at < parts.length; at++) isData[at] ||= isData[at - 1] === true && isAlike(at);
  for (let at = parts.length - 1; at > 0; at--)
    isData[at - 1] ||= isData[at] === true && isAlike(at);
  const [first, last] = [isData.indexOf(true), isData.lastIndexOf(true)];
  const found: { rows: string[]; isData: boolean }[] = [];
  let left = Infinity;
  for (const [at, part] of parts.entries()) {
    // What stands between data without an empty line is a part of it, but for a sentence that is not below a row of it.
    const isBetween = at > first && at < last;
    const isBelow = leftOf(part) > left;
    const isOne = isData[at] === true || (isBetween && (isBelow || !isSpoken(part)));
    const above = found.at(-1);
    const goesOn = isOne && above?.isData === true;
    left = Math.min(goesOn ? left : Infinity, leftOf(part));
    if (goesOn) above.rows.push(...part);
    else
      found.push({
        rows: part,
        isData: isOne && (parts.length > 1 || isAnnounced || isCommand(part)),
      });
  }
  return found;
}

function leftOf(rows: readonly string[]): number {
  return rows.reduce((left, row) => Math.min(left, row.search(/\S/)), Infinity);
}

/** True for a whole sentence. */
export function isSpoken(rows: readonly string[]): boolean {
  const text = rows.map((row) => row.trim()).join(' ');
  const words = text.split(/\s+/).length;
  const plain = countPlain(text) / words;
  const isLong = words >= 4 && (rows.length > 1 || /^["“'(]?\p{Lu}/u.test(text));
  const isWhole = (isLong && plain >= 0.6) || (words >= 3 && plain > 0.8);
  return isWhole && /[^.][.:!?][)"”]?$/.test(text) && !/\S {3,}\S|[{}\\|]/.test(text);
}

function countPlain(text: string): number {
  return text.match(/(?<=^|[\s"'(])\p{L}+(?=[\s"').,:;!?]|$)/gu)?.length ?? 0;
}

/** The share of rows that are data. */
export function dataShare(rows: readonly string[], width: number): number {
  const filled = rows.filter((row) => /[\p{L}\p{N}]/u.test(row));
  const data = partWords(filled, width).filter(({ isData }) => isData);
  return data.reduce((sum, { rows: own }) => sum + own.length, 0) / filled.length;
}

/** True for a line that is code by itself. */
function isCommand([first = '']: readonly string[]): boolean {
  const isSentence = /^\s*\p{Lu}\p{Ll}+ \p{Ll}/u.test(first);
  const typed =
    /^\s*(?:(?:[#$%]|>{1,3}) \S|sudo |\.\/\S|(?:apt|apt-get|yum|dnf|git) [a-z])|\S && \S/;
  const hasSign = first.length < 80 && codeSign.test(withoutAddresses(first));
  return (typed.test(first) && !/\p{L}[.!?]$/u.test(first)) || (hasSign && !isSentence);
}

function withoutAddresses(line: string): string {
  return line.replaceAll(
    /<?\s?\b(?:(?:[a-z]+:\/\/|www\.)[^\s>]+|[\w.+-]+@[\w.-]+\.\w+)>?/g,
    ' Address',
  );
}

function kindOf(rows: readonly string[]): LineKind {
  const line = rows.map((row) => row.trim()).join(' ');
  if (
    /^(?:[$%]|>{1,3}) \S/.test(line) ||
    (rows.length === 1 && (sureLine.test(line) || isFigure(line))) ||
    (rows.length === 1 && /\\$|\S {2,}(?:#|\/\/) /.test(rows[0] ?? ''))
  )
    return 'data';
  const words = line.split(/\s+/).length;
  const isLong = rows.length > 1 || line.length > longestLine;
  if (isLong || isSpoken(rows) || (sentenceEnd.test(line) && words >= 5)) return 'sentence';
  if (/^\p{Lu}[\p{L} ]+ ?:$/u.test(line)) return 'sentence';
  const text = withoutAddresses(line).trim();
  if (!/^[\p{L}\p{N}"“'(*•-]/u.test(text) || !/\p{L}{2}/u.test(text)) return 'data';
  if (words === 1 && !/[{};=]|^[$.]/.test(text))
    return /^\p{Lu}[^/_(]*$/u.test(text) ? 'words' : 'unsure';
  if (words >= 8 && countPlain(text) >= 0.7 * words && !/\||\S {3,}\S/.test(text))
    return 'sentence';
  if (/[{}<>=;$|\\]|\S {3,}\S/.test(text)) return 'data';
  return words >= 6 || /^(?:[-*•]\s+\S|["“'(]?[\p{Lu}\p{N}])/u.test(line) ? 'words' : 'unsure';
}
