import { escapeInline, escapeProse } from '../../platform/text/escape-markdown.js';
import type { Line, RuledTable, Segment } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';
import { isDisplayed } from './formulas.js';
import { joinLines, type Vocabulary } from './hyphenation.js';
import { markerOf, opensReference } from './lists.js';
import { isUnfinished } from './paragraphs.js';
import { type Column, columnOf } from './table-columns.js';
import { collectTable } from './table-lines.js';
import { groupRows } from './table-rows.js';
import { isScattered, joinHeadingColumns } from './table-shape.js';

export interface FoundTable {
  kind: 'table' | 'paragraph';
  text: string;
  /** The number of its lines. */
  count: number;
  columns: readonly Column[];
}

const minRows = 3;
/** The share of lines with cells side by side in a table, and in a list of bold terms with long explanations. */
const leastBeside = 0.3;
const leastTerms = 0.12;

/** The lines with cells beside others: on one line, or less than a line above or below them, as centred cells are. */
function countBeside(rows: readonly Line[]): number {
  const isBeside = (a: Line, b: Line | undefined) =>
    b !== undefined && Math.abs(a.y - b.y) < 0.8 * a.size && (a.x > b.right || b.x > a.right);
  return rows.filter(
    (line, at) =>
      line.segments.length >= 2 || isBeside(line, rows[at - 1]) || isBeside(line, rows[at + 1]),
  ).length;
}

/**
 * True for two terms, one below the other, with their explanations beside them at one edge. In a paragraph with wide
 * spaces, the sentence goes on below them.
 */
