import { printable } from './terminal.js';

export interface Column<T> {
  title: string;
  value: (row: T) => string;
  /** Takes what width is left; else the column is as wide as its longest cell. */
  flexible?: boolean;
}

const gap = '  ';
const narrowest = 12;

/** Rows as plain aligned columns that fit `width`; long cells of flexible columns end in an ellipsis. */
export function table<T>(columns: Column<T>[], rows: T[], width: number): string {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) =>
      columns.map((column) => printable(column.value(row)).replaceAll(/\s+/g, ' ')),
    ),
  ];
  const widths = columns.map((_, index) =>
    Math.max(...cells.map((row) => row[index]?.length ?? 0)),
  );
  const total = widths.reduce((sum, one) => sum + one, 0) + gap.length * (columns.length - 1);
  let excess = total - width;
  for (const [index, column] of columns.entries()) {
    if (column.flexible !== true || excess <= 0) continue;
    const present = widths[index] ?? 0;
    const cut = Math.min(excess, Math.max(0, present - narrowest));
    widths[index] = present - cut;
    excess -= cut;
  }
  return cells
    .map((row) =>
      row
        .map((cell, index) => fit(cell, widths[index] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}

function fit(cell: string, width: number): string {
  return cell.length > width ? `${cell.slice(0, Math.max(0, width - 1))}…` : cell.padEnd(width);
}
