import { areaOf, boxAround, intersect, type Box, type Matrix } from './matrix.js';
import { Outline } from './outline.js';
import { numberAt as num, type Operands } from '../syntax/objects.js';

/** In points: a side this close to an axis counts as parallel. */
const straight = 0.5;
const maxSides = 2000;
/** In points: a curve may be drawn in steps of at most this length, of which none is slanted by itself. */
const step = 1;
/** With more rectangles in one path, their arrangement is not examined. */
const maxCompared = 64;

/** The path under construction (ISO 32000-1, 8.5), as its bounding box in page coordinates. */
export class Path {
  box: Box | undefined;
  /** True when the path equals its box: a rectangle along the axes. */
  isBox = false;
  /** Its sides parallel to an axis, as boxes without width, and its rectangles. */
  sides: Box[] = [];
  rectangles: Box[] = [];
  #pieces = 0;
  #outline = new Outline();
  #parts = 0;
  #startX = 0;
  #startY = 0;
  #x = 0;
  #y = 0;
  /** Where the last piece ended. */
  #pieceX = 0;
  #pieceY = 0;

  /** Applies a construction operator; returns false for any other. */
  operate(operator: string, operands: Operands, matrix: Matrix): boolean {
    switch (operator) {
      case 're':
        this.#addRectangle(operands, matrix);
        return true;
      case 'm':
        this.#addPoint(num(operands, 0), num(operands, 1), matrix);
        this.#outline.begin(this.#x, this.#y);
        this.#startX = this.#pieceX = this.#x;
        this.#startY = this.#pieceY = this.#y;
        return true;
      case 'l':
        this.#addSide(num(operands, 0), num(operands, 1), matrix);
        return true;
      case 'c':
        this.#addCurve(operands, [0, 2, 4], matrix);
        return true;
      case 'v':
        this.#addCurve(operands, [undefined, 0, 2], matrix);
        return true;
      case 'y':
        this.#addCurve(operands, [0, 2, 2], matrix);
        return true;
      case 'h':
        this.#noteSide(this.#x, this.#y, this.#startX, this.#startY);
        return true;
      default:
        return false;
    }
  }

  /** The exact shape, unless it is intricate. */
  get outline(): Outline | undefined {
    return this.#outline.isTooLong ? undefined : this.#outline;
  }

  /** The number of slanted and curved pieces. The round corners of a box do not count. */
  get pieces(): number {
    return this.#pieces <= 8 && this.sides.length >= 4 ? 0 : this.#pieces;
  }

  clear(): void {
    this.box = undefined;
    this.isBox = false;
    this.#parts = 0;
    this.#pieces = 0;
    if (this.#outline.size > 0) this.#outline = new Outline();
    if (this.sides.length > 0) this.sides = [];
    if (this.rectangles.length > 0) this.rectangles = [];
  }

  /** True when the path consists of rectangles side by side. A rectangle inside another may be a hole. */
  get isRectangles(): boolean {
    const { rectangles } = this;
    if (this.#parts === 0 || rectangles.length !== this.#parts) return false;
    return (
      rectangles.length <= maxCompared &&
      rectangles.every((box, index) =>
        rectangles.slice(0, index).every((other) => areaOf(intersect(box, other)) === 0),
      )
    );
  }

  #addSide(x: number, y: number, matrix: Matrix): void {
    const [fromX, fromY] = [this.#x, this.#y];
    this.#addPoint(x, y, matrix);
    this.#outline.add(this.#x, this.#y);
    this.#noteSide(fromX, fromY, this.#x, this.#y);
  }

  /** @param at where the points are among the operands; undefined is the current point */
  #addCurve(
    operands: Operands,
    at: readonly [number | undefined, number, number],
    matrix: Matrix,
  ): void {
    const points: number[] = [];
    for (const index of at) {
      if (index !== undefined) {
        this.#addPoint(num(operands, index), num(operands, index + 1), matrix);
      }
      points.push(this.#x, this.#y);
    }
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = points;
    this.isBox = false;
    this.#pieces++;
    this.#outline.addCurve(x1, y1, x2, y2, x3, y3);
  }

  #noteSide(x0: number, y0: number, x1: number, y1: number): void {
    const isStep = Math.abs(x0 - x1) < step && Math.abs(y0 - y1) < step;
    const [fromX, fromY] = isStep ? [this.#pieceX, this.#pieceY] : [x0, y0];
    const isSlanted = Math.abs(fromX - x1) > straight && Math.abs(fromY - y1) > straight;
    if (isSlanted) this.#pieces++;
    if (isSlanted || !isStep) [this.#pieceX, this.#pieceY] = [x1, y1];
    if (isSlanted) return;
    if (this.sides.length >= maxSides) return;
    const [left, right] = x0 < x1 ? [x0, x1] : [x1, x0];
    const [top, bottom] = y0 < y1 ? [y0, y1] : [y1, y0];
    this.sides.push({ left, top, right, bottom });
  }

  #addRectangle(operands: Operands, matrix: Matrix): void {
    const [x, y] = [num(operands, 0), num(operands, 1)];
    const [a, b, c, d, e, f] = matrix;
    const isStraight = (b === 0 && c === 0) || (a === 0 && d === 0);
    const isFirst = this.box === undefined;
    const box = boxAround(matrix, x, y, x + num(operands, 2), y + num(operands, 3));
    this.#extend(box);
    this.isBox = isStraight && isFirst;
    if (isStraight && this.rectangles.length < maxSides) this.rectangles.push(box);
    const [width, height] = [num(operands, 2), num(operands, 3)];
    const [cornerX, cornerY] = [a * x + c * y + e, b * x + d * y + f];
    this.#outline.begin(cornerX, cornerY);
    this.#outline.add(cornerX + a * width, cornerY + b * width);
    this.#outline.add(cornerX + a * width + c * height, cornerY + b * width + d * height);
    this.#outline.add(cornerX + c * height, cornerY + d * height);
  }

  #addPoint(x: number, y: number, [a, b, c, d, e, f]: Matrix): void {
    const pageX = a * x + c * y + e;
    const pageY = b * x + d * y + f;
    // A rectangle drawn by its sides stays one as long as each side is parallel to an axis.
    const isSide = Math.abs(pageX - this.#x) < 0.01 || Math.abs(pageY - this.#y) < 0.01;
    const isFirst = this.box === undefined;
    const wasBox = this.isBox;
    this.#extend({ left: pageX, right: pageX, top: pageY, bottom: pageY });
    this.isBox = isFirst || (wasBox && isSide && this.#parts <= 12);
    this.#x = pageX;
    this.#y = pageY;
  }

  #extend(box: Box): void {
    const before = this.box;
    this.#parts++;
    this.box =
      before === undefined
        ? box
        : {
            left: Math.min(before.left, box.left),
            top: Math.min(before.top, box.top),
            right: Math.max(before.right, box.right),
            bottom: Math.max(before.bottom, box.bottom),
          };
  }
}
