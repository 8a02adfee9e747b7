/**
 * Keeps the passages with the fewest sign differences, of those that are added in the order of their ids. Of equals, the
 * lower ids are kept, so that results are stable.
 */
export class LeastApart {
  readonly #limit: number;
  readonly #having: Uint32Array;
  // Two lists, because objects for some six times the limit would keep the garbage collector busy.
  readonly #ids: number[] = [];
  readonly #bits: number[] = [];
  /** The passages with at most `most` differences. */
  #count = 0;
  /** A passage with more differences is not among them. */
  most: number;

  constructor(limit: number, signs: number) {
    this.#limit = limit;
    this.#having = new Uint32Array(signs + 1);
    this.most = signs;
  }

  add(id: number, bits: number): void {
    if (bits > this.most) return;
    this.#ids.push(id);
    this.#bits.push(bits);
    this.#having[bits] = this.#of(bits) + 1;
    this.#count++;
    while (this.#count - this.#of(this.most) >= this.#limit) {
      this.#count -= this.#of(this.most--);
    }
  }

  /** Ascending. */
  ids(): Uint32Array {
    let atEdge = this.#limit - this.#count + this.#of(this.most);
    const kept = this.#ids.filter((_, at) => {
      const bits = this.#bits[at] ?? 0;
      return bits < this.most || (bits === this.most && atEdge-- > 0);
    });
    return Uint32Array.from(kept);
  }

  #of(bits: number): number {
    return this.#having[bits] ?? 0;
  }
}
