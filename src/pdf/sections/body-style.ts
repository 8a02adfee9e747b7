import type { Line, PageLines } from '../layout/page.js';

/** The style of the document's running text. Headings, notes and code differ from it. */
export interface BodyStyle {
  /** Font size in points. */
  size: number;
  bold: boolean;
  /** The whole document is monospaced, such as an RFC: the type tells no listings from text. */
  typed: boolean;
  /** The usual distance of baselines, in font sizes. */
  leading: number;
}

/** The value with the most weight, the first of equals; `otherwise` for an empty map. */
function heaviest<T>(weights: ReadonlyMap<T, number>, otherwise: T): T {
  let best = otherwise;
  let weight = 0;
  for (const [value, sum] of weights) if (sum > weight) [best, weight] = [value, sum];
  return best;
}

export function weigh<T>(weights: Map<T, number>, value: T, weight = 1): void {
  weights.set(value, (weights.get(value) ?? 0) + weight);
}

export function textSize(pages: readonly PageLines[]): number {
  const letters = new Map<number, number>();
  for (const { lines } of pages)
    for (const { size, text } of lines) weigh(letters, size, text.length);
  return heaviest(letters, 10);
}

/** Fewer lines that fill their column tell nothing. */
const fewLines = 20;
/** Of the width of its column: a line that fills it goes on in the next one. */
const fullLine = 0.85;

/** The usual distance of baselines below lines that fill their column; below any line, if these are few. */
function usualLeading(lines: readonly Line[], size: number): number {
  const [all, below] = [new Map<number, number>(), new Map<number, number>()];
  let count = 0;
  for (let from = 0; from < lines.length;) {
    const first = lines[from];
    let to = from;
    let right = 0;
    // The lines of one column.
    for (; to < lines.length; to++) {
      const line = lines[to];
      if (line === undefined || line.page !== first?.page || line.region !== first.region) break;
      if (!line.mono && line.table === undefined) right = Math.max(right, line.right);
    }
    for (let at = from + 1; at < to; at++) {
      const [above, line] = [lines[at - 1], lines[at]];
      if (above?.size !== size || line?.size !== size) continue;
      const step = (line.y - above.y) / size;
      if (step <= 0.8 || step >= 2.5) continue;
      const rounded = Math.round(step * 20) / 20;
      weigh(all, rounded);
      if (above.right - above.x <= fullLine * (right - above.x)) continue;
      weigh(below, rounded);
      count++;
    }
    from = to;
  }
  return count < fewLines ? heaviest(all, 1.2) : heaviest(below, 1.2);
}

function isTyped(pages: readonly PageLines[]): boolean {
  let letters = 0;
  let typed = 0;
  for (const { text, mono } of pages.flatMap((page) => page.lines)) {
    letters += text.length;
    if (mono) typed += text.length;
  }
  return typed > 0.85 * letters;
}

export function measureBody(pages: readonly PageLines[]): BodyStyle {
  const lines = pages.flatMap((page) => page.lines);
  let letters = 0;
  let boldLetters = 0;
  for (const line of lines) {
    letters += line.text.length;
    if (line.bold) boldLetters += line.text.length;
  }
  const typed = isTyped(pages);
  const sizes = new Map<number, number>();
  for (const line of lines) if (typed || !line.mono) weigh(sizes, line.size, line.text.length);
  const size = heaviest(sizes, 10);
  const leading = usualLeading(lines, size);
  return { size, bold: boldLetters > 0.7 * letters, typed, leading };
}
