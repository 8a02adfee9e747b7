import { type HiddenReason, reasonUnseen } from '../../layout/page.js';
import type { Colour } from './colours.js';
import { alphaOf, faint, type GraphicsState } from './graphics-state.js';
import { areaOf, type Box, intersect } from './matrix.js';
import type { Paints } from './paints.js';
import type { FinishedRun } from './run-builder.js';

/** What a run is drawn with, as far as it decides whether the run is seen. */
export interface TextPaint {
  /** Of the letters' faces, and of their outlines where those are drawn too. */
  colours: readonly Colour[];
  alpha: number;
  /** Draws nothing: rendering mode 3, no opacity, or a layer that is switched off. */
  absent: boolean;
  clip: Box;
  /** How many things had been painted before. */
  order: number;
}

/** The text paint of each state: the same object as long as nothing of it changes, so that a run goes on. */
export class TextPaintCache {
  #textPaint: TextPaint | undefined;
  #isOld = true;

  /** To be called when anything of the state has changed that a text paint is made of. */
  invalidate(): void {
    this.#isOld = true;
  }

  /**
   * @param painted how many things have been painted
   * @param hides whether a layer that is switched off holds the text
   */
  paintOf(state: GraphicsState, painted: number, hides: boolean): TextPaint {
    const before = this.#textPaint;
    if (before !== undefined && !this.#isOld) return before;
    this.#isOld = false;
    const { mode, fill, stroke, clip } = state;
    const kind = mode % 4;
    const colours = kind === 1 ? [stroke] : kind === 2 ? [fill, stroke] : [fill];
    const alpha = alphaOf(state, kind === 1 ? state.strokeAlpha : state.fillAlpha);
    const absent = kind === 3 || alpha < faint || hides;
    const isSame =
      before?.order === painted &&
      before.absent === absent &&
      before.clip === clip &&
      before.alpha === alpha &&
      before.colours.length === colours.length &&
      before.colours.every((colour, index) => isSameColour(colour, colours[index]));
    const textPaint = isSame ? before : { colours, alpha, absent, clip, order: painted };
    this.#textPaint = textPaint;
    return textPaint;
  }
}

function isSameColour(a: Colour, b: Colour): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a[0] === b[0] && a[1] === b[1] && a[2] === b[2];
}

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
