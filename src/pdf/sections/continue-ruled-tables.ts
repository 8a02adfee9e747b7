import type { Line, RuledTable } from '../layout/page.js';
import { joinLines, type Vocabulary } from './hyphenation.js';

/** Columns of one table stand at the same places on each of its pages, give or take, in points. */
const slack = 4;

/** A table while it may go on over the next page. */
export interface OpenTable {
  edges: number[];
  rows: string[][];
  /** Whether the first row is set in bold, as headings are. */
  headed: boolean;
  pageFrom: number;
  pageTo: number;
}

function textOf(cell: readonly Line[], vocabulary: Vocabulary): string {
  return cell
    .map((line) => line.text.trim())
    .reduce((a, b) => joinLines(a, b, vocabulary), '')
    .replaceAll('\u00ad', '');
}

function rowsOf(table: RuledTable, vocabulary: Vocabulary): string[][] {
  return table.rows.map((row) => row.map((cell) => textOf(cell, vocabulary)));
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

/** Whether a table at the top of the next page goes on with the open one. */
export function continuesTable(open: OpenTable, table: RuledTable, page: number): boolean {
  return (
    page === open.pageTo + 1 &&
    table.edges.length === open.edges.length &&
    table.edges.every((edge, index) => Math.abs(edge - (open.edges[index] ?? 0)) < slack)
  );
}

/** Adds the rows of the next page, without the heading row that it repeats. */
export function extendTable(
  open: OpenTable,
  table: RuledTable,
  page: number,
  vocabulary: Vocabulary,
): void {
  const rows = rowsOf(table, vocabulary);
  const repeats = rows[0]?.join('\n') === open.rows[0]?.join('\n');
  open.rows.push(...(repeats ? rows.slice(1) : rows));
  open.pageTo = page;
}
