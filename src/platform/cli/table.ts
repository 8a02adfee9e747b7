import { columnsOf, cutToColumns } from './columns.js';
import { printable } from './terminal.js';

export interface Column<T> {
  title: string;
  value: (row: T) => string;
  /** Takes what width is left; else the column is as wide as its longest cell. */
  flexible?: boolean;
  /** Where a long cell is cut: at its start when its end tells more, as of a path of titles. */
  cut?: 'start' | 'end';
}

const gap = '  ';
const narrowest = 12;

/** Rows as plain aligned columns that fit `width`; long cells of flexible columns are cut, with an ellipsis. */
export function table<T>(columns: Column<T>[], rows: T[], width: number): string {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) =>
      columns.map((column) => printable(column.value(row)).replaceAll(/\s+/g, ' ')),
    ),
  ];
  const widths = columns.map((_, index) =>
    Math.max(...cells.map((row) => columnsOf(row[index] ?? ''))),
  );
  const total = widths.reduce((sum, one) => sum + one, 0) + gap.length * (columns.length - 1);
  const flexible = [...columns.keys()].filter((index) => columns[index]?.flexible === true);
  // The widest gives first, so that those that are left share what room there is.
  for (let excess = total - width; excess > 0; excess--) {
    const [widest] = flexible.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    const present = widths[widest ?? -1] ?? 0;
    if (widest === undefined || present <= narrowest) break;
    widths[widest] = present - 1;
  }
  return cells
    .map((row) =>
      row
        .map((cell, index) => fit(cell, widths[index] ?? 0, columns[index]?.cut))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}

function fit(cell: string, width: number, cut?: 'start' | 'end'): string {
  const shown = cutToColumns(cell, width, cut);
  return shown + ' '.repeat(Math.max(0, width - columnsOf(shown)));
}
