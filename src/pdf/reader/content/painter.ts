import type { Dict, Stream } from '../syntax/objects.js';
import { isTint, type Colour } from './colours.js';
import { alphaOf, faint, type GraphicsState } from './graphics-state.js';
import { areaOf, boxAround, intersect, type Box, type Matrix } from './matrix.js';
import { Drawings } from './drawings.js';
import type { Outline } from './outline.js';
import { Paints } from './paints.js';
import type { Path } from './path.js';
import type { Rule } from '../../layout/page.js';

/** Lines of at least this width, in points, look like areas. */
const broad = 2;
/** The size range of a drawn list mark, in points. */
const leastSpot = 1.2;
const largestSpot = 8;
const maxSpots = 500;
/** Scanned paper has at least this many pixels per point. Fewer are a few dots enlarged to hide text. */
const leastDetail = 0.1;
/** Smaller shapes hide no word. In square points. */
const leastShape = 50;
/** In points: a shaded box is at least as large as a short line of text. */
const leastShade = { width: 40, height: 8 };
const maxShades = 400;
/** On one page; the shapes beyond are not tested exactly. */
const maxOutlinePoints = 20_000;

/** A picture where the page shows it. The matrix maps the unit square to the page. */
export interface Picture {
  image: Stream;
  matrix: Matrix;
  clip: Box;
}

/** Scans in strips have some hundred pictures. */
const maxPictures = 2000;

/** Records what a page paints, with the graphics state at that moment. */
export class Painter {
  readonly paints = new Paints();
  readonly rules = new Rules();
  readonly drawings = new Drawings();
  /** Small spots: producers without a bullet letter draw list marks this way. */
  readonly spots: Box[] = [];
  /** Boxes filled with a light colour: the grounds of listings, notes and cells. */
  readonly shades: Box[] = [];
  readonly pictures: Picture[] = [];
  /** The number of painted things. */
  count = 0;
  #outlinePoints = 0;

  fill(path: Path, state: GraphicsState, isEvenOdd: boolean): void {
    if (path.box === undefined || alphaOf(state, state.fillAlpha) <= faint) return;
    this.rules.addFilled(path, state.clip);
    this.drawings.addPath(path.box, state.clip, path.pieces);
    const boxes = path.isRectangles ? path.rectangles : [path.box];
    for (const box of boxes) this.#noteSpot(box);
    if (path.isBox || path.isRectangles) for (const box of boxes) this.#noteShade(box, state);
    const isExact = path.isBox || path.isRectangles;
    const outline = isExact ? undefined : this.#outlineOf(path, isEvenOdd);
    const solid = isExact || outline !== undefined;
    for (const box of boxes) this.#add(box, state, state.fill, state.fillAlpha, solid, outline);
  }

  #outlineOf(path: Path, isEvenOdd: boolean): Outline | undefined {
    const { box, outline } = path;
    if (box === undefined || outline === undefined || areaOf(box) < leastShape) return undefined;
    if (this.#outlinePoints + outline.size > maxOutlinePoints) return undefined;
    this.#outlinePoints += outline.size;
    outline.isEvenOdd = isEvenOdd;
    return outline;
  }

  stroke(path: Path, state: GraphicsState): void {
    if (path.box === undefined || alphaOf(state, state.strokeAlpha) <= faint) return;
    this.rules.addStroked(path, state.clip);
    this.drawings.addPath(path.box, state.clip, path.pieces);
    const [a, b, c, d] = state.matrix;
    const half = (state.lineWidth * Math.sqrt(Math.abs(a * d - b * c))) / 2;
    if (2 * half < broad) return;
    for (const { left, right, top, bottom } of path.sides) {
      const isAcross = right - left >= bottom - top;
      const [x, y] = isAcross ? [0, half] : [half, 0];
      const box = { left: left - x, right: right + x, top: top - y, bottom: bottom + y };
      this.#noteSpot(box);
      this.#add(box, state, state.stroke, state.strokeAlpha, true);
    }
  }