function isPair(rows: readonly Line[], next: Line | undefined): boolean {
  const [first, second, ...others] = rows;
  if (first === undefined || second === undefined || others.length > 0) return false;
  const goesOn = next?.region === second.region && /^["'“‘«(]?\p{Ll}/u.test(next.text);
  if (goesOn && next.x - second.x < 1 && isUnfinished(second)) return false;
  const edges = (line: Line) => line.segments.map(({ x }) => x);
  const [a, b] = [edges(first), edges(second)];
  return a.length === 2 && b.length === 2 && a.every((x, at) => Math.abs(x - (b[at] ?? 0)) < 1);
}

/** True when each first cell is a term in bold, beside its explanation. */
function areTerms(rows: readonly Line[]): boolean {
  return rows.every(
    ({ segments: [term, ...others], lead }) =>
      others.length === 0 ||
      (others.length === 1 && lead?.bold === true && lead.text === term?.text.trim()),
  );
}

/** A table begins with cells side by side, or with a cell that starts above the others of its row. */
function opensTable(first: Line, next: Line | undefined): boolean {
  if (markerOf(first) !== '' || opensReference(first) || isDisplayed(first)) return false;
  if (first.segments.length >= 2) return !first.mono;
  if (next === undefined || next.table !== undefined) return false;
  if (next.segments.length < 2 || next.mono) return false;
  const gap = next.y - first.y;
  return (
    next.page === first.page && next.region === first.region && gap > 0 && gap < 0.8 * first.size
  );
}

/**
 * The table that begins at `start` and ends before `end`, if any: at least three lines whose parts fall into the same
 * columns. Two columns without a heading row are a list of terms; everything else becomes a Markdown table. The labels of
 * a drawing become one paragraph.
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
  if (first === undefined || !opensTable(first, lines[start + 1])) return undefined;
  const { rows, columns: found, collected } = collectTable(lines, start, end, body, barrier);
  const columns = joinHeadingColumns(rows, found);
  const filled = rows.filter((line) => line.segments.length >= 2).length;
  if ((filled < minRows && !isPair(rows, lines[start + 2])) || columns.length < 2) return undefined;
  // Cells with several lines have few lines in common with their neighbours. Then a heading tells a table from columns.
  const isHeaded = columns.length > 2 && first.segments.length === columns.length;
  const beside = isHeaded ? countBeside(rows) : filled;
  if (beside < (areTerms(rows) ? leastTerms : leastBeside) * collected) return undefined;
  const count = rows.length;
  const cells = cellsOf(rows, columns, vocabulary);
  if (!isScattered(cells)) {
    const text = renderTable(cells, first.bold || first.underlined === true);
    return { kind: 'table', text, count, columns };
  }
  const text = escapeProse(rows.map((line) => line.text).join(' '));
  return { kind: 'paragraph', text, count, columns };
}

function cellsOf(
  rows: readonly Line[],
  columns: readonly Column[],
  vocabulary: Vocabulary,
): string[][] {
  return groupRows(rows, columns).map((row) => {
    const texts = columns.map(() => '');
    for (const segment of row.flatMap((line) => line.segments)) {
      const at = columnOf(columns, segment);
      texts[at] = joinLines(texts[at] ?? '', segment.text.trim(), vocabulary);
    }
    return texts.map((text) => text.replaceAll('\u00ad', ''));
  });
}

/**
 * The rows at the top of a page that go on with the table at the end of the page before: their cells, and the number of
 * their lines. Undefined where the first line has no cells in the same columns.
 * @param inset in points, for a table with rules: how far a cell may begin behind the edge of its column
 */
export function findRest(
  lines: readonly Line[],
  columns: readonly Column[],
  inset: number,
  body: BodyStyle,
  vocabulary: Vocabulary,
  barrier: ReadonlySet<Line>,
): { cells: string[][]; count: number } | undefined {
  const [first] = lines;
  if (first === undefined || first.segments.length < 2 || first.mono || first.bold)
    return undefined;
  const isInColumn = (cell: Segment) =>
    columns.some(({ x, right }) => {
      const shift = cell.x - x;
      return (shift > -1.5 && shift < inset + 1.5) || Math.abs(cell.right - right) < 1.5;
    });
  if (!first.segments.every(isInColumn)) return undefined;
  if (inset > 0 && first.segments.length < columns.length) return undefined;
  const found = collectTable(lines, 0, lines.length, body, barrier, columns);
  if (found.columns.length !== columns.length) return undefined;
  const fits = ({ segments, x, right, size }: Line) =>
    segments.length > 1 ||
    columns.some((column) => Math.abs(x - column.x) < size && right < column.right + size);
  const end = found.rows.findIndex((line) => !fits(line));
  const rows = end < 0 ? found.rows : found.rows.slice(0, end);
  if (rows.length === 0) return undefined;
  const cells: string[][] = [];
  for (const row of cellsOf(rows, found.columns, vocabulary)) {
    const above = cells.at(-1);
    const [at, ...others] = row.flatMap((cell, index) => (cell === '' ? [] : [index]));
    // A single cell below a later column goes on with the one above it.
    if (above === undefined || at === undefined || at === 0 || others.length > 0) cells.push(row);
    else above[at] = joinLines(above[at] ?? '', row[at] ?? '', vocabulary);
  }
  return { cells, count: rows.length };
}

/** True when each cell of the first row has a number and the form of the cell below it: the table has no heading. */
function beginsWithData([first, second]: readonly string[][]): boolean {
  const formOf = (cell: string) => cell.replace(/\p{L}+/gu, 'a').replace(/\d+/g, '0');
  return (
    second !== undefined &&
    first?.every((cell, at) => /\d/.test(cell) && formOf(cell) === formOf(second[at] ?? '')) ===
      true
  );
}

/**
 * A table in Markdown with its first row as the heading, which is empty where the table has none. Two columns without a
 * heading row are a list of terms.
 * @param headed the first row is known to be a heading
 */
export function renderTable(cells: readonly string[][], headed: boolean): string {
  if (cells[0]?.length === 2 && !headed) return renderTerms(cells);
  const rows = cells.map(writeRow);
  const rule = `|${' --- |'.repeat(cells[0]?.length ?? 0)}`;
  const isBare = !headed && beginsWithData(cells);
  const head = isBare ? `|${'  |'.repeat(cells[0]?.length ?? 0)}` : rows[0];
  return [head, rule, ...rows.slice(isBare ? 0 : 1)].join('\n');
}

/** A table with further rows, without the heading if they repeat it. */
export function appendRows(table: string, cells: readonly string[][]): string {
  const [head, ...rows] = cells.map(writeRow);
  const isRepeated = table.startsWith(`${head ?? ''}\n`);
  return [table, ...(head === undefined || isRepeated ? [] : [head]), ...rows].join('\n');
}

function writeRow(row: readonly string[]): string {
  return `| ${row.map((cell) => escapeInline(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

/** A list of terms, each with its explanation. */
export function renderTerms(cells: readonly string[][]): string {
  return cells.map((row) => `- ${escapeProse(writeTerm(row))}`).join('\n');
}

/** A term, a colon if it ends with none (that of “F:name:” is its own), and its explanation. */
function writeTerm(row: readonly string[]): string {
  const [term = '', ...text] = row.filter((cell) => cell !== '');
  const hasColon = /^[^:：]*[\p{L}\p{N})\]][:：]$/u.test(term);
  return [hasColon || text.length === 0 ? term : `${term}:`, ...text].join(' ');
}

const maxHeadRows = 3;
/** In points: how far the columns of one table may differ between pages. */
const slack = 4;

/** A table that may continue on the next page. */
export interface OpenTable {
  edges: number[];
  rows: string[][];
  /** True when the first row is bold, as headings are. */
  headed: boolean;
  pageFrom: number;
  pageTo: number;
}

/** In points: the most space between a cell's text and its lines, on both sides together. */
export const padding = 12;

function textOf(cell: readonly Line[], vocabulary: Vocabulary): string {
  return cell
    .reduce((text, line) => joinLines(text, line.text.trim(), vocabulary), '')
    .replaceAll('\u00ad', '');
}

function rowsOf({ rows }: RuledTable, vocabulary: Vocabulary): string[][] {
  return rows.map((row) => row.map((cell) => textOf(cell, vocabulary)));
}

export function openTable(table: RuledTable, page: number, vocabulary: Vocabulary): OpenTable {
  const first = table.rows[0]?.flat() ?? [];
  return {
    edges: table.edges,
    rows: rowsOf(table, vocabulary),
    headed: first.length > 0 && first.every((line) => line.bold),
    pageFrom: page,
    pageTo: page,
  };
}

/** True when a table at the top of the next page continues the open one. */
export function continuesTable(open: OpenTable, table: RuledTable, page: number): boolean {
  return (
    page === open.pageTo + 1 &&
    table.edges.length === open.edges.length &&
    table.edges.every((edge, index) => Math.abs(edge - (open.edges[index] ?? 0)) < slack)
  );
}

/** Adds the rows of the next page, without the heading rows that are repeated there. */
export function extendTable(
  open: OpenTable,
  table: RuledTable,
  page: number,
  vocabulary: Vocabulary,
): void {
  const rows = rowsOf(table, vocabulary);
  const isRepeated = (row: string[], at: number) => row.join('\n') === open.rows[at]?.join('\n');
  const other = rows.findIndex((row, at) => !isRepeated(row, at));
  // A table whose rows are all the same as before is another one.
  const repeated = other < 0 || other > maxHeadRows ? 1 : other;
  for (const row of rows.slice(repeated)) open.rows.push(row);
  open.pageTo = page;
}
