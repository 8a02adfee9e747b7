import { bandsBetween, findOverfull } from './bands.js';
import { findGutter, findStrips, type Gutter } from './gutters.js';
import { greatest, least, type Span } from './page.js';
import { countCrossings, splitPassages } from './passages.js';

/** The deepest nesting of columns: three columns are a gutter within one side of a gutter. */
const maxDepth = 4;
/** In font sizes: parts of one line are this close to it, and a running head is farther from the text. */
const level = 0.35;
const apart = 2;
/** In font sizes: the least width of its lines. */
const broad = 8;
/** Fewer lines than this on one side of a gap form a label or a cell, not a column. */
const minColumnLines = 4;

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * True when text left and right of a strip forms columns rather than table cells. Producers write columns one after the
 * other but tables row by row, so a table's stream crosses the strip at every row.
 */
function separatesColumns(left: readonly Span[], right: readonly Span[], size: number): boolean {
  if (left.length < minColumnLines || right.length < minColumnLines) return false;
  const crossings = countCrossings(left, right);
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

function sidesOf(spans: readonly Span[], { left, right }: Gutter): [Span[], Span[]] {
  const middle = (left + right) / 2;
  return [
    spans.filter((span) => span.right <= middle + 1),
    spans.filter((span) => span.x >= middle - 1),
  ];
}

/** True where most of the text is long enough for lines of prose. */
function isBroad(spans: readonly Span[], size: number): boolean {
  return spans.filter(({ x, right }) => right - x > broad * size).length > 0.5 * spans.length;
}

/** The strip between columns, however their lines end. */
function findFreeStrip(spans: readonly Span[], size: number): Gutter | undefined {
  const strips = findStrips(spans, size);
  const found = strips.find((strip) => separatesColumns(...sidesOf(spans, strip), size));
  if (found !== undefined || strips.length === 0) return found;
  // The parts of a running head are no lines of columns.
  const text = withoutEdges(spans, size);
  return strips.find((strip) => {
    const sides = sidesOf(text, strip);
    return sides.every((side) => isBroad(side, size)) && separatesColumns(...sides, size);
  });
}

/** Without a running head and foot, whose parts at both edges are no lines of columns. */
function withoutEdges(spans: readonly Span[], size: number): readonly Span[] {
  const [top, bottom] = [least(spans, (span) => span.y), greatest(spans, (span) => span.y)];
  const isApart = (edge: number) =>
    spans.every(({ y }) => Math.abs(y - edge) < level * size || Math.abs(y - edge) > apart * size);
  const [hasHead, hasFoot] = [isApart(top), isApart(bottom)];
  return spans.filter(
    ({ y }) => !(hasHead && y < top + level * size) && !(hasFoot && y > bottom - level * size),
  );
}

/** Splits a page's spans into regions in reading order: columns, and text that spans them. */
export function orderRegions(spans: Span[], depth = 0): Span[][] {
  if (spans.length < 2 * minColumnLines || depth >= maxDepth) return [spans];
  const size = median(spans.map((span) => span.size));
  const gutter = findGutter(spans, size) ?? findFreeStrip(spans, size);
  if (gutter === undefined) return splitPassages(spans, size);
  const middle = (gutter.left + gutter.right) / 2;
  const overfull = findOverfull(spans, gutter);
  return bandsBetween(spans, gutter, overfull, size).flatMap((band) => {
    const isLeft = (span: Span) => span.right <= middle + 1 || overfull.has(span);
    const left = band.spans.filter(isLeft);
    const right = band.spans.filter((span) => !isLeft(span));
    const isWhole = band.isWide || left.length === 0 || right.length === 0;
    const parts = isWhole ? [band.spans] : [left, right];
    return parts.flatMap((part) => orderRegions(part, depth + 1));
  });
}
