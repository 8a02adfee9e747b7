import type { HiddenReason } from '../../layout/page.js';
import { reasonUnseen } from '../../layout/unseen.js';
import type { TextPaint } from './text-paint.js';
import { areaOf, intersect, type Box } from './matrix.js';
import type { Paints } from './paints.js';
import type { FinishedRun } from './run-builder.js';

/** Pictures over this share of the page are the page itself, scanned, in one piece or in strips. */
const scanShare = 0.3;
/** On a scan, text recognition writes at least this share of what else is printed on it: a stamp, a notice. */
const recognisedShare = 1 / 3;
/** Of what stands on the page and within the clipping path this much must be left to be seen. */
const seenShare = 0.15;

/** Decides which text of a page a person sees. */
export class TextVisibility {
  /** Unseen text on a scan: text recognition wrote it, and the picture shows what it says. */
  readonly #isScan: boolean;

  constructor(
    readonly paints: Paints,
    readonly width: number,
    readonly height: number,
    all: readonly FinishedRun<TextPaint>[],
  ) {
    const hasScan = paints.scanArea > scanShare * width * height;
    let unseen = 0;
    let seen = 0;
    for (const each of hasScan ? all : []) {
      if (this.#isUnseen(each)) unseen += each.run.text.length;
      else seen += each.run.text.length;
    }
    this.#isScan = hasScan && unseen >= recognisedShare * seen;
  }

  reasonHidden(finished: FinishedRun<TextPaint>): HiddenReason | undefined {
    const { run, quarter, box, textPaint } = finished;
    const unseen = reasonUnseen(run, quarter, this);
    if (unseen !== undefined) return unseen;
    if (!this.#isWithin(box, textPaint.clip)) return 'off_page';
    if (this.#isScan && this.paints.isOnScan(box)) return undefined;
    if (textPaint.absent) return 'invisible';
    if (!this.paints.shows(textPaint.colours, textPaint.alpha, box, textPaint.order))
      return 'colour';
    return this.paints.covers(box, textPaint.order) ? 'covered' : undefined;
  }

  #isUnseen({ box, textPaint }: FinishedRun<TextPaint>): boolean {
    return (
      textPaint.absent ||
      this.paints.covers(box, textPaint.order) ||
      !this.paints.shows(textPaint.colours, textPaint.alpha, box, textPaint.order)
    );
  }

  #isWithin(box: Box, clip: Box): boolean {
    const page = { left: 0, top: 0, right: this.width, bottom: this.height };
    // A run of no breadth or height has an area all the same.
    const whole = {
      ...box,
      right: Math.max(box.right, box.left + 0.1),
      bottom: Math.max(box.bottom, box.top + 0.1),
    };
    return areaOf(intersect(whole, intersect(page, clip))) >= seenShare * areaOf(whole);
  }
}
