import type { Line, Segment } from '../layout/page.js';

export interface Column {
  x: number;
  right: number;
}

const maxColumns = 12;

export function overlaps(column: Column, segment: Column): boolean {
  return segment.x < column.right && segment.right > column.x;
}

/** The column of a cell that extends over several: the one in which it begins, or ends if numbers are aligned right. */
export function columnOf(columns: readonly Column[], cell: Segment): number {
  let best = -1;
  let distance = Infinity;
  for (const [index, column] of columns.entries()) {
    if (!overlaps(column, cell)) continue;
    const off = Math.min(Math.abs(column.x - cell.x), Math.abs(column.right - cell.right));
    if (off < distance) [best, distance] = [index, off];
  }
  return best;
}

/** The line in one cell, where it fills a known column from edge to edge: wide spaces in a justified line part no cells. */
function asJustified(line: Line, columns: readonly Column[]): readonly Segment[] {
  const { x, right, text, segments } = line;
  const isFilled = columns.some(
    (column) => Math.abs(column.x - x) < 1 && Math.abs(column.right - right) < 1,
  );
  const isOfWords = segments.every((segment) => /\p{L}{2}/u.test(segment.text));
  return isFilled && isOfWords ? [{ text, x, right }] : segments;
}

/**
 * The columns with one more line; undefined when its cells do not fall into different columns.
 * @param size a cell that is too long for its column may extend into the next one if it begins within half of this from
 * its own
 */
export function withLine(
  columns: readonly Column[],
  line: Line,
  size: number,
): Column[] | undefined {
  const next = columns.map((column) => ({ ...column }));
  const used = new Set<Column>();
  const placed = asJustified(line, columns).map((segment) => {
    const hits = next.filter((column) => overlaps(column, segment));
    return { segment, hits };
  });
  for (const { segment, hits } of placed) {
    let [hit] = hits;
    if (hits.length > 1) {
      hit = hits.find((column) => Math.abs(column.x - segment.x) < 0.5 * size);
      const others = hits.filter((column) => column !== hit);
      const taken = placed.some(
        (other) =>
          other.segment !== segment && other.hits.some((column) => others.includes(column)),
      );
      if (hit === undefined || taken || used.has(hit)) return undefined;
      used.add(hit);
    } else if (hit === undefined) {
      const fresh = { x: segment.x, right: segment.right };
      next.push(fresh);
      used.add(fresh);
    } else {
      if (used.has(hit)) return undefined;
      used.add(hit);
      hit.x = Math.min(hit.x, segment.x);
      hit.right = Math.max(hit.right, segment.right);
    }
  }
  next.sort((a, b) => a.x - b.x);
  const apart = next.every(
    (column, index) => index === 0 || column.x >= (next[index - 1]?.right ?? 0),
  );
  return apart && next.length <= maxColumns ? next : undefined;
}

/** In lines, above and below: where the other rows of a table are. */
const reach = 8;
/** Parts of formulas, and what is parted from a word by a sign: their gaps are no cells. */
const formula = /[\u2200-\u22ff\u2320-\u23cf\u0370-\u03ff]|(?<![:=])=/;
const closing = /^[,;.:)\]}]/;
/** In characters: a longer line is no row, and comparing it with its neighbours would take too long. */
const longestRow = 400;
/** So many other rows prove that a cell begins or ends at a place. */
const leastRows = 2;

/**
 * Parts segments at gaps of less than an em where cells of other rows begin or end at the same place.
 * @param lines of one page; their segments are changed
 */
export function partCells(lines: readonly Line[]): void {
  for (const [at, line] of lines.entries()) {
    if (line.segments.every(({ gaps }) => gaps === undefined) || line.mono) continue;
    if (line.text.length > longestRow || formula.test(line.text)) continue;
    const others = lines
      .slice(Math.max(0, at - reach), at + reach + 1)
      .filter((other) => other !== line && other.region === line.region && !other.mono)
      .filter(({ text }) => text.length <= longestRow);
    const count = (test: (segments: readonly Segment[]) => boolean) =>
      others.filter(({ segments }) => segments.length > 1 && test(segments)).length;
    const begins = (x: number) =>
      count((segments) => segments.slice(1).some((cell) => Math.abs(cell.x - x) < 1));
    const ends = (x: number) =>
      count((segments) => segments.slice(0, -1).some((cell) => Math.abs(cell.right - x) < 1));
    line.segments = line.segments.flatMap((segment) => {
      const isProven = ({ index, from, to }: { index: number; from: number; to: number }) =>
        !closing.test(segment.text.slice(index).trimStart()) &&
        (begins(to) >= leastRows || ends(from) >= leastRows);
      const proven = (segment.gaps ?? []).filter(isProven);
      return proven.length === 0 ? segment : partAt(segment, proven);
    });
  }
}

function partAt({ text, x, right }: Segment, gaps: NonNullable<Segment['gaps']>): Segment[] {
  const starts = [{ index: 0, to: x }, ...gaps];
  return starts.map(({ index, to }, at) => {
    const next = gaps[at];
    return { text: text.slice(index, next?.index).trim(), x: to, right: next?.from ?? right };
  });
}
