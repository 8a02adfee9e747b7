import type { Line } from '../layout/page.js';
import { type Column, columnOf } from './table-columns.js';

/** With fewer of its cells filled, what looks like a table of at least so many columns is the labels of a drawing. */
const leastFilled = 0.45;
const minColumns = 4;

/**
 * Joins a column that has only a heading with its neighbour that has only cells below: a heading is often centred over
 * cells that are aligned to one side.
 */
export function joinHeadingColumns(rows: readonly Line[], columns: readonly Column[]): Column[] {
  const columnsOf = (lines: readonly Line[]) =>
    new Set(lines.flatMap((line) => line.segments.map((segment) => columnOf(columns, segment))));
  const headed = columnsOf(rows.slice(0, 1));
  const filled = columnsOf(rows.slice(1));
  const completes = (a: number, b: number) =>
    headed.has(a) && !filled.has(a) && !headed.has(b) && filled.has(b);
  const joined: Column[] = [];
  for (let at = 0; at < columns.length; at++) {
    const [column, next] = [columns[at], columns[at + 1]];
    if (column === undefined) break;
    const isPair = next !== undefined && (completes(at, at + 1) || completes(at + 1, at));
    joined.push(isPair ? { x: column.x, right: next.right } : column);
    if (isPair) at++;
  }
  return joined;
}

/** True for text at scattered places, such as the labels of a drawing or notes of music: most cells are empty. */
export function isScattered(rows: readonly string[][]): boolean {
  const cells = rows.flat();
  const filled = cells.filter((cell) => cell !== '').length;
  return (rows[0]?.length ?? 0) >= minColumns && filled < leastFilled * cells.length;
}
