import { greatest, least, type Span } from './page.js';
import { splitPassages } from './passages.js';

/** The deepest nesting of columns: three columns are a gutter within one side of a gutter. */
const maxDepth = 4;
/** Fewer lines than this on one side of a gap form a label or a cell, not a column. */
const minColumnLines = 4;

/** The resolution of the search for gutters, in points. */
const step = 0.5;

/** In font sizes: the distance of lines of one column. */
const widestLeading = 2.2;

interface Gutter {
  left: number;
  right: number;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The most frequent value, to the nearest point. */
function usual(values: readonly number[]): number {
  const times = new Map<number, number>();
  let best = NaN;
  for (const value of values) {
    const place = Math.round(value);
    times.set(place, (times.get(place) ?? 0) + 1);
    if ((times.get(place) ?? 0) > (times.get(best) ?? 0)) best = place;
  }
  return best;
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
function findStrips(spans: readonly Span[], size: number): Gutter[] {
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

/**
 * True when text left and right of a strip forms columns rather than table cells. Producers write columns one after the
 * other but tables row by row, so a table's stream crosses the strip at every row.
 */
function separatesColumns(left: Span[], right: Span[], size: number): boolean {
  if (left.length < minColumnLines || right.length < minColumnLines) return false;
  const sides = [
    ...left.map((span) => ({ sequence: span.sequence, side: 0 })),
    ...right.map((span) => ({ sequence: span.sequence, side: 1 })),
  ].sort((a, b) => a.sequence - b.sequence);
  let crossings = 0;
  for (let i = 1; i < sides.length; i++) if (sides[i]?.side !== sides[i - 1]?.side) crossings++;
  const rows = Math.min(left.length, right.length);
  if (crossings <= Math.max(1, 0.2 * rows)) return true;
  // If a page's stream has no sensible order, columns of prose still fill their width line after line.
  if (crossings < 0.5 * rows || rows < 10) return false;
  return [left, right].every((side) => {
    const from = least(side, (span) => span.x);
    const width = greatest(side, (span) => span.right) - from;
    const full = side.filter((span) => span.right - span.x > 0.75 * width).length;
    return width > 12 * size && full > 0.6 * side.length;
  });
}

/** True for a span over a gutter's middle, and for one in a box over it. */
function crosses({ x, right, frame }: Span, middle: number): boolean {
  const [from, to] = [Math.min(x, frame?.left ?? x), Math.max(right, frame?.right ?? right)];
  return from < middle - 1 && to > middle + 1;
}

/** In font sizes: the indentation of a paragraph's first line, or of a listing. */
const widestIndent = 2.5;
/** In font sizes: how far text reaches above its baseline, and below it. */
const rise = 0.7;
const fall = 0.2;
/** Of the width of its column: how far a line may be too long. */
const mostOverfull = 0.4;

const isLevel = (a: Span, b: Span) =>
  a.y - rise * a.size < b.y + fall * b.size && b.y - rise * b.size < a.y + fall * a.size;

/**
 * The lines that cross a gutter and yet belong to its left column: they are too long for it. Text of the other column
 * stands beside them, or lines of their own column directly above and below.
 */
function findOverfull(spans: readonly Span[], { left, right }: Gutter): Set<Span> {
  const middle = (left + right) / 2;
  const found = new Set<Span>();
  const crossing = spans.filter((span) => span.frame === undefined && crosses(span, middle));
  if (crossing.length === 0) return found;
  const own = spans.filter((span) => span.right <= middle + 1);
  const others = spans.filter((span) => span.x > middle - 1);
  const edge = usual(own.map((span) => span.x));
  const isIn = ({ x, size }: Span) => x > edge - 0.5 * size && x < edge + widestIndent * size;
  const longest = left + mostOverfull * (left - edge);
  for (const span of crossing) {
    if (span.table !== undefined || span.right > longest || !isIn(span)) continue;
    const near = own.filter(
      (other) => isIn(other) && Math.abs(other.y - span.y) < widestLeading * span.size,
    );
    const above = near.some((other) => other.y < span.y);
    const below = near.some((other) => other.y > span.y);
    const isBeside = (above || below) && others.some((other) => isLevel(span, other));
    if (isBeside || (above && below)) found.add(span);
  }
  return found;
}

function bandsBetween(
  spans: readonly Span[],
  gutter: Gutter,
  overfull: ReadonlySet<Span>,
): Span[][] {
  const middle = (gutter.left + gutter.right) / 2;
  const bands: Span[][] = [];
  let wide: boolean | undefined;
  for (const span of [...spans].sort((a, b) => a.y - b.y)) {
    const isWide = crosses(span, middle) && !overfull.has(span);
    if (isWide !== wide) {
      bands.push([]);
      wide = isWide;
    }
    bands.at(-1)?.push(span);
  }
  return bands;
}

/** Splits a page's spans into regions in reading order: columns, and text that spans them. */
export function orderRegions(spans: Span[], depth = 0): Span[][] {
  if (spans.length < 2 * minColumnLines || depth >= maxDepth) return [spans];
  const size = median(spans.map((span) => span.size));
  for (const gutter of findStrips(spans, size)) {
    const middle = (gutter.left + gutter.right) / 2;
    const left = spans.filter((span) => span.right <= middle + 1);
    const right = spans.filter((span) => span.x >= middle - 1);
    if (!separatesColumns(left, right, size)) continue;
    const overfull = findOverfull(spans, gutter);
    return bandsBetween(spans, gutter, overfull).flatMap((band) => {
      const isLeft = (span: Span) => span.right <= middle + 1 || overfull.has(span);
      const leftOf = band.filter(isLeft);
      const rightOf = band.filter((span) => !isLeft(span) && span.x >= middle - 1);
      const isWhole = leftOf.length === 0 || rightOf.length === 0;
      if (isWhole || band.every((span) => crosses(span, middle) && !overfull.has(span))) {
        return orderRegions(band, depth + 1);
      }
      return [...orderRegions(leftOf, depth + 1), ...orderRegions(rightOf, depth + 1)];
    });
  }
  return splitPassages(spans, size);
}
