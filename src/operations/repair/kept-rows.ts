import { appendFile, rm, writeFile } from 'node:fs/promises';
import type { KeepRows, Row } from '../../platform/db/references.js';
import { isDerived } from './kinds.js';

/** A file of the rows that a repair removes. It is made with the first row, and its owner alone may read it. */
export interface KeptRows extends KeepRows {
  /** The number of rows by table. */
  readonly counts: ReadonlyMap<string, number>;
  /** The file; null when nothing was removed. */
  readonly file: string | null;
  /** Deletes the file, because the removal was taken back. */
  discard(): Promise<void>;
}

/**
 * Keeps rows as lines of JSON: `{"table": …, "row": {…}}`, bytes as `{"base64": …}`. `file` undefined: only counts
 * them. Rows are on the disk before the transaction that removes them ends.
 */
export function keepRows(file: string | undefined): KeptRows {
  const counts = new Map<string, number>();
  return {
    counts,
    get file() {
      return counts.size > 0 ? (file ?? null) : null;
    },
    isKept: (table) => !isDerived(table),
    async keep(table, rows) {
      if (file !== undefined) {
        if (counts.size === 0) await writeFile(file, '', { flag: 'wx', mode: 0o600 });
        const lines = rows.map((row) => `${JSON.stringify({ table, row: asJson(row) })}\n`);
        await appendFile(file, lines.join(''), { flush: true });
      }
      counts.set(table, (counts.get(table) ?? 0) + rows.length);
    },
    async discard() {
      if (file !== undefined && counts.size > 0) await rm(file, { force: true });
      counts.clear();
    },
  };
}

function asJson(row: Row): Row {
  const pairs = Object.entries(row).map(([column, value]): [string, unknown] => [
    column,
    Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value,
  ]);
  return Object.fromEntries(pairs);
}
