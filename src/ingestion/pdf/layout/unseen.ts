import type { HiddenReason, TextRun } from './page.js';

/** Smaller than this, in points, no one can read it: search fodder, not text. */
const leastSize = 2;
/** Letters narrower than this, in points, on the average, are a hairline. */
const leastWidth = 0.4;

/** Why nobody sees a run at this place on the page, if so. Slanted and turned text is only asked for its size. */
export function reasonUnseen(
  run: TextRun,
  quarter: number,
  page: { width: number; height: number },
): HiddenReason | undefined {
  if (run.size < leastSize) return 'tiny';
  if (run.text.length >= 3 && run.width < leastWidth * run.text.length) return 'tiny';
  if (quarter !== 0) return undefined;
  const isOn =
    run.x < page.width && run.x + run.width > 0 && run.y > 0 && run.y - run.size < page.height;
  return isOn ? undefined : 'off_page';
}
