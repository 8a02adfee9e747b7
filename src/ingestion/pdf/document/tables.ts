import type { Line, Segment } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';
import { joinLines, type Vocabulary } from './hyphenation.js';
import { markerOf } from './lists.js';
import { renderTable } from './render-table.js';
import { groupRows, type Column } from './table-rows.js';

export interface FoundTable {
  text: string;
  /** How many lines it takes up. */
  count: number;
}

const minRows = 3;
const maxColumns = 12;

function overlaps(column: Column, segment: Column): boolean {
  return segment.x < column.right && segment.right > column.x;
}

/** The columns widened by one more line, or nothing when its cells do not fall into different columns. */
function withLine(columns: readonly Column[], line: Line): Column[] | undefined {
  const next = columns.map((column) => ({ ...column }));
  const used = new Set<Column>();
  for (const segment of line.segments) {
    const hits = next.filter((column) => overlaps(column, segment));
    const [hit] = hits;
    if (hits.length > 1) return undefined;
    if (hit === undefined) {
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

function belongs(line: Line, previous: Line, body: BodyStyle): boolean {
  const gap = line.y - previous.y;
  return (
    line.page === previous.page &&
    line.region === previous.region &&
    gap < 3 * body.leading * Math.max(line.size, previous.size) &&
    markerOf(line) === ''
  );
}

/** A single cell below the others' left edges: text that goes on, or a paragraph after the table? */
function isContinuation(
  line: Line,
  previous: Line,
  columns: readonly Column[],
  body: BodyStyle,
): boolean {
  const column = columns.find((each) => overlaps(each, line));
  const near = line.y - previous.y < 1.5 * body.leading * line.size;
  if (column === undefined || !near) return false;
  return Math.abs(column.x - line.x) < line.size || line.right <= column.right + line.size;
}

function collect(
  lines: readonly Line[],
  start: number,
  end: number,
  body: BodyStyle,
  barrier: ReadonlySet<Line>,
) {
  const rows: Line[] = [];
  let columns: Column[] = [];
  for (let at = start; at < end; at++) {
    const line = lines[at];
    const previous = rows.at(-1);
    if (line === undefined || line.table !== undefined || barrier.has(line)) break;
    if (previous !== undefined && !belongs(line, previous, body)) break;
    if (
      line.segments.length === 1 &&
      previous !== undefined &&
      !isContinuation(line, previous, columns, body)
    )
      break;
    const widened = withLine(columns, line);
    if (widened === undefined) break;
    columns = widened;
    rows.push(line);
  }
  // The line after a table's last row may be a paragraph that happens to begin at a column.
  for (let last = rows.at(-1); last?.segments.length === 1; last = rows.at(-1)) {
    if (last.x !== columns[0]?.x && !last.mono) break;
    rows.pop();
  }
  return { rows, columns };
}

/**
 * The table that begins at `start` and ends before `end`, if one does: at least three lines whose parts fall into the same columns.
 * Two columns without a heading row are a list of terms; everything else becomes a Markdown table.
 */
export function findTable(
  lines: readonly Line[],
  start: number,
  end: number,
  body: BodyStyle,
  vocabulary: Vocabulary,
  barrier: ReadonlySet<Line>,
): FoundTable | undefined {
  const first = lines[start];
  if (first === undefined || first.segments.length < 2 || markerOf(first) !== '') return undefined;
  if (first.mono && !body.mono) return undefined;
  const { rows, columns } = collect(lines, start, end, body, barrier);
  const filled = rows.filter((line) => line.segments.length >= 2).length;
  if (filled < minRows || columns.length < 2 || filled < 0.3 * rows.length) return undefined;
  const cells = groupRows(rows, columns).map((row) =>
    columns.map((column) =>
      row
        .flatMap((line) => line.segments.filter((segment: Segment) => overlaps(column, segment)))
        .map((segment) => segment.text.trim())
        .reduce((a, b) => joinLines(a, b, vocabulary), '')
        .replaceAll('\u00ad', ''),
    ),
  );
  return { text: renderTable(cells, first.bold), count: rows.length };
}
