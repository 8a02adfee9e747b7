import type { Rule } from '../layout/page.js';
import { intersect, type Box } from './matrix.js';
import type { Path } from './path.js';

/** A line is no broader than this, in points; what is broader is an area. */
const breadth = 2.5;
/** Shorter than this, in points, it is a dash or a bullet. */
const leastLength = 4;
/** Tables have hundreds of rules, drawings have hundreds of thousands. */
const maxRules = 6000;

function toRule(box: Box): Rule | undefined {
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  if (height <= breadth && width >= leastLength) {
    return { across: true, at: (box.top + box.bottom) / 2, from: box.left, to: box.right };
  }
  if (width <= breadth && height >= leastLength) {
    return { across: false, at: (box.left + box.right) / 2, from: box.top, to: box.bottom };
  }
  return undefined;
}

function sidesOf({ left, top, right, bottom }: Box): Box[] {
  return [
    { left, right, top, bottom: top },
    { left, right, top: bottom, bottom },
    { left, right: left, top, bottom },
    { left: right, right, top, bottom },
  ];
}

/** The straight lines that a page draws: between the cells of a table, around boxes, under headings. */
export class Rules {
  readonly all: Rule[] = [];

  addStroked(path: Path, clip: Box): void {
    for (const side of path.sides) this.#add(side, clip);
    for (const box of path.rectangles) for (const side of sidesOf(box)) this.#add(side, clip);
  }

  /** Many producers fill narrow rectangles instead of drawing lines. */
  addFilled(path: Path, clip: Box): void {
    for (const box of path.rectangles) this.#add(box, clip);
    if (path.isBox && path.rectangles.length === 0 && path.box !== undefined) {
      this.#add(path.box, clip);
    }
  }

  #add(box: Box, clip: Box): void {
    if (this.all.length >= maxRules) return;
    const rule = toRule(intersect(box, clip));
    if (rule !== undefined) this.all.push(rule);
  }
}
