import type { Line, PageLines } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';

/** A number that is not the beginning of another one: 3 words, not 3.9.4 or 4500, and no sum such as 3 – 2. */
const startsNote = /^(\d{1,3}(?![\d.,:]*\d)|[*†‡§]+)\s*[^\s–—−=+’”]/;
const sign = /^[*†‡§]+/;
const startsNextNote = /^(\d{1,3}|[*†‡§])\s*\p{L}/u;

/** The number of the last lines that are footnotes: in smaller type, and the first one begins with a mark. */
function countNoteLines(lines: readonly Line[], height: number, body: BodyStyle): number {
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
  const signs = notes.flatMap(({ text }) => sign.exec(text)?.[0] ?? []);
  // Items of a list have the same sign.
  const isList = new Set(signs).size < signs.length;
  return !isList && startsNote.test(notes[0]?.text ?? '') ? count : 0;
}

/** Separates the footnotes at the foot of a page, and of each column, from its other lines. */
export function takeNotes(page: PageLines, body: BodyStyle): { lines: Line[]; notes: Line[] } {
  const { height } = page;
  const last = page.lines.length - countNoteLines(page.lines, height, body);
  const above = page.lines.slice(0, last);
  const lines: Line[] = [];
  const notes: Line[] = [];
  for (let from = 0; from < above.length;) {
    const next = above.findIndex((line, at) => at > from && line.region !== above[from]?.region);
    const column = above.slice(from, next < 0 ? above.length : next);
    // The text goes on at the top of the next column.
    const isLowest = next >= 0 && (above[next]?.y ?? 0) < (column.at(-1)?.y ?? 0);
    const count = isLowest ? countNoteLines(column, height, body) : 0;
    for (const [at, line] of column.entries()) {
      (at < column.length - count ? lines : notes).push(line);
    }
    from += column.length;
  }
  return { lines, notes: [...notes, ...page.lines.slice(last)] };
}

/** Splits the footnote lines at the end of a page into single footnotes. */
export function splitNotes(lines: readonly Line[]): Line[][] {
  const notes: Line[][] = [];
  for (const line of lines) {
    if (notes.length === 0 || startsNextNote.test(line.text)) notes.push([]);
    notes.at(-1)?.push(line);
  }
  return notes;
}

/**
 * Writes a page's footnote marks as `[^2]` when its font has raised figures of its own: otherwise only the footnote
 * distinguishes them from other numbers, as in "in normal mode.2".
 */
export function markNotes(lines: readonly Line[], notes: readonly Line[][]): void {
  for (const [first] of notes) {
    const number = /^\d{1,3}/.exec(first?.text ?? '')?.[0];
    if (number === undefined || lines.some((line) => line.text.includes(`[^${number}]`))) continue;
    const mark = new RegExp(`(\\p{L}{3}[.,;:!?)”"»’“]+)${number}(?=\\s|$)`, 'u');
    const [line, another] = lines.filter((each) => !each.mono && mark.test(each.text));
    if (line !== undefined && another === undefined) {
      line.text = line.text.replace(mark, `$1[^${number}]`);
    }
  }
}

/** A footnote in Markdown: `[^2]: See the manual.` */
export function writeNote(text: string): string {
  return text.replace(/^(\d{1,3})(?![\d.,:]*\d)\s*(?=\S)/, '[^$1]: ').replaceAll('\u00ad', '');
}
