import { fileHeaders } from '../../platform/http/file-headers.js';
import { csvRow, type Cell } from '../../platform/text/csv.js';
import type { Sent } from '../page.js';

/** A table as a file for spreadsheets. */
export function csvFile(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Sent {
  return {
    headers: fileHeaders(name, 'csv'),
    body: [columns, ...rows].map(csvRow).join(''),
  };
}
