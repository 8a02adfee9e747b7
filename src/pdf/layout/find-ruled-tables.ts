import { findGrids, isDrawn, type Grid } from './grids.js';
import { collectLines } from './lines.js';
import type { Area, Line, RuledTable, Rule, Span, TextRun } from './page.js';
import { collectSpans } from './spans.js';

/** A cell with more letters contains a page's text, not a table's. */
const longestCell = 1500;
/** With this many lines side by side in single cells, the table has rows without rules. */
const unruledRows = 4;

interface Place {
  row: number;
  column: number;
}

/** The index of the stretch between sorted lines that contains a position; -1 before the first and after the last. */
function stretchOf(lines: readonly { at: number }[], position: number): number {
  let found = -1;
  for (let index = 0; index + 1 < lines.length; index++) {
    if (position >= (lines[index]?.at ?? 0) && position < (lines[index + 1]?.at ?? 0))
      found = index;
  }
  return found;
}

/** The first cell of a merged cell: cells without a line between them are one. */
function firstCell(grid: Grid, { row, column }: Place): Place {
  const at = (lines: Grid['down'], index: number) => lines[index]?.at ?? 0;
  let place = { row, column };
  for (let moved = true; moved;) {
    moved = false;
    const { row: r, column: c } = place;
    const leftIsOpen = !isDrawn(grid.down[c], at(grid.across, r), at(grid.across, r + 1));
    const topIsOpen = !isDrawn(grid.across[r], at(grid.down, c), at(grid.down, c + 1));
    if (c > 0 && leftIsOpen) {
      place = { row: r, column: c - 1 };
      moved = true;
    } else if (r > 0 && topIsOpen) {
      place = { row: r - 1, column: c };
      moved = true;
    }
  }
  return place;
}

/** True when a run continues the previous run's word. */
function isGlued(before: TextRun, run: TextRun): boolean {
  const gap = run.x - (before.x + before.width);
  return (
    Math.abs(run.y - before.y) < 0.1 * run.size && gap > -0.3 * run.size && gap < 0.1 * run.size
  );
}

/** The runs in each cell; undefined when they form no table. */
function fill(grid: Grid, runs: readonly TextRun[]): { cells: TextRun[][][]; used: TextRun[] } {
  const cells: TextRun[][][] = grid.across
    .slice(1)
    .map(() => grid.down.slice(1).map((): TextRun[] => []));
  const used: TextRun[] = [];
  let before: { run: TextRun; cell: TextRun[] } | undefined;
  for (const run of runs) {
    // A word that extends beyond its cell belongs to the cell in which it began.
    if (before !== undefined && !run.spaced && isGlued(before.run, run)) {
      before.cell.push(run);
      used.push(run);
      before.run = run;
      continue;
    }
    before = undefined;
    // Use the start of a run, because a long one may leave its cell, and its middle height above the baseline.
    const row = stretchOf(grid.across, run.y - 0.3 * run.size);
    const column = stretchOf(grid.down, run.x + Math.min(run.width, run.size) / 2);
    if (row < 0 || column < 0) continue;
    const first = firstCell(grid, { row, column });
    const cell = cells[first.row]?.[first.column];
    cell?.push(run);
    if (cell !== undefined) before = { run, cell };
    used.push(run);
  }
  return { cells, used };
}

function lettersOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.text.length, 0);
}

/** True for two cells whose lines are side by side without a rule between them: hidden rows. */
function hidesRows(row: readonly Line[][]): boolean {
  const filled = row.filter((cell) => cell.length > 0);
  const [first, second] = filled;
  if (first === undefined || second === undefined || first.length < unruledRows) return false;
  const level = first.filter((line) => second.some((other) => Math.abs(other.y - line.y) < 2));
  return level.length >= unruledRows && level.length > 0.8 * first.length;
}

function toTable(
  grid: Grid,
  cells: readonly TextRun[][][],
  page: number,
  mirrored: boolean,
): RuledTable | undefined {
  const rows = cells
    .map((row) => row.map((runs) => collectLines(collectSpans(runs, mirrored), page, 0, mirrored)))
    .filter((row) => row.some((cell) => cell.length > 0));
  const wide = rows.filter((row) => row.filter((cell) => cell.length > 0).length >= 2);
  if (wide.length < 2 || wide.length < 0.5 * rows.length) return undefined;
  if (rows.some((row) => row.some((cell) => lettersOf(cell) > longestCell))) return undefined;
  if (rows.length <= 3 && rows.some(hidesRows)) return undefined;
  const columns = grid.down
    .slice(1)
    .map((_, column) => rows.some((row) => (row[column]?.length ?? 0) > 0));
  if (columns.filter(Boolean).length < 2) return undefined;
  // Empty columns are double lines or ornaments.
  const edges = grid.down.filter((_, index) => index === columns.length || columns[index] === true);
  return {
    edges: edges.map((line) => line.at),
    rows: rows.map((row) => row.filter((_, column) => columns[column] === true)),
  };
}

export interface FoundTables {
  runs: TextRun[];
  /** One span per table, at its place on the page. */
  tables: Span[];
  /** Boxes that are divided, but no tables. */
  boxes: Area[];
}

/** Separates the tables drawn by rules from a page's other runs. */
export function takeRuledTables(
  runs: readonly TextRun[],
  rules: readonly Rule[],
  page: number,
  mirrored: boolean,
): FoundTables {
  let rest = [...runs];
  const tables: Span[] = [];
  const boxes: Area[] = [];
  for (const grid of findGrids(rules)) {
    const { cells, used } = fill(grid, rest);
    const table = used.length === 0 ? undefined : toTable(grid, cells, page, mirrored);
    const [left, right] = [grid.down[0]?.at ?? 0, grid.down.at(-1)?.at ?? 0];
    const size = used[0]?.size ?? 0;
    if (table === undefined) {
      boxes.push({
        left,
        right,
        top: grid.across[0]?.at ?? 0,
        bottom: grid.across.at(-1)?.at ?? 0,
      });
      continue;
    }
    const taken = new Set(used);
    const sequence = rest.findIndex((run) => taken.has(run));
    rest = rest.filter((run) => !taken.has(run));
    const y = (grid.across[0]?.at ?? 0) + size;
    tables.push({ runs: [], x: left, right, y, size, sequence, table });
  }
  return { runs: rest, tables, boxes };
}
