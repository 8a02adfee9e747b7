import { mix, stands, white, type Colour } from './colours.js';
import { areaOf, type Box } from './matrix.js';
import type { Outline } from './outline.js';

/** Visible content besides text: a filled path, a wide line, or a picture. */
export interface Paint {
  box: Box;
  /** Undefined for several colours or an unknown one. */
  colour: Colour;
  /** From 0 (invisible) to 1 (opaque). */
  alpha: number;
  /** True when it covers all of its outline, or all of its box if there is no outline. */
  solid: boolean;
  /** The exact shape of a path that is no rectangle. */
  outline?: Outline;
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
/** The positions along and across a run at which its ground and its cover are tested. */
const along = [0.05, 0.25, 0.5, 0.75, 0.95];
const across = [0.1, 0.5, 0.9];
/** This share of a run must stand out from its ground. */
const shownShare = 1 / 3;
/** Text is covered when this share of it is. A line through the letters covers less. */
const coveredShare = 0.8;

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
    return this.#scans.some((scan) => holds(scan, x, y));
  }

  /**
   * True when enough of the text in one of these colours contrasts with the ground beneath it. The page itself is
   * white.
   * @param order the number of painted things before the text
   */
  shows(colours: readonly Colour[], alpha: number, box: Box, order: number): boolean {
    const below = this.#below(box, order);
    const isEven = below.every((paint) => isWithin(box, paint));
    const places = isEven ? [middleOf(box)] : placesIn(box);
    const shown = places.filter(([x, y]) => {
      const ground = groundAt(below, x, y);
      return colours.some((colour) => stands(mix(colour, ground, alpha), ground));
    });
    return shown.length >= shownShare * places.length;
  }

  /** True when later paint hides nearly all of the box, alone or several side by side. */
  covers(box: Box, order: number): boolean {
    if (this.#covers.length === 0) return false;
    const near = this.#covers.filter((cover) => cover.order > order && touches(cover.box, box));
    if (near.length === 0) return false;
    const places = placesIn(box);
    const covered = places.filter(([x, y]) => near.some((cover) => has(cover, x, y)));
    return covered.length >= coveredShare * places.length;
  }

  /** The paint beneath a box, the last first, down to one that hides what is beneath. */
  #below(box: Box, order: number): Paint[] {
    const below: Paint[] = [];
    for (let at = this.#paints.length - 1; at >= 0; at--) {
      const paint = this.#paints[at];
      if (paint === undefined || paint.order > order || !touches(paint.box, box)) continue;
      below.push(paint);
      if (paint.alpha > opaque && isWithin(box, paint)) break;
    }
    return below;
  }
}

const opaque = 0.98;

function groundAt(below: readonly Paint[], x: number, y: number): Colour {
  const glazes: Paint[] = [];
  let ground: Colour = white;
  for (const paint of below) {
    if (!has(paint, x, y)) continue;
    // The ground beneath a picture or an intricate shape is unknown.
    if (!paint.solid || paint.colour === undefined) return undefined;
    if (paint.alpha > opaque) {
      ground = paint.colour;
      break;
    }
    glazes.push(paint);
  }
  return glazes.reduceRight<Colour>(
    (under, glaze) => mix(glaze.colour, under, glaze.alpha),
    ground,
  );
}

function middleOf({ left, top, right, bottom }: Box): [number, number] {
  return [(left + right) / 2, (top + bottom) / 2];
}

function placesIn({ left, top, right, bottom }: Box): [number, number][] {
  const width = right - left;
  const height = bottom - top;
  const [xs, ys] = width >= height ? [along, across] : [across, along];
  return xs.flatMap((x) => ys.map((y): [number, number] => [left + x * width, top + y * height]));
}

function touches(a: Box, b: Box): boolean {
  return a.top <= b.bottom && a.bottom >= b.top && a.left <= b.right && a.right >= b.left;
}

/** True when the paint surely covers the whole box. */
function isWithin(box: Box, paint: Paint): boolean {
  return (
    paint.outline === undefined &&
    paint.box.left <= box.left &&
    paint.box.right >= box.right &&
    paint.box.top <= box.top &&
    paint.box.bottom >= box.bottom
  );
}

function has({ box, outline }: Paint, x: number, y: number): boolean {
  if (!holds(box, x, y)) return false;
  return outline === undefined || outline.has(x, y);
}

function holds({ left, top, right, bottom }: Box, x: number, y: number): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}
