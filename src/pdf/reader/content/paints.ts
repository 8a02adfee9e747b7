import { mix, stands, white, type Colour } from './colours.js';
import { areaOf, type Box } from './matrix.js';

/** Something that the page shows beside its text: a filled path, a broad line, or a picture. */
export interface Paint {
  box: Box;
  /** undefined where it has more colours than one, or none that is known. */
  colour: Colour;
  /** From 0, not there, to 1, opaque. */
  alpha: number;
  /** Whether all of its box is covered: a rectangle, not some other path. */
  solid: boolean;
  /** Whether it surely hides what lies beneath. */
  hides: boolean;
  /** How many things had been painted with it. */
  order: number;
}

/** What no one could see, in square points. */
const leastArea = 1;
/** Drawings have hundreds of thousands of strokes: beyond so many, only what could hide a word is kept. */
const maxPaints = 20_000;
const wordArea = 400;
/** Where along a run it is asked whether it is covered. */
const samples = [0.05, 0.25, 0.5, 0.75, 0.95];

/** What a page has been painted with, to tell which text stands out from its ground and which lies under paint. */
export class Paints {
  readonly #paints: Paint[] = [];
  readonly #covers: Paint[] = [];
  readonly #scans: Box[] = [];
  #scanArea = 0;
  /** More was painted than was kept: hidden text may have been missed. */
  overflows = false;

  add(paint: Paint): void {
    const area = areaOf(paint.box);
    if (!(area >= leastArea)) return;
    const count = this.#paints.length;
    if (count >= 2 * maxPaints || (count >= maxPaints && area < wordArea)) {
      this.overflows = true;
      return;
    }
    this.#paints.push(paint);
    if (paint.hides) this.#covers.push(paint);
  }

  /** A picture with enough detail to be scanned paper. */
  addScan(box: Box): void {
    this.#scans.push(box);
    this.#scanArea += areaOf(box);
  }

  /** The area of pictures that may be scanned paper, in square points. */
  get scanArea(): number {
    return this.#scanArea;
  }

  isOnScan(box: Box): boolean {
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    return this.#scans.some((scan) => has(scan, x, y));
  }

  /**
   * Whether text of any of these colours can be told from what lies beneath its middle. The page itself is white.
   * @param order how many things had been painted before the text
   */
  shows(colours: readonly Colour[], alpha: number, box: Box, order: number): boolean {
    const ground = this.#groundAt((box.left + box.right) / 2, (box.top + box.bottom) / 2, order);
    return colours.some((colour) => stands(mix(colour, ground, alpha), ground));
  }

  /** Whether things painted later hide the box wholly, one of them or several side by side. */
  covers(box: Box, order: number): boolean {
    if (this.#covers.length === 0) return false;
    const near = this.#covers.filter(
      (cover) =>
        cover.order > order &&
        cover.box.top < box.bottom &&
        cover.box.bottom > box.top &&
        cover.box.left < box.right &&
        cover.box.right > box.left,
    );
    if (near.length === 0) return false;
    const y = (box.top + box.bottom) / 2;
    const x = (box.left + box.right) / 2;
    const isWide = box.right - box.left >= box.bottom - box.top;
    return samples.every((share) => {
      const at = isWide
        ? [box.left + share * (box.right - box.left), y]
        : [x, box.top + share * (box.bottom - box.top)];
      return near.some((cover) => has(cover.box, at[0] ?? x, at[1] ?? y));
    });
  }

  #groundAt(x: number, y: number, order: number): Colour {
    const glazes: Paint[] = [];
    let ground: Colour = white;
    for (let at = this.#paints.length - 1; at >= 0; at--) {
      const paint = this.#paints[at];
      if (paint === undefined || paint.order > order || !has(paint.box, x, y)) continue;
      // What is beneath an oval or a picture is anybody's guess.
      if (!paint.solid || paint.colour === undefined) return undefined;
      if (paint.alpha > 0.98) {
        ground = paint.colour;
        break;
      }
      glazes.push(paint);
    }
    return glazes.reduceRight<Colour>(
      (below, glaze) => mix(glaze.colour, below, glaze.alpha),
      ground,
    );
  }
}

function has({ left, top, right, bottom }: Box, x: number, y: number): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}
