import type { Line } from '../layout/page.js';

export interface Column {
  x: number;
  right: number;
}

function hasCell(line: Line, column: Column | undefined): boolean {
  return (
    column !== undefined &&
    line.segments.some((segment) => segment.x < column.right && segment.right > column.x)
  );
}

/** Rows whose cells are centred: a row's lines lie as far above its first cell as below it. */
function groupCentred(lines: readonly Line[], anchors: readonly Line[]): Line[][] {
  const rows: Line[][] = [];
  let at = 0;
  for (const [index, anchor] of anchors.entries()) {
    const row: Line[] = [];
    const top = lines[at]?.y ?? anchor.y;
    const isLast = index === anchors.length - 1;
    const bottom = isLast ? Infinity : 2 * anchor.y - top + 0.3 * anchor.size;
    for (let line = lines[at]; line !== undefined && line.y <= bottom; line = lines[at]) {
      row.push(line);
      at++;
    }
    if (row.length > 0) rows.push(row);
  }
  return rows;
}

function groupBelow(lines: readonly Line[], starts: ReadonlySet<Line>): Line[][] {
  const rows: Line[][] = [];
  for (const line of lines) {
    if (rows.length === 0 || starts.has(line)) rows.push([]);
    rows.at(-1)?.push(line);
  }
  return rows;
}

/** Lines that begin a row by the gap above them, where rows are set apart and lines within a row are not. */
function startsByGap(lines: readonly Line[]): Set<Line> | undefined {
  const gaps = lines.slice(1).map((line, index) => line.y - (lines[index]?.y ?? 0));
  const least = Math.min(...gaps);
  const wide = gaps.map((gap) => gap > 1.25 * least);
  const share = wide.filter(Boolean).length / Math.max(1, gaps.length);
  const tight = lines[0] !== undefined && least > 0.9 * lines[0].size;
  if (!tight || share < 0.25 || share > 0.9) return undefined;
  return new Set(lines.filter((_, index) => index === 0 || wide[index - 1] === true));
}

/**
 * The lines of a table by the row they belong to. Cells that wrap over several lines are either centred beside the
 * row's first cell, or begin on its line.
 */
export function groupRows(lines: readonly Line[], columns: readonly Column[]): Line[][] {
  const anchors = lines.filter((line) => hasCell(line, columns[0]));
  const body = lines.slice(1);
  // A line whose first cell stands alone between two lines without one is beside the middle of its row.
  const centred = body.some((line, index) => {
    const next = body[index + 1];
    const missing = columns.slice(1).some((column) => !hasCell(line, column));
    return (
      hasCell(line, columns[0]) &&
      missing &&
      index > 0 &&
      next !== undefined &&
      !hasCell(next, columns[0]) &&
      next.y - line.y < 0.9 * line.size
    );
  });
  if (centred) return groupCentred(lines, anchors);
  return groupBelow(lines, startsByGap(lines) ?? new Set(anchors));
}