  #noteSpot(box: Box): void {
    const width = box.right - box.left;
    const height = box.bottom - box.top;
    const isRound = width < 1.5 * height && height < 1.5 * width;
    if (isRound && width >= leastSpot && width <= largestSpot && this.spots.length < maxSpots) {
      this.spots.push(box);
    }
  }

  #noteShade(whole: Box, state: GraphicsState): void {
    const { left, right, top, bottom } = intersect(whole, state.clip);
    const isLarge = right - left >= leastShade.width && bottom - top >= leastShade.height;
    if (isLarge && isTint(state.fill) && this.shades.length < maxShades) {
      this.shades.push({ left, right, top, bottom });
    }
  }

  /** A shading fills the whole clipping path. */
  shade(state: GraphicsState): void {
    this.#add(state.clip, state, undefined, state.fillAlpha, true);
  }

  /** @param stream the picture's data, unless they stand in the content itself */
  drawImage(state: GraphicsState, image: Dict, stream?: Stream): void {
    const whole = boxAround(state.matrix, 0, 0, 1, 1);
    const box = intersect(whole, state.clip);
    if (areaOf(box) <= 0) return;
    this.drawings.addPicture(box);
    if (isDot(image)) this.rules.add(whole, state.clip);
    if (stream !== undefined && this.pictures.length < maxPictures) {
      this.pictures.push({ image: stream, matrix: state.matrix, clip: state.clip });
    }
    const hides =
      !isTransparent(image) && isPlain(state) && state.fillAlpha > 1 - faint && state.clipIsBox;
    this.paints.add({ box, colour: undefined, alpha: 1, solid: true, hides, order: ++this.count });
    const [width, height] = [image.number('Width') ?? 0, image.number('Height') ?? 0];
    const detail = Math.sqrt((width * height) / Math.max(1, areaOf(whole)));
    if (detail >= leastDetail) this.paints.addScan(box);
  }

  #add(
    box: Box,
    state: GraphicsState,
    colour: Colour,
    alpha: number,
    solid: boolean,
    outline?: Outline,
  ): void {
    const plain = isPlain(state);
    const isWhole = solid && state.clipIsBox;
    const opacity = alphaOf(state, alpha);
    this.paints.add({
      box: intersect(box, state.clip),
      colour: plain ? colour : undefined,
      alpha: opacity,
      solid: isWhole,
      hides: isWhole && plain && colour !== undefined && opacity > 1 - faint,
      order: ++this.count,
      ...(outline !== undefined && { outline }),
    });
  }
}

function isPlain(state: GraphicsState): boolean {
  return !state.blended && !state.masked && !state.groupIsMixed;
}

/** True for a mask of one dot, which printer drivers stretch to a rule. */
export function isDot(image: Dict): boolean {
  const isSingle = image.number('Width') === 1 && image.number('Height') === 1;
  return isSingle && image.get('ImageMask') === true;
}

function isTransparent(image: Dict): boolean {
  return (
    image.get('SMask') !== null || image.get('Mask') !== null || image.get('ImageMask') === true
  );
}

/** The maximum width of a line, in points; anything wider is an area. */
const breadth = 2.5;
/** The minimum length of a line, in points; anything shorter is a dash or a bullet. */
const leastLength = 4;
/** A fine line of this length may be the bar of a fraction of two small digits. */
const leastBar = { length: 3, breadth: 0.7 };
/** Tables have hundreds of rules, drawings hundreds of thousands. */
const maxRules = 6000;

function toRule(box: Box): Rule | undefined {
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  const isBar = height <= leastBar.breadth && width >= leastBar.length;
  if (isBar || (height <= breadth && width >= leastLength)) {
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

/** Collects the straight lines of a page: between table cells, around boxes, under headings. */
class Rules {
  readonly all: Rule[] = [];

  addStroked(path: Path, clip: Box): void {
    for (const side of path.sides) this.add(side, clip);
    for (const box of path.rectangles) for (const side of sidesOf(box)) this.add(side, clip);
  }

  /** Many producers fill narrow shapes instead of drawing lines: rectangles, or lines with their ends cut off. */
  addFilled(path: Path, clip: Box): void {
    for (const box of path.rectangles) this.add(box, clip);
    if (path.rectangles.length === 0 && path.box !== undefined) this.add(path.box, clip);
  }

  add(box: Box, clip: Box): void {
    if (this.all.length >= maxRules) return;
    const rule = toRule(intersect(box, clip));
    if (rule !== undefined) this.all.push(rule);
  }
}
