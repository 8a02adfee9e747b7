import { mix, stands, white, type Colour } from './colours.js';
import { areaOf, type Box } from './matrix.js';

/** Visible content besides text: a filled path, a wide line, or a picture. */
export interface Paint {
  box: Box;
  /** Undefined for several colours or an unknown one. */
  colour: Colour;
  /** From 0 (invisible) to 1 (opaque). */
  alpha: number;
  /** True when it covers all of its box: a rectangle, not another path. */
  solid: boolean;
  /** True when it surely hides what is beneath. */
  hides: boolean;
  /** The number of painted things when this one was painted, including it. */
  order: number;
}

/** In square points; nobody could see a smaller area. */
const leastArea = 1;
/** Drawings have hundreds of thousands of strokes. Beyond this number, only paint that could hide a word is kept. */
const maxPaints = 20_000;
const wordArea = 400;
/** The positions along a run at which its cover is tested. */
const samples = [0.05, 0.25, 0.5, 0.75, 0.95];

/** The paint of a page, to find out which text contrasts with its ground and which is covered. */
export class Paints {
  readonly #paints: Paint[] = [];
  readonly #covers: Paint[] = [];
  readonly #scans: Box[] = [];
  #scanArea = 0;
  /** Some paint was not kept, so hidden text may have been missed. */
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

  /** Adds a picture with enough detail to be scanned paper. */
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
   * True when text of one of these colours contrasts with the ground beneath its middle. The page itself is white.
   * @param order the number of painted things before the text
   */
  shows(colours: readonly Colour[], alpha: number, box: Box, order: number): boolean {
    const ground = this.#groundAt((box.left + box.right) / 2, (box.top + box.bottom) / 2, order);
    return colours.some((colour) => stands(mix(colour, ground, alpha), ground));
  }

  /** True when later paint hides the whole box, alone or several side by side. */
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
      // The ground beneath an oval or a picture is unknown.
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
