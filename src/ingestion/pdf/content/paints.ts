import { stands, white, type Colour } from './colours.js';
import { areaOf, holds, type Box } from './matrix.js';

/** Something opaque on the page: a filled path, or a picture. */
export interface Paint {
  box: Box;
  /** undefined where it has more colours than one, or none that is known. */
  colour: Colour;
  /** Whether all of its box is covered: a rectangle, not some other path. */
  solid: boolean;
  /** How many things had been painted with it. */
  order: number;
}

/** Drawings have hundreds of thousands of strokes; what lies under text is among the first or the large ones. */
const maxPaints = 20_000;
/** Smaller than a letter, in square points. */
const smallArea = 12;
const maxCovers = 400;

/** What a page has been painted with, to tell which text stands out from its ground and which lies under paint. */
export class Paints {
  readonly #paints: Paint[] = [];
  #imageArea = 0;

  add(paint: Paint): void {
    if (areaOf(paint.box) < smallArea || this.#paints.length >= maxPaints) return;
    this.#paints.push(paint);
  }

  addImage(box: Box, order: number): void {
    this.#imageArea = Math.max(this.#imageArea, areaOf(box));
    this.add({ box, colour: undefined, solid: true, order });
  }

  /** The area of the largest picture, in square points. */
  get imageArea(): number {
    return this.#imageArea;
  }

  /**
   * Whether text of this colour can be told from what lies beneath its middle. The page itself is white.
   * @param order how many things had been painted before the text
   */
  showsOn(colour: Colour, box: Box, order: number): boolean {
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    for (let at = this.#paints.length - 1; at >= 0; at--) {
      const paint = this.#paints[at];
      if (paint === undefined || paint.order > order) continue;
      const { left, right, top, bottom } = paint.box;
      if (x >= left && x <= right && y >= top && y <= bottom) {
        return stands(colour, paint.solid ? paint.colour : undefined);
      }
    }
    return stands(colour, white);
  }

  /** Opaque rectangles of one colour, the largest ones: what text can be hidden under. Pictures do not count: a scan lies over the text that was recognised in it. */
  covers(): Paint[] {
    return this.#paints
      .filter((paint) => paint.solid && paint.colour !== undefined)
      .sort((a, b) => areaOf(b.box) - areaOf(a.box))
      .slice(0, maxCovers);
  }
}

/** Whether something painted later hides the box wholly. */
export function isCovered(box: Box, order: number, covers: readonly Paint[]): boolean {
  return covers.some((cover) => cover.order > order && holds(cover.box, box));
}
