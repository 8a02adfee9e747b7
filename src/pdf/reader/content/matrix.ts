/** [a b c d e f]: x' = a x + c y + e, y' = b x + d y + f (ISO 32000-1, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** First `b`, then `a`. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  return [
    a[0] * b[0] + a[2] * b[1],
    a[1] * b[0] + a[3] * b[1],
    a[0] * b[2] + a[2] * b[3],
    a[1] * b[2] + a[3] * b[3],
    a[0] * b[4] + a[2] * b[5] + a[4],
    a[1] * b[4] + a[3] * b[5] + a[5],
  ];
}

export function toMatrix(values: readonly unknown[]): Matrix {
  const at = (index: number) => {
    const value = values[index];
    return typeof value === 'number' && Number.isFinite(value) ? value : 0;
  };
  return [at(0), at(1), at(2), at(3), at(4), at(5)];
}

/** Quarter turns clockwise of a baseline with this direction on the page; -1 when it is slanted. */
export function quarterOf(x: number, y: number): number {
  const turns = Math.atan2(y, x) / (Math.PI / 2);
  const whole = Math.round(turns);
  return Math.abs(turns - whole) < 0.05 ? (whole + 4) % 4 : -1;
}

/** A rectangle parallel to the axes: from (left, top) to (right, bottom), with y downwards on a page. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const everywhere: Box = {
  left: -Infinity,
  top: -Infinity,
  right: Infinity,
  bottom: Infinity,
};

/** The bounding box of a transformed rectangle. */
export function boxAround(matrix: Matrix, x0: number, y0: number, x1: number, y1: number): Box {
  const [a, b, c, d, e, f] = matrix;
  const xs = [a * x0 + c * y0, a * x1 + c * y0, a * x0 + c * y1, a * x1 + c * y1];
  const ys = [b * x0 + d * y0, b * x1 + d * y0, b * x0 + d * y1, b * x1 + d * y1];
  return {
    left: Math.min(...xs) + e,
    top: Math.min(...ys) + f,
    right: Math.max(...xs) + e,
    bottom: Math.max(...ys) + f,
  };
}

export function intersect(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

export function areaOf(box: Box): number {
  return Math.max(0, box.right - box.left) * Math.max(0, box.bottom - box.top);
}
