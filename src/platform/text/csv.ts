export type Cell = string | number | null | undefined;

/** A row of a table for spreadsheets. What a spreadsheet would run as a formula gets an apostrophe. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * Where a formula may begin: in front of a cell, and after every sign that separates cells in some country. A German
 * spreadsheet separates by semicolons, and quotes within a cell hold nothing together there.
 */
const formula = /((?:^|[;,|\t\r\n])[ "]*)([=+\-@＝＋－＠])/g;

function csvCell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const safe = (value ?? '').replaceAll(formula, "$1'$2").replace(/^[\t\r\n]/, "'$&");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
