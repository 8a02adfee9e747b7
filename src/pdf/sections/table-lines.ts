import type { Line } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';
import { markerOf, opensReference } from './lists.js';
import { type Column, overlaps, withLine } from './table-columns.js';

function belongs(line: Line, previous: Line, columns: readonly Column[], body: BodyStyle): boolean {
  const gap = line.y - previous.y;
  return (
    line.page === previous.page &&
    line.region === previous.region &&
    gap < 3 * body.leading * Math.max(line.size, previous.size) &&
    !isItem(line, columns)
  );
}

/** True when a line begins a list item or a reference. A mark alone in its cell may be a table's content. */
function isItem(line: Line, columns: readonly Column[]): boolean {
  if (opensReference(line)) return true;
  const marker = markerOf(line);
  if (marker === '') return false;
  const [first, second] = line.segments;
  if (second === undefined || columns.length < 2) return true;
  const aligned = columns.some((column) => Math.abs(column.x - second.x) < 1);
  if (aligned && Math.abs((columns[0]?.x ?? 0) - (first?.x ?? 0)) <= 1) return false;
  const isCentred = [first, second].every(
    (cell, at) => cell !== undefined && Math.abs(centreOf(cell) - centreOf(columns[at])) < 2,
  );
  return !isCentred || first?.text.trim() !== marker;
}

function centreOf(part: { x: number; right: number } | undefined): number {
  return part === undefined ? NaN : (part.x + part.right) / 2;
}

/** Decides whether a single cell below the others' left edges continues the table or is a paragraph after it. */
function isContinuation(
  line: Line,
  previous: Line,
  columns: readonly Column[],
  body: BodyStyle,
): boolean {
  const hits = columns.filter((each) => overlaps(each, line));
  const [column] = hits;
  // Half a line below the previous one, it can only be a cell centred in its row.
  const gap = line.y - previous.y;
  if (gap > 0 && gap < 0.8 * line.size && line.right - line.x < 0.7 * widthOf(columns)) return true;
  const near = line.y - previous.y < 1.5 * body.leading * line.size;
  if (column === undefined || !near) return false;
  return Math.abs(column.x - line.x) < line.size || line.right <= column.right + line.size;
}

function widthOf(columns: readonly Column[]): number {
  return (columns.at(-1)?.right ?? 0) - (columns[0]?.x ?? 0);
}

/** True for the line after a table's last row that is a paragraph which happens to begin at its first column. */
function isBelowTable(
  line: Line,
  previous: Line | undefined,
  [first]: readonly Column[],
  body: BodyStyle,
): boolean {
  if (first === undefined || previous === undefined || line.x <= first.x) return true;
  const isApart = line.y - previous.y > 1.25 * body.leading * line.size;
  const isWider = line.right > first.right + line.size;
  return line.x - first.x < 0.5 * line.size && (isApart || isWider);
}

function columnsOf(rows: readonly Line[], known: readonly Column[]): readonly Column[] | undefined {
  let columns: readonly Column[] | undefined = known;
  for (const line of rows) {
    columns = columns === undefined ? undefined : withLine(columns, line, line.size);
  }
  return columns;
}

/**
 * The lines from `start` whose parts fall into the same columns, and these columns. `collected` counts the lines before
 * those at the end were told from the table.
 * @param known the columns of the table that goes on here
 */
export function collectTable(
  lines: readonly Line[],
  start: number,
  end: number,
  body: BodyStyle,
  barrier: ReadonlySet<Line>,
  known: readonly Column[] = [],
) {
  const rows: Line[] = [];
  let columns: readonly Column[] = known;
  for (let at = start; at < end; at++) {
    const line = lines[at];
    const previous = rows.at(-1);
    if (line === undefined || line.table !== undefined || barrier.has(line)) break;
    if (previous !== undefined && !belongs(line, previous, columns, body)) break;
    if (
      line.segments.length === 1 &&
      previous !== undefined &&
      !isContinuation(line, previous, columns, body)
    )
      break;
    const widened = withLine(columns, line, line.size);
    if (widened === undefined) break;
    columns = widened;
    rows.push(line);
  }
  for (let last = rows.at(-1); last?.segments.length === 1; last = rows.at(-1)) {
    if (last.x !== columns[0]?.x && !last.mono) break;
    rows.pop();
  }
  const collected = rows.length;
  for (let last = rows.at(-1); last?.segments.length === 1; last = rows.at(-1)) {
    const others = columnsOf(rows.slice(0, -1), known) ?? columns;
    if (!isBelowTable(last, rows.at(-2), others, body)) break;
    rows.pop();
    columns = others;
  }
  return { rows, columns, collected };
}
