import type { Area } from '../../layout/page.js';
import { areaOf, intersect, type Box } from './matrix.js';

/** In points: what is painted closer together belongs to one drawing. */
const reach = 6;
/** Slanted or curved pieces. Fewer make an ornament, or the corners of a box. */
const leastPieces = 8;
/** In points. Icons and list marks are smaller. */
const leastWidth = 60;
const leastHeight = 36;
/** The drawing is as large as its slanted and curved pieces, unless they extend over this share of all that it touches. */
const spread = 0.4;
/** What is painted on more of the page is its ground. */
const largest = 0.6;
/** On one page, after neighbours in the order of painting were joined. */
const maxParts = 400;

interface Part {
  box: Box;
  /** The box around what is slanted or curved. */
  odd?: Box;
  pieces: number;
}

function around(a: Box | undefined, b: Box | undefined): Box | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

function isNear(a: Box, b: Box): boolean {
  return (
    a.left <= b.right + reach &&
    a.right >= b.left - reach &&
    a.top <= b.bottom + reach &&
    a.bottom >= b.top - reach
  );
}

function join(a: Part, b: Part): void {
  a.box = around(a.box, b.box) ?? a.box;
  const odd = around(a.odd, b.odd);
  if (odd !== undefined) a.odd = odd;
  a.pieces += b.pieces;
}

function gather(parts: readonly Part[]): Part[] {
  let rest = [...parts];
  for (let before = Infinity; rest.length < before;) {
    before = rest.length;
    const joined: Part[] = [];
    for (const part of rest) {
      const near = joined.find((other) => isNear(other.box, part.box));
      if (near === undefined) joined.push(part);
      else join(near, part);
    }
    rest = joined;
  }
  return rest;
}

/** Finds the places of a page where curves and slanted lines are painted side by side, and its pictures. */
export class Drawings {
  readonly #parts: Part[] = [];
  readonly #pictures: Box[] = [];
  #pieces = 0;

  /** @param pieces the number of slanted and curved pieces */
  addPath(path: Box, clip: Box, pieces: number): void {
    const box = intersect(path, clip);
    if (box.right < box.left || box.bottom < box.top) return;
    this.#pieces += pieces;
    const part: Part = { box, pieces, ...(pieces > 0 && { odd: box }) };
    const last = this.#parts.at(-1);
    if (last !== undefined && isNear(last.box, box)) join(last, part);
    else if (this.#parts.length < maxParts) this.#parts.push(part);
  }

  addPicture(box: Box): void {
    if (this.#pictures.length < maxParts) this.#pictures.push(box);
  }

  areas(width: number, height: number): Area[] {
    const page = { left: 0, top: 0, right: width, bottom: height };
    const ground = largest * areaOf(page);
    const shown = this.#parts.filter(({ box }) => areaOf(box) < ground);
    const drawn = this.#pieces < leastPieces ? [] : gather(shown);
    const found = drawn.flatMap(({ box, odd, pieces }) => {
      if (odd === undefined || pieces < leastPieces) return [];
      const isSpread =
        odd.right - odd.left >= spread * (box.right - box.left) &&
        odd.bottom - odd.top >= spread * (box.bottom - box.top);
      return [isSpread ? box : odd];
    });
    return [...found, ...this.#pictures]
      .map((box) => intersect(box, page))
      .filter((box) => box.right - box.left >= leastWidth && box.bottom - box.top >= leastHeight)
      .filter((box) => areaOf(box) < ground);
  }
}
