import { greatest, least, type Span } from './page.js';
import { rowsOf } from './passages.js';

/** The resolution of the search for gutters, in points. */
const step = 0.5;

export interface Gutter {
  left: number;
  right: number;
}

/** The values that occur most often, to the nearest point, the most frequent first. */
export function usual(values: readonly number[], most = 1): number[] {
  const times = new Map<number, number>();
  for (const value of values) {
    times.set(Math.round(value), (times.get(Math.round(value)) ?? 0) + 1);
  }
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([value]) => value);
}

/** The number of spans over each step of `step` points, from the region's left edge. */
function countCoverage(spans: readonly Span[], left: number, steps: number): Int32Array {
  const counts = new Int32Array(steps + 1);
  for (const span of spans) {
    const from = Math.floor((span.x - left) / step);
    const to = Math.min(steps, Math.ceil((span.right - left) / step));
    counts[from] = (counts[from] ?? 0) + 1;
    counts[to] = (counts[to] ?? 0) - 1;
  }
  for (let at = 1; at <= steps; at++) counts[at] = (counts[at] ?? 0) + (counts[at - 1] ?? 0);
  return counts;
}

/** The stretches of steps in [from, to) whose coverage is at most `limit`. */
function runsBelow(counts: Int32Array, from: number, to: number, limit: number): Gutter[] {
  const runs: Gutter[] = [];
  let start = -1;
  for (let at = from; at <= to; at++) {
    const free = at < to && (counts[at] ?? 0) <= limit;
    if (free && start < 0) start = at;
    if (!free && start >= 0) {
      runs.push({ left: start, right: at });
      start = -1;
    }
  }
  return runs;
}

function widest(gutters: readonly Gutter[]): Gutter | undefined {
  return [...gutters].sort((a, b) => b.right - b.left - (a.right - a.left))[0];
}

/** A page number or a centred title may stand in the gutter. */
const mostInGutter = 2;

/** The widest part of a strip that the fewest spans cross, or a few more where that part is too narrow. */
function narrow(counts: Int32Array, run: Gutter, size: number): Gutter | undefined {
  const least = counts.subarray(run.left, run.right).reduce((a, b) => Math.min(a, b), Infinity);
  for (let limit = least; limit <= least + mostInGutter; limit++) {
    const strip = widest(runsBelow(counts, run.left, run.right, limit));
    if (strip !== undefined && (strip.right - strip.left) * step >= 0.8 * size) return strip;
  }
  return undefined;
}

/** Candidate gutters, widest first: strips that hardly any span crosses. */
export function findStrips(spans: readonly Span[], size: number): Gutter[] {
  const left = least(spans, (span) => span.x);
  const right = greatest(spans, (span) => span.right);
  const steps = Math.ceil((right - left) / step);
  if (steps * step < 40) return [];
  const counts = countCoverage(spans, left, steps);
  return runsBelow(counts, 0, steps, Math.floor(spans.length * 0.12))
    .filter((run) => run.left > 0 && run.right < steps)
    .flatMap((run) => narrow(counts, run, size) ?? [])
    .sort((a, b) => b.right - b.left - (a.right - a.left))
    .map((run) => ({ left: left + run.left * step, right: left + run.right * step }));
}

/** In font sizes: the widest space between words, the width of a gutter, the least one of a column. */
const wordSpace = 0.9;
const narrowest = 0.6;
const mostGutter = 4;
const leastColumn = 12;
/** In font sizes: the indentation of a paragraph's first line, or of a listing. */
export const widestIndent = 2.5;
/** In font sizes: shorter pieces, such as the signs of a formula, are no lines of a column. */
const leastPiece = 6;
/** Of all pieces: where fewer are long, the short ones may hide the columns. */
const mostLong = 0.9;
/** And fewer of them than this end within the gutter. */
const mostInside = 0.05;
/** In points: the edges of justified lines are at most this far from each other. */
const ragged = 1.5;
/** So many lines fill their column exactly. Beside a column of text, there may be hardly more than captions. */
const leastFull = { both: 3, one: 8 };
/** Of the wider column: columns of a page differ by at most this much. */
const mostDifferent = 0.15;

interface Piece {
  x: number;
  right: number;
}

/** The stretches of text in a row, between wide gaps. */
export function piecesOf(row: readonly Span[], size: number): Piece[] {
  const pieces: Piece[] = [];
  for (const { x, right } of row) {
    const last = pieces.at(-1);
    if (last !== undefined && x - last.right < wordSpace * size) {
      last.right = Math.max(last.right, right);
    } else pieces.push({ x, right });
  }
  return pieces;
}

/**
 * The gutter between two columns of the same width whose lines are justified: many lines end at its left edge, and many
 * begin at its right one. What else is on the page does not matter, such as a table or a title over both columns.
 * Undefined without such columns.
 */
export function findGutter(spans: readonly Span[], size: number): Gutter | undefined {
  const width = greatest(spans, (span) => span.right) - least(spans, (span) => span.x);
  if (width < (2 * leastColumn + narrowest) * size) return undefined;
  const prose = spans.filter(({ table, runs: [run] }) => table === undefined && run?.mono !== true);
  const pieces = rowsOf(prose).flatMap((row) => piecesOf(row, size));
  const found = gutterOf(pieces, size);
  if (found !== undefined) return found;
  const long = pieces.filter(({ x, right }) => right - x > leastPiece * size);
  const gutter = long.length < mostLong * pieces.length ? gutterOf(long, size) : undefined;
  if (gutter === undefined) return undefined;
  const isIn = ({ right }: Piece) => right > gutter.left + ragged && right < gutter.right;
  return pieces.filter(isIn).length < mostInside * pieces.length ? gutter : undefined;
}

function gutterOf(pieces: readonly Piece[], size: number): Gutter | undefined {
  const countFull = (from: number, to: number) =>
    pieces.filter(
      ({ x, right }) =>
        Math.abs(right - to) < ragged && x > from - ragged && x < from + widestIndent * size,
    ).length;
  const starts = pieces.map(({ x }) => x);
  // Lines that are indented begin farther to the right.
  for (const edge of usual(starts, 8).sort((a, b) => a - b)) {
    const before = pieces.filter(({ right }) => right < edge - narrowest * size);
    const [start = 0] = usual(before.map(({ x }) => x));
    const isFirst = ({ x }: Piece) => x < start + widestIndent * size;
    const [left = 0] = usual(before.filter(isFirst).map(({ right }) => right));
    const own = left - start;
    if (edge - left > mostGutter * size || own < leastColumn * size) continue;
    const behind = pieces.filter(({ x }) => x > edge - ragged);
    const [end = 0] = usual(behind.map(({ right }) => right));
    const other = end - edge;
    if (other < leastColumn * size) continue;
    if (Math.abs(own - other) > mostDifferent * Math.max(own, other)) continue;
    const full = [countFull(start, left), countFull(edge, end)];
    if (Math.min(...full) >= leastFull.both && Math.max(...full) >= leastFull.one) {
      return { left, right: edge };
    }
  }
  return undefined;
}
