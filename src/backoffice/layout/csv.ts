import { csvRow, type Cell } from '../../platform/text/csv.js';
import type { Sent } from '../page.js';

/** A table as a file for spreadsheets. */
export function csvFile(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Sent {
  return {
    headers: fileHeaders(`${name}.csv`),
    body: [columns, ...rows].map(csvRow).join(''),
  };
}

const types = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' };

/** The headers of a file to store, by the end of its name. */
export function fileHeaders(name: `${string}.${keyof typeof types}`): Record<string, string> {
  return {
    'Content-Type': name.endsWith('.csv') ? types.csv : types.jsonl,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
}
