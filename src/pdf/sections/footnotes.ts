import { greatest, type Line, type PageLines } from '../layout/page.js';
import { isCaptionText } from '../../sections/labels.js';
import type { BodyStyle } from './body-style.js';

/** A number that is not the beginning of another one: 3 words, not 3.9.4 or 4500, and no sum such as 3 – 2. */
const startsNote = /^(\d{1,3}(?![\d.,:]*\d)|[*†‡§¶]+)\s*[^\s–—−=+’”]/;
const sign = /^[*†‡§¶]+/;
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** A number in raised figures of the font's own, of which ToUnicode may call some plain: "1⁴In", "⁷The". */
const raisedNumber = new RegExp(String.raw`^\d{0,2} ?[${raised}]{1,3}(?=["“„«]?\p{L})`, 'u');
const startsNextNote = /^(?:(\d{1,3})|[*†‡§¶]+)(?:\s*["“„«]?\p{L}|$)/u;
const sentenceEnd = /[.!?…。！？]["'”’»)\]]*$/;

/** More lines of a column are no notes. */
const mostNoteLines = 20;

/** A page whose footnotes are apart from its other lines. */
export interface NotedPage {
  lines: Line[];
  notes: Line[][];
}

/** True for a line that goes on with the full last line of a footnote, on the page or in the column before. */
function goesOn(last: Line | undefined, line: Line, right: number): boolean {
  if (last === undefined || sentenceEnd.test(last.text)) return false;
  return Math.abs(last.size - line.size) < 0.05 * line.size && last.right > right - 3 * last.size;
}

/** The number of the last lines that are footnotes: in smaller type, and the first one begins with a mark or goes on. */
function countNoteLines(
  lines: readonly Line[],
  height: number,
  body: BodyStyle,
  open: OpenNote | undefined,
): number {
  let count = 0;
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at];
    if (
      line === undefined ||
      line.table !== undefined ||
      line.size > 0.92 * body.size ||
      line.y < 0.5 * height ||
      line.mono
    )
      break;
    count++;
  }
  const notes = lines.slice(lines.length - count);
  const [first] = notes;
  const signs = notes.flatMap(({ text }) => sign.exec(text)?.[0] ?? []);
  // Items of a list have the same sign.
  const isList = new Set(signs).size < signs.length;
  if (first === undefined || isList) return countBelowRule(lines, height);
  return startsNote.test(first.text) || goesOn(open?.last, first, open?.right ?? 0) ? count : 0;
}

/** The number of the last lines that are footnotes in the type of the text: a short rule stands above them. */
function countBelowRule(lines: readonly Line[], height: number): number {
  const at = lines.findLastIndex((line) => line.belowRule === true);
  const [first, ...others] = at < 0 ? [] : lines.slice(at);
  if (first === undefined || first.y < 0.5 * height || !startsNote.test(first.text)) return 0;
  const isNote = (line: Line) =>
    line.region === first.region && !line.mono && line.table === undefined;
  return others.every(isNote) && others.length < mostNoteLines ? lines.length - at : 0;
}

/**
 * The number of the last lines that are a note without a mark, as below the title of a paper: in smaller type or below a
 * short rule, and the text goes on behind it in the middle of a sentence.
 */
function countUnmarked(
  lines: readonly Line[],
  height: number,
  body: BodyStyle,
  next: Line | undefined,
): number {
  const last = lines.at(-1);
  if (last === undefined || next === undefined) return 0;
  if (!sentenceEnd.test(last.text) || !/^\p{Ll}/u.test(next.text)) return 0;
  const isNote = (line: Line) => line.y > 0.5 * height && !line.mono && line.table === undefined;
  const isSmall = (line: Line) => line.size < 0.92 * body.size;
  const ruled = lines.findLastIndex((line) => line.belowRule === true);
  const from = ruled < 0 ? lines.findLastIndex((line) => !isSmall(line)) + 1 : ruled;
  const notes = lines.slice(from);
  const [first] = notes;
  const above = lines[from - 1];
  if (first === undefined || above === undefined || notes.length > mostNoteLines) return 0;
  if (Math.abs(above.size - body.size) > 0.05 * body.size) return 0;
  // A rule alone may part anything, unless a sentence is cut there.
  const edge = greatest(lines, ({ right }) => right);
  const isCut = !sentenceEnd.test(above.text) && above.right > edge - above.size;
  if (ruled >= 0 && !isCut) return 0;
  return notes.every(isNote) && !isCaptionText(first.text) && !isSmall(next) ? notes.length : 0;
}

/** The last line of the footnotes so far, and their right edge. */
interface OpenNote {
  last: Line;
  right: number;
}

function openNote(lines: readonly Line[]): OpenNote | undefined {
  const last = lines.at(-1);
  return last === undefined ? undefined : { last, right: greatest(lines, (line) => line.right) };
}

/** Separates the footnotes at the foot of a page, and of each column, from its other lines. */
function takeNotes(
  page: PageLines,
  nextPage: PageLines | undefined,
  body: BodyStyle,
  before: OpenNote | undefined,
) {
  const { height } = page;
  const end = page.lines.length - countNoteLines(page.lines, height, body, before);
  const above = page.lines.slice(0, end);
  const lines: Line[] = [];
  const notes: Line[] = [];
  let open = before;
  for (let from = 0; from < above.length;) {
    const next = above.findIndex((line, at) => at > from && line.region !== above[from]?.region);
    const column = above.slice(from, next < 0 ? above.length : next);
    // The text goes on at the top of the next column.
    const isLowest = next < 0 || (above[next]?.y ?? 0) < (column.at(-1)?.y ?? 0);
    const following = next < 0 ? nextPage?.lines[0] : above[next];
    const count =
      countNoteLines(column, height, body, open) || countUnmarked(column, height, body, following);
    const text = column.length - (isLowest ? count : 0);
    for (const line of column.slice(0, text)) lines.push(line);
    for (const line of column.slice(text)) notes.push(line);
    open = openNote(column.slice(text)) ?? open;
    from += column.length;
  }
  return { lines, notes: [...notes, ...page.lines.slice(end)] };
}

/** Splits the footnote lines at the end of a page into single footnotes, whose numbers ascend. */
function splitNotes(lines: readonly Line[]): Line[][] {
  const notes: Line[][] = [];
  let last = -1;
  for (const line of lines) {
    const start = startsNextNote.exec(line.text);
    const number = start?.[1] === undefined ? undefined : Number(start[1]);
    const isNext = start !== null && (number === undefined || number > last);
    if (notes.length === 0 || isNext) notes.push([]);
    if (isNext) last = number ?? last;
    notes.at(-1)?.push(line);
  }
  return notes;
}

function flattenNumber(line: Line): void {
  const flatten = (text: string) =>
    text.replace(raisedNumber, (number) =>
      number.replace(/\D/g, (figure) => (figure === ' ' ? '' : `${raised.indexOf(figure)}`)),
    );
  line.text = flatten(line.text);
  const [first] = line.segments;
  if (first !== undefined) first.text = flatten(first.text);
}

/** Separates the footnotes of all pages from their other lines. One that goes over the page belongs to where it begins. */
export function separateNotes(pages: readonly PageLines[], body: BodyStyle): NotedPage[] {
  const noted: NotedPage[] = [];
  let open: OpenNote | undefined;
  for (const [at, page] of pages.entries()) {
    for (const line of page.lines) {
      if (line.y > 0.5 * page.height && raisedNumber.test(line.text)) flattenNumber(line);
    }
    const { lines, notes: found } = takeNotes(page, pages[at + 1], body, open);
    const notes = splitNotes(found);
    const [first] = found;
    const before = noted.at(-1)?.notes.at(-1);
    const goesOnBelow = open !== undefined && !sentenceEnd.test(open.last.text);
    if (
      first !== undefined &&
      before !== undefined &&
      goesOnBelow &&
      !startsNote.test(first.text)
    ) {
      for (const line of notes.shift() ?? []) before.push(line);
    }
    open = openNote(found);
    noted.push({ lines, notes });
  }
  return noted;
}

/** A footnote's number behind a word: close to its end, or a space behind it where no sentence goes on. */
function markOf(number: string): RegExp {
  const figures = number.replace(/\d/g, (figure) => `[${figure}${raised[Number(figure)] ?? ''}]`);
  const word = String.raw`(?<=\p{L}{3}[.,;:!?)”"»’“]+)`;
  const marks = [
    String.raw`${word}${figures}(?=\s|$)`,
    String.raw`${word} ${figures}(?=$|\s\p{Lu})`,
  ];
  // ToUnicode may call raised figures up to three plain.
  const own = number.replace(/[04-9]/g, (figure) => raised[Number(figure)] ?? '');
  if (own !== number) {
    marks.push(String.raw`(?<=\p{L}{3}[.,;:!?)”"»’“]*) ?${own}(?=[\s.,;:)]|$)`);
  }
  return new RegExp(`(?=[ \\d${raised}])(?:${marks.join('|')})`, 'u');
}

/**
 * Writes a page's footnote marks as `[^2]` when its font has raised figures of its own: otherwise only the footnote
 * distinguishes them from other numbers, as in "in normal mode.2" and, behind a space, "in normal mode. 2".
 */
export function markNotes(lines: readonly Line[], notes: readonly Line[][]): void {
  for (const [first] of notes) {
    const number = /^\d{1,3}/.exec(first?.text ?? '')?.[0];
    if (number === undefined || lines.some((line) => line.text.includes(`[^${number}]`))) continue;
    const mark = markOf(number);
    const [line, another] = lines.filter((each) => !each.mono && mark.test(each.text));
    if (line !== undefined && another === undefined) {
      line.text = line.text.replace(mark, `[^${number}]`);
    }
  }
}

/** A footnote in Markdown: `[^2]: See the manual.` */
export function writeNote(text: string): string {
  return text
    .replace(/^(?:(\d{1,3})(?![\d.,:]*\d)|((?:\\?[*†‡§¶])+))\s*(?=\S)/u, '[^$1$2]: ')
    .replaceAll('\u00ad', '');
}
