import type { Line, Segment } from '../layout/page.js';
import { columnOf, type Column } from './table-columns.js';

/** The vertical alignment of a row's cells: on one first line, or centred. */
type Alignment = 'top' | 'centre';

const maxRowLines = 40;

/** The costs of reading lines as rows. The cheapest reading wins. */
const costs = {
  /** A row without a cell in a column. */
  missing: 1,
  /** An additional cost when the first cell is missing: the line usually belongs to the row above. */
  missingFirst: 0.6,
  /** Each further line of a cell. */
  wrapped: 0.45,
  /** Each further line of a cell in the first column, where a row usually begins. */
  wrappedFirst: 0.8,
  /** A cell continues although its next word would have fitted on the previous line. */
  early: 1.2,
  /** Each line height by which a row's cells are misaligned. */
  misplaced: 4,
  /** A cell that says the same as its line above, as in the next row. */
  same: 2,
  /** A gap inside a row as wide as the gaps between rows. */
  gap: 2.5,
  /** Bold and other lines in one row: probably a heading and its content. */
  restyled: 1.5,
  /** A row directly below the one above it, where other rows have a gap above: it is the second line of its key. */
  unspaced: 3,
};

interface Placed {
  line: Line;
  cells: { column: number; segment: Segment }[];
}

interface Stack {
  top: number;
  bottom: number;
  last: Segment;
}

/** The distance of lines within a cell: the smallest between two lines of one column. */
function leadingOf(lines: readonly Placed[]): number {
  const last = new Map<number, number>();
  let least = Infinity;
  for (const { line, cells } of lines) {
    for (const { column } of cells) {
      const gap = line.y - (last.get(column) ?? -Infinity);
      if (gap > 0.7 * line.size) least = Math.min(least, gap);
      last.set(column, line.y);
    }
  }
  return Number.isFinite(least) ? least : (lines[0]?.line.size ?? 10) * 1.2;
}

const hasKey = ({ cells }: Placed) => cells.some(({ column }) => column === 0);

/** True for the second line of a key, or for what stands below one: near the line above, where rows are farther apart. */
function isUnspaced(lines: readonly Placed[], at: number, leading: number): boolean {
  const isBelow = (upper: Placed | undefined, lower: Placed | undefined) =>
    upper !== undefined && lower !== undefined && lower.line.y - upper.line.y < 1.1 * leading;
  const [before, above, placed] = [-2, -1, 0].map((shift) => lines[at + shift]);
  if (above === undefined || placed === undefined || !isBelow(above, placed)) return false;
  if (!hasKey(above) || !hasKey(placed)) return true;
  // Lines that all have a key are rows, however near they are.
  if (before !== undefined && hasKey(before) && isBelow(before, above)) return false;
  return !/[:：]$/.test(above.cells[0]?.segment.text.trim() ?? '');
}

/** True where each row that follows lines without a key has more space above it than there is within cells. */
function areSpaced(lines: readonly Placed[], leading: number): boolean {
  const gaps = lines.flatMap((placed, at) => {
    const above = lines[at - 1];
    const begins = above !== undefined && hasKey(placed) && !hasKey(above);
    return begins ? [placed.line.y - above.line.y] : [];
  });
  return gaps.length > 0 && gaps.every((gap) => gap > 1.2 * leading);
}

/** True when the next word would have fitted after the cell's last line: the cell then ends there. */
function endedEarly(before: Segment, after: Segment, column: Column): boolean {
  const word = /^\S+/.exec(after.text)?.[0].length ?? 0;
  const letter = (after.right - after.x) / Math.max(1, after.text.length);
  return before.right + (word + 1.5) * letter < column.right;
}

/** Reads the lines from `from` as one row, line by line, and returns the cost of each possible length. */
function rowCosts(
  lines: readonly Placed[],
  from: number,
  columns: readonly Column[],
  leading: number,
  alignment: Alignment,
  tell: (end: number, cost: number) => void,
): void {
  const stacks: (Stack | undefined)[] = columns.map(() => undefined);
  let going = 0;
  const first = lines[from];
  for (let at = from; at < Math.min(lines.length, from + maxRowLines); at++) {
    const placed = lines[at];
    if (placed === undefined || first === undefined) return;
    const { line, cells } = placed;
    if (line.bold !== first.line.bold) going += costs.restyled;
    for (const { column, segment } of cells) {
      const stack = stacks[column];
      if (stack === undefined) {
        stacks[column] = { top: line.y, bottom: line.y, last: segment };
        continue;
      }
      const width = columns[column];
      // A broken word or identifier continues in the next line, in any column.
      if (!/(?:\p{L}[-\u00ad\u2010]|[A-Z\d]_)$/u.test(stack.last.text))
        going += column === 0 ? costs.wrappedFirst : costs.wrapped;
      if (line.y - stack.bottom > 1.25 * leading) going += costs.gap;
      if (stack.last.text === segment.text && /[\p{L}\p{N}]/u.test(segment.text))
        going += costs.same;
      if (width !== undefined && endedEarly(stack.last, segment, width)) going += costs.early;
      stack.bottom = line.y;
      stack.last = segment;
    }
    // Costs only grow with the row, so stop far beyond the cost of any good reading.
    if (going > 60) return;
    let cost = going;
    const filled = stacks.filter((stack) => stack !== undefined);
    cost += (columns.length - filled.length) * costs.missing;
    if (stacks[0] === undefined) cost += costs.missingFirst;
    const place = ({ top, bottom }: Stack) => (alignment === 'top' ? top : (top + bottom) / 2);
    const [one] = filled;
    if (one !== undefined) {
      let low = place(one);
      let high = low;
      for (const stack of filled) {
        low = Math.min(low, place(stack));
        high = Math.max(high, place(stack));
      }
      cost += (costs.misplaced * Math.max(0, high - low - 0.15 * leading)) / leading;
    }
    tell(at + 1, cost);
  }
}

function readRows(
  lines: readonly Placed[],
  columns: readonly Column[],
  leading: number,
  alignment: Alignment,
): { cost: number; rows: Line[][] } {
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }];
  const spaced = columns.length === 2 && areSpaced(lines, leading);
  for (let from = 0; from < lines.length; from++) {
    const isNear = spaced && isUnspaced(lines, from, leading);
    const before = (best[from]?.cost ?? Infinity) + (isNear ? costs.unspaced : 0);
    rowCosts(lines, from, columns, leading, alignment, (end, cost) => {
      const known = best[end];
      if (known === undefined || before + cost < known.cost)
        best[end] = { cost: before + cost, from };
    });
  }
  const rows: Line[][] = [];
  for (let end = lines.length; end > 0;) {
    const from = best[end]?.from ?? 0;
    rows.unshift(lines.slice(from, end).map(({ line }) => line));
    end = from;
  }
  return { cost: best[lines.length]?.cost ?? Infinity, rows };
}

/** Groups the lines of a table into rows. Cells may wrap, be centred beside each other, or be empty. */
export function groupRows(lines: readonly Line[], columns: readonly Column[]): Line[][] {
  const placed = lines.map((line) => ({
    line,
    cells: line.segments.flatMap((segment) => {
      const column = columnOf(columns, segment);
      return column < 0 ? [] : [{ column, segment }];
    }),
  }));
  const leading = leadingOf(placed);
  const top = readRows(placed, columns, leading, 'top');
  const centre = readRows(placed, columns, leading, 'centre');
  return centre.cost < top.cost ? centre.rows : top.rows;
}
