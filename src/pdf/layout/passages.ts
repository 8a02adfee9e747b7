import { captionsFrom } from './level-captions.js';
import { greatest, least, type Span } from './page.js';

/** Fewer lines than this on one side of a gap form a label or a cell, not a column. */
const minLines = 3;
/** In font sizes: lines that are farther apart are in different passages. */
const widestLeading = 2.2;
/** In font sizes: the narrowest column of prose. */
const minWidth = 12;
/** In font sizes: the narrowest space between columns. */
const minGutter = 0.8;

/** Lines side by side, with the free strip between them. */
interface Passage {
  rows: Span[][];
  left: number;
  right: number;
}

/** The spans on each baseline, from the top and from the left. */
export function rowsOf(spans: readonly Span[]): Span[][] {
  const rows: Span[][] = [];
  for (const span of [...spans].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (first !== undefined && span.y - first.y < 0.35 * Math.min(span.size, first.size))
      row?.push(span);
    else rows.push([span]);
  }
  for (const row of rows) row.sort((a, b) => a.x - b.x);
  return rows;
}

/** The widest free strip between the spans of a row. */
function stripIn(row: readonly Span[]): { left: number; right: number } | undefined {
  let best: { left: number; right: number } | undefined;
  let end = -Infinity;
  for (const span of row) {
    const isWider = best === undefined || span.x - end > best.right - best.left;
    if (end > -Infinity && isWider) best = { left: end, right: span.x };
    end = Math.max(end, span.right);
  }
  return best;
}

/** Narrows the passage's strip to where the row is free too; false when the row crosses it. */
function take(passage: Passage, row: Span[], size: number): boolean {
  const middle = (passage.left + passage.right) / 2;
  let { left, right } = passage;
  for (const span of row) {
    if (span.table !== undefined) return false;
    if ((span.x + span.right) / 2 < middle) left = Math.max(left, span.right);
    else right = Math.min(right, span.x);
  }
  if (right - left < minGutter * size) return false;
  passage.rows.push(row);
  passage.left = left;
  passage.right = right;
  return true;
}

/** True for lines of running text: most of them fill the width of their column. */
function isProse(rows: readonly Span[][], size: number): boolean {
  const lines = rows.filter((row) => row.length > 0);
  if (lines.length < minLines) return false;
  const starts = lines.map((row) => least(row, (span) => span.x));
  const ends = lines.map((row) => greatest(row, (span) => span.right));
  const left = least(starts, Number);
  const width = greatest(ends, Number) - left;
  const full = lines.filter(
    (row, at) => row.length === 1 && (ends[at] ?? 0) - (starts[at] ?? 0) > 0.8 * width,
  );
  return width > minWidth * size && full.length >= 0.4 * lines.length;
}

/** True for notes in the margin, which are in smaller type than the text beside them. */
function isMarginal(notes: readonly Span[], size: number): boolean {
  return notes.length > 0 && notes.every((span) => span.size < 0.9 * size);
}

/** True for lines at one edge of which many stand beside no line of the text: they are no cells of its rows. */
function isNote(notes: readonly Span[][], text: readonly Span[][]): boolean {
  const lines = notes.filter((row) => row.length > 0);
  const left = least(lines.flat(), (span) => span.x);
  const alone = notes.filter((row, at) => row.length > 0 && text[at]?.length === 0);
  const isAligned = lines.every((row) => row.length === 1 && (row[0]?.x ?? 0) < left + 1);
  const isListing = lines.every((row) => row[0]?.runs[0]?.mono === true);
  return isAligned && !isListing && lines.length >= minLines && alone.length >= 0.4 * lines.length;
}

/** How often the content stream changes from one side to the other. */
export function countCrossings(left: readonly Span[], right: readonly Span[]): number {
  const sides = [
    ...left.map(({ sequence }) => ({ sequence, side: 0 })),
    ...right.map(({ sequence }) => ({ sequence, side: 1 })),
  ].sort((a, b) => a.sequence - b.sequence);
  return sides.filter(({ side }, at) => at > 0 && side !== sides[at - 1]?.side).length;
}

/**
 * Splits a region at passages of prose in two columns, however short: the text above, the left column, the right column,
 * the text below.
 */
export function splitPassages(spans: Span[], size: number): Span[][] {
  const rows = rowsOf(spans);
  const parts: Span[][] = [];
  let plain: Span[] = [];
  for (let at = 0; at < rows.length;) {
    const level = captionsFrom(rows, at);
    if (level !== undefined) {
      if (plain.length > 0) parts.push(plain);
      plain = [];
      parts.push(...level.captions);
      at += level.count;
      continue;
    }
    const passage = passageFrom(rows, at, size);
    const sides = passage === undefined ? undefined : columnsOf(passage, size);
    if (passage === undefined || sides === undefined) {
      for (const span of rows[at] ?? []) plain.push(span);
      at++;
      continue;
    }
    const [text, beside] = sides;
    // The text beside notes in the margin goes on with what is above them.
    if (isMarginal(beside, size)) for (const span of text) plain.push(span);
    if (plain.length > 0) parts.push(plain);
    plain = [];
    parts.push(...(isMarginal(beside, size) ? [beside] : sides));
    at += passage.rows.length;
  }
  if (plain.length > 0) parts.push(plain);
  return parts.length === 1 ? [spans] : parts;
}

function passageFrom(rows: readonly Span[][], start: number, size: number): Passage | undefined {
  const first = rows[start] ?? [];
  const strip = stripIn(first);
  if (strip === undefined || strip.right - strip.left < minGutter * size) return undefined;
  const passage: Passage = { rows: [], ...strip };
  for (let at = start; at < rows.length; at++) {
    const row = rows[at] ?? [];
    const gap = (row[0]?.y ?? 0) - (rows[at - 1]?.[0]?.y ?? 0);
    if (at > start && gap > widestLeading * size) break;
    if (!take(passage, row, size)) break;
  }
  return passage;
}

function columnsOf({ rows, left, right }: Passage, size: number): [Span[], Span[]] | undefined {
  const middle = (left + right) / 2;
  const before = rows.map((row) => row.filter((span) => span.x < middle));
  const after = rows.map((row) => row.filter((span) => span.x >= middle));
  const sides: [Span[], Span[]] = [before.flat(), after.flat()];
  const [text, beside] = sides;
  const crossings = countCrossings(text, beside);
  // Columns are written one after the other, a note in the margin within its text, and a table row by row.
  if (isMarginal(beside, size)) {
    const isApart = isProse(before, size) ? crossings <= 0.5 * text.length : isNote(after, before);
    return isApart ? sides : undefined;
  }
  if (!isProse(before, size)) return undefined;
  const most = Math.max(1, 0.2 * Math.min(text.length, beside.length));
  return isProse(after, size) && crossings <= most ? sides : undefined;
}
