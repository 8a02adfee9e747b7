import { boxAround, type Box, type Matrix } from './matrix.js';
import { numberAt as num, type Operands } from './operands.js';

/** The path under construction (ISO 32000-1, 8.5), as the box around it in page coordinates. */
export class Path {
  box: Box | undefined;
  /** Whether the path is its box: a rectangle along the axes. */
  isBox = false;
  #parts = 0;
  #x = 0;
  #y = 0;

  /** Takes a construction operator; answers false for any other. */
  operate(operator: string, operands: Operands, matrix: Matrix): boolean {
    switch (operator) {
      case 're':
        this.#addRectangle(operands, matrix);
        return true;
      case 'm':
      case 'l':
        this.#addPoint(num(operands, 0), num(operands, 1), matrix);
        return true;
      case 'c':
        this.#addPoint(num(operands, 0), num(operands, 1), matrix);
        this.#addPoint(num(operands, 2), num(operands, 3), matrix);
        this.#addPoint(num(operands, 4), num(operands, 5), matrix);
        return true;
      case 'v':
      case 'y':
        this.#addPoint(num(operands, 0), num(operands, 1), matrix);
        this.#addPoint(num(operands, 2), num(operands, 3), matrix);
        return true;
      case 'h':
        return true;
      default:
        return false;
    }
  }

  clear(): void {
    this.box = undefined;
    this.isBox = false;
    this.#parts = 0;
  }

  #addRectangle(operands: Operands, matrix: Matrix): void {
    const [x, y] = [num(operands, 0), num(operands, 1)];
    const [a, b, c, d] = matrix;
    const isStraight = (b === 0 && c === 0) || (a === 0 && d === 0);
    const isFirst = this.box === undefined;
    this.#extend(boxAround(matrix, x, y, x + num(operands, 2), y + num(operands, 3)));
    this.isBox = isStraight && isFirst;
  }

  #addPoint(x: number, y: number, [a, b, c, d, e, f]: Matrix): void {
    const pageX = a * x + c * y + e;
    const pageY = b * x + d * y + f;
    // A rectangle drawn by its sides is one as long as each of them lies along an axis.
    const isSide = Math.abs(pageX - this.#x) < 0.01 || Math.abs(pageY - this.#y) < 0.01;
    const isFirst = this.box === undefined;
    const wasBox = this.isBox;
    this.#extend({ left: pageX, right: pageX, top: pageY, bottom: pageY });
    this.isBox = isFirst || (wasBox && isSide && this.#parts <= 5);
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
