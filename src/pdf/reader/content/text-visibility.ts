import { type HiddenReason, reasonUnseen } from '../../layout/page.js';
import type { Colour } from './colours.js';
import { alphaOf, faint, type GraphicsState } from './graphics-state.js';
import { areaOf, type Box, intersect } from './matrix.js';
import type { Paints } from './paints.js';
import type { FinishedRun } from './run-builder.js';

/** The paint of a run, as far as it decides whether the run is visible. */
export interface TextPaint {
  /** The colours of the letters, and of their outlines if those are drawn too. */
  colours: readonly Colour[];
  alpha: number;
  /** Draws nothing: rendering mode 3, no opacity, or a hidden layer. */
  absent: boolean;
  clip: Box;
  /** The number of things painted before. */
  order: number;
}

/** Caches the text paint of a state. The object stays the same until the state changes, so that a run can continue. */
export class TextPaintCache {
  #textPaint: TextPaint | undefined;
  #isOld = true;

  /** Call it when a part of the state that affects text paint has changed. */
  invalidate(): void {
    this.#isOld = true;
  }

  /**
   * @param painted the number of painted things
   * @param hides true when a hidden layer contains the text
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

/** Pictures over this share of the page are a scan of the page, in one piece or in strips. */
const scanShare = 0.3;
/** On a scan, the invisible recognised text has at least this share of the visible letters (a stamp, a notice). */
const recognisedShare = 1 / 3;
/** This share of the text on the page and inside the clipping path must remain visible. */
const seenShare = 0.15;

/** Decides which text of a page is visible. */
export class TextVisibility {
  /** Invisible text on a scan comes from text recognition, and the picture shows the same text. */
  readonly isScan: boolean;

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
    this.isScan = hasScan && unseen >= recognisedShare * seen;
  }

  reasonHidden(finished: FinishedRun<TextPaint>): HiddenReason | undefined {
    const { run, quarter, box, textPaint } = finished;
    const unseen = reasonUnseen(run, quarter, this);
    if (unseen !== undefined) return unseen;
    if (!this.#isWithin(box, textPaint.clip)) return 'off_page';
    if (this.isScan && this.paints.isOnScan(box)) return undefined;
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
    // A run without width or height still needs an area.
    const whole = {
      ...box,
      right: Math.max(box.right, box.left + 0.1),
      bottom: Math.max(box.bottom, box.top + 0.1),
    };
    return areaOf(intersect(whole, intersect(page, clip))) >= seenShare * areaOf(whole);
  }
}
