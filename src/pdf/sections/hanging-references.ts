import { columnKey, least, type Line } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';

/** The title of a list of references. */
const ofReferences =
  /^(?:references|bibliography|literature(?: cited)?|works cited|literatur(?:verzeichnis)?|quellen|referencias|bibliografía)$/iu;

/** Reads a list of references without labels: each one begins at the edge, and its other lines are indented. */
export class HangingReferences {
  /** The size of their type, below the title of their list; NaN before the first one. */
  #size: number | undefined;

  constructor(readonly body: BodyStyle) {}

  beginSection(title: string): void {
    this.#size = ofReferences.test(title) ? NaN : undefined;
  }

  /**
   * Whether a line begins a reference or goes on with the one above; undefined for a line of no such list.
   * @param open the lines of the paragraph above; empty without
   * @param page all lines of the page
   */
  partOf(
    line: Line,
    next: Line | undefined,
    open: readonly Line[],
    page: readonly Line[],
  ): 'first' | 'rest' | undefined {
    if (this.#size === undefined) return undefined;
    const slack = 0.5 * line.size;
    if (Number.isNaN(this.#size)) {
      const hangs =
        next !== undefined && columnKey(next) === columnKey(line) && next.x > line.x + slack;
      this.#size = hangs && /^\p{Lu}/u.test(line.text) ? line.size : undefined;
    }
    const isAlike = ({ size }: Line) => Math.abs(size - (this.#size ?? 0)) < 0.05 * size;
    const own = page.filter((each) => columnKey(each) === columnKey(line) && isAlike(each));
    const edge = least(own, ({ x }) => x);
    const above = open.at(-1);
    const isApart =
      above !== undefined &&
      columnKey(above) === columnKey(line) &&
      line.y - above.y > 1.5 * this.body.leading * line.size;
    const isRest = line.x > edge + slack;
    if (!isAlike(line) || (isRest && isApart)) {
      this.#size = undefined;
      return undefined;
    }
    return isRest && above !== undefined ? 'rest' : 'first';
  }
}
