import type { HiddenReason, TextRun } from './page.js';

/** Smaller than this, in points, no one can read it: search fodder, not text. */
const leastSize = 2;
/** Letters narrower than this, in points, on the average, are a hairline. */
const leastWidth = 0.4;
/** Pages are 14,400 points long at most; the layout must not search for columns in a space without end. */
const farAway = 100_000;

/** Whether any of these can't lie on a page, or is no number. */
export function isFarAway(...values: readonly number[]): boolean {
  return !values.every((value) => Math.abs(value) < farAway);
}

/** Why nobody sees a run at this place on the page, if so. Slanted and turned text is only asked for its size. */
export function reasonUnseen(
  run: TextRun,
  quarter: number,
  page: { width: number; height: number },
): HiddenReason | undefined {
  if (run.size < leastSize) return 'tiny';
  if (run.text.length >= 3 && run.width < leastWidth * run.text.length) return 'tiny';
  if (isFarAway(run.x, run.y, run.width, run.size)) return 'off_page';
  if (quarter !== 0) return undefined;
  const isOn =
    run.x < page.width && run.x + run.width > 0 && run.y > 0 && run.y - run.size < page.height;
  return isOn ? undefined : 'off_page';
}
