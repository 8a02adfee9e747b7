import type { TextRun } from './page.js';

/** With more runs near a place, the page is a drawing. */
const mostNear = 1500;

/** The text runs of a page by the height of their baselines, to find those near a place without looking at all. */
export class ByHeight {
  #runs: TextRun[];

  constructor(runs: readonly TextRun[]) {
    this.#runs = [...runs].sort((a, b) => a.y - b.y);
  }

  /** The runs at these heights and between them, from the top; none on a drawing. */
  between(top: number, bottom: number): TextRun[] {
    const from = this.#firstAt(top);
    let to = from;
    while ((this.#runs[to]?.y ?? Infinity) <= bottom) {
      if (++to - from > mostNear) return [];
    }
    return this.#runs.slice(from, to);
  }

  replace(old: Iterable<TextRun>, fresh: readonly TextRun[]): void {
    for (const run of old) {
      this.#runs.splice(this.#runs.indexOf(run, this.#firstAt(run.y)), 1);
    }
    for (const run of fresh) this.#runs.splice(this.#firstAt(run.y), 0, run);
  }

  /** The index of the first run at this height or below it on the page. */
  #firstAt(y: number): number {
    let low = 0;
    for (let high = this.#runs.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((this.#runs[middle]?.y ?? 0) < y) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
