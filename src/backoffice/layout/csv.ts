import type { Sent } from '../page.js';

/** What a spreadsheet would run as a formula. */
const formula = /^[=+\-@\t\r]/;

/** A table as a file for spreadsheets. A cell that one would run as a formula gets an apostrophe. */
export function csvFile(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): Sent {
  const lines = [columns, ...rows].map((cells) => cells.map(cellOf).join(','));
  return {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    body: lines.map((line) => `${line}\r\n`).join(''),
  };
}

function cellOf(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
