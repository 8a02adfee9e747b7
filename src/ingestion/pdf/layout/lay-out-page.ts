import { collectLines } from './lines.js';
import type { PageLines, PlacedRun, TextRun } from './page.js';
import { orderRegions } from './reading-order.js';
import { collectSpans } from './spans.js';

export interface PageFrame {
  number: number;
  width: number;
  height: number;
}

function turn(run: TextRun, quarter: number, frame: PageFrame): TextRun {
  if (quarter === 1) return { ...run, x: run.y, y: frame.width - run.x };
  if (quarter === 2) return { ...run, x: frame.width - run.x, y: frame.height - run.y };
  if (quarter === 3) return { ...run, x: frame.height - run.y, y: run.x };
  return run;
}

/** Bold and shadows are sometimes faked by drawing the same text twice, a hair apart. */
function dropDoubles(runs: readonly TextRun[]): TextRun[] {
  const drawn = new Map<string, TextRun>();
  return runs.filter((run) => {
    const key = `${run.text}|${Math.round(run.y / 4)}|${Math.round(run.x / 4)}`;
    const before = drawn.get(key);
    drawn.set(key, run);
    return (
      before === undefined ||
      Math.abs(before.x - run.x) > 0.2 * run.size ||
      Math.abs(before.y - run.y) > 0.2 * run.size
    );
  });
}

/** The lines of one page in reading order. */
export function layOutPage(placed: readonly PlacedRun[], frame: PageFrame): PageLines {
  const layers = new Map<number, TextRun[]>();
  for (const { quarter, run } of placed) {
    const upright = turn(run, quarter, frame);
    const layer = layers.get(quarter);
    if (layer === undefined) layers.set(quarter, [upright]);
    else layer.push(upright);
  }
  // The direction with most text comes first; stamps along the margin and watermarks follow.
  const ordered = [...layers.values()].sort((a, b) => weigh(b) - weigh(a));
  let region = 0;
  const lines = ordered.flatMap((runs) =>
    orderRegions(collectSpans(dropDoubles(runs))).flatMap((spans) =>
      collectLines(spans, frame.number, region++),
    ),
  );
  return { ...frame, lines };
}

function weigh(runs: readonly TextRun[]): number {
  return runs.reduce((sum, run) => sum + run.text.length, 0);
}
