/** More points make an outline that is not worth testing. */
const maxPoints = 200;
/** The straight pieces that stand for a curve. */
const pieces = 6;

/** The outline of a filled path in page coordinates: closed polygons, curves as short straight lines. */
export class Outline {
  /** x and y of each corner. */
  readonly #points: number[] = [];
  /** Where each polygon starts in them. */
  readonly #starts: number[] = [];
  /** Filled by the even-odd rule (ISO 32000-1, 8.5.3.3), not by the winding number. */
  isEvenOdd = false;

  get size(): number {
    return this.#points.length / 2;
  }

  get isTooLong(): boolean {
    return this.size > maxPoints;
  }

  begin(x: number, y: number): void {
    this.#starts.push(this.#points.length);
    this.add(x, y);
  }

  add(x: number, y: number): void {
    if (!this.isTooLong) this.#points.push(x, y);
  }

  /** A Bézier curve from the last corner. */
  addCurve(x1: number, y1: number, x2: number, y2: number, x3: number, y3: number): void {
    const x0 = this.#points.at(-2) ?? x1;
    const y0 = this.#points.at(-1) ?? y1;
    for (let piece = 1; piece <= pieces; piece++) {
      const t = piece / pieces;
      const u = 1 - t;
      const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      this.add(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3);
    }
  }

  /** True when the point is inside. */
  has(x: number, y: number): boolean {
    let winding = 0;
    let crossings = 0;
    for (let part = 0; part < this.#starts.length; part++) {
      const first = this.#starts[part] ?? 0;
      const end = this.#starts[part + 1] ?? this.#points.length;
      let x0 = this.#points[end - 2] ?? 0;
      let y0 = this.#points[end - 1] ?? 0;
      for (let at = first; at < end; at += 2) {
        const x1 = this.#points[at] ?? 0;
        const y1 = this.#points[at + 1] ?? 0;
        if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) {
          crossings++;
          winding += y1 > y0 ? 1 : -1;
        }
        x0 = x1;
        y0 = y1;
      }
    }
    return this.isEvenOdd ? crossings % 2 === 1 : winding !== 0;
  }
}
