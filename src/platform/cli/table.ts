import { cutToColumns, widthOfText } from './columns.js';
import { printable } from '../text/printable.js';

export interface Column<T> {
  title: string;
  value: (row: T) => string | number | null;
  /** For times: the precision to show. The title names the time zone. */
  time?: 'minute' | 'day';
  /** A flexible column takes the remaining width. Other columns are as wide as their longest cell. */
  flexible?: boolean;
  /** Where a long cell is cut. `start` suits texts whose end tells more, e.g. a path of titles. */
  cut?: 'start' | 'end';
  /** Drop order on a narrow terminal, the highest number first. --json or a wider terminal shows the column. */
  spare?: number;
}

const gap = '  ';
const narrowest = 12;

/**
 * Formats rows as plain aligned columns that fit `width`. Long cells of flexible columns are cut with an ellipsis; then
 * spare columns are dropped. If that is not enough, each row becomes a block with one line per column.
 */
export function table<T>(columns: Column<T>[], rows: T[], width: number): string {
  const cells = rows.map((row) => columns.map((column) => cellOf(column, row)));
  const widths = columns.map((column, index) =>
    Math.max(widthOfText(titleOf(column)), ...cells.map((row) => widthOfText(row[index] ?? ''))),
  );
  const shown = columnsThatFit(columns, widths, width);
  if (shown === undefined) return inBlocks(columns, cells, width);
  shrink(columns, { widths, shown }, width);
  return [columns.map(titleOf), ...cells]
    .map((row) =>
      shown
        .map((index) => fit(row[index] ?? '', widths[index] ?? 0, columns[index]?.cut))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}

function titleOf({ title, time }: Pick<Column<never>, 'title' | 'time'>): string {
  return time === undefined ? title : `${title} (UTC)`;
}

function cellOf<T>({ value, time }: Column<T>, row: T): string {
  const text = String(value(row) ?? '');
  if (time !== undefined) return text.slice(0, time === 'day' ? 10 : 16).replace('T', ' ');
  return printable(text).replaceAll(/\s+/g, ' ');
}

/** The indexes of the columns that fit; undefined when the required columns alone are too wide. */
function columnsThatFit<T>(
  columns: Column<T>[],
  widths: number[],
  width: number,
): number[] | undefined {
  const least = (index: number) => {
    const widest = widths[index] ?? 0;
    return columns[index]?.flexible === true ? Math.min(widest, narrowest) : widest;
  };
  let shown = [...columns.keys()];
  for (;;) {
    if (sumOf(shown.map(least)) + gap.length * (shown.length - 1) <= width) return shown;
    const spare = shown.toSorted((a, b) => (columns[b]?.spare ?? 0) - (columns[a]?.spare ?? 0))[0];
    if (spare === undefined || columns[spare]?.spare === undefined) return undefined;
    shown = shown.filter((index) => index !== spare);
  }
}

/** Shrinks the widest flexible columns first, so that the flexible columns share the width. */
function shrink<T>(
  columns: Column<T>[],
  { widths, shown }: { widths: number[]; shown: number[] },
  width: number,
): void {
  const total = sumOf(shown.map((index) => widths[index] ?? 0)) + gap.length * (shown.length - 1);
  const flexible = shown.filter((index) => columns[index]?.flexible === true);
  for (let excess = total - width; excess > 0; excess--) {
    const [widest] = flexible.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    if (widest === undefined) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

/** Cells that cannot be cut, such as an id, may exceed a very narrow width. */
function inBlocks<T>(columns: Column<T>[], rows: string[][], width: number): string {
  const titles = Math.max(...columns.map((column) => widthOfText(titleOf(column))));
  const room = Math.max(narrowest, width - titles - gap.length);
  const line = (column: Column<T>, cell = '') => {
    const shown = column.flexible === true ? cutToColumns(cell, room, column.cut) : cell;
    return shown === '' ? [] : [`${fit(titleOf(column), titles)}${gap}${shown}`];
  };
  return rows
    .map((row) => columns.flatMap((column, index) => line(column, row[index])).join('\n'))
    .join('\n\n');
}

function sumOf(numbers: number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

function fit(cell: string, width: number, cut?: 'start' | 'end'): string {
  const shown = cutToColumns(cell, width, cut);
  return shown + ' '.repeat(Math.max(0, width - widthOfText(shown)));
}
