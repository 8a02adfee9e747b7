import type { Colour } from './colours.js';
import { alphaOf, faint, type GraphicsState } from './graphics-state.js';
import type { Box } from './matrix.js';

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
