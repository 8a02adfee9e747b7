import type { PlacedRun } from '../layout/page.js';
import type { Box } from './matrix.js';

/** So far, in font sizes, a mark stands before its item. */
const reach = 2.5;

/** The first run of the line that a spot stands before, if it stands before one. */
function itemOf(spot: Box, runs: readonly PlacedRun[]): PlacedRun | undefined {
  const middle = (spot.top + spot.bottom) / 2;
  let nearest: PlacedRun | undefined;
  for (const placed of runs) {
    const { run, quarter } = placed;
    if (quarter !== 0 || spot.right - spot.left > run.size) continue;
    const isBeside = middle < run.y && middle > run.y - 0.8 * run.size;
    if (!isBeside) continue;
    // Something to its left: a dot within a line, or a picture's.
    if (run.x < spot.left && run.x + run.width > spot.left - reach * run.size) return undefined;
    const gap = run.x - spot.right;
    if (gap < 0.1 * run.size || gap > reach * run.size) continue;
    if (nearest === undefined || run.x < nearest.run.x) nearest = placed;
  }
  return nearest;
}

/**
 * The runs with a mark wherever a spot is drawn before a line, as a list's mark is. Two such at one distance from the
 * edge make a list: a lone spot may be anything.
 */
export function addListMarks(runs: readonly PlacedRun[], spots: readonly Box[]): PlacedRun[] {
  const found = spots.flatMap((spot) => {
    const item = itemOf(spot, runs);
    return item === undefined ? [] : [{ spot, item }];
  });
  const columns = new Map<number, number>();
  for (const { spot } of found) {
    const column = Math.round(spot.left);
    columns.set(column, (columns.get(column) ?? 0) + 1);
  }
  const marks = new Map<PlacedRun, PlacedRun>();
  for (const { spot, item } of found) {
    if ((columns.get(Math.round(spot.left)) ?? 0) < 2) continue;
    const run = { ...item.run, text: '•', x: spot.left, width: spot.right - spot.left };
    marks.set(item, { quarter: 0, run: { ...run, bold: false, italic: false, mono: false } });
  }
  return runs.flatMap((run) => {
    const mark = marks.get(run);
    return mark === undefined ? [run] : [mark, run];
  });
}
