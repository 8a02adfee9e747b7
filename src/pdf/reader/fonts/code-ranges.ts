export interface CodeRange<T> {
  from: number;
  to: number;
  value: T;
}

/** A file that says more is an attack, or repeats itself. */
const maxRanges = 65_536;
/** Ranges that overlap are rare and few: so far back a code is looked for behind the nearest one. */
const maxSteps = 16;

/** What ranges of codes mean. Where ranges overlap, the one that begins last counts, and of equals the later. */
export class CodeRanges<T> {
  readonly #ranges: CodeRange<T>[] = [];
  #isSorted = true;

  get size(): number {
    return this.#ranges.length;
  }

  add(from: number, to: number, value: T): void {
    if (!(from <= to) || this.#ranges.length >= maxRanges) return;
    const last = this.#ranges.at(-1);
    if (last !== undefined && last.from > from) this.#isSorted = false;
    this.#ranges.push({ from, to, value });
  }

  find(code: number): CodeRange<T> | undefined {
    const ranges = this.all();
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.from ?? 0) <= code) low = middle + 1;
      else high = middle;
    }
    for (let at = low - 1; at >= 0 && at >= low - maxSteps; at--) {
      const range = ranges[at];
      if (range !== undefined && code <= range.to) return range;
    }
    return undefined;
  }

  /** In the order of their codes. */
  all(): readonly CodeRange<T>[] {
    if (!this.#isSorted) {
      this.#ranges.sort((a, b) => a.from - b.from);
      this.#isSorted = true;
    }
    return this.#ranges;
  }
}
