import type { Line, PageLines } from '../layout/page.js';

/** The style of the document's running text. Headings, notes and code differ from it. */
export interface BodyStyle {
  /** Font size in points. */
  size: number;
  bold: boolean;
  /** True when the whole document is monospaced, such as an RFC: a monospaced font then does not mean code. */
  mono: boolean;
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

export function measureBody(pages: readonly PageLines[]): BodyStyle {
  const lines = pages.flatMap((page) => page.lines);
  let letters = 0;
  let monoLetters = 0;
  let boldLetters = 0;
  for (const line of lines) {
    letters += line.text.length;
    if (line.mono) monoLetters += line.text.length;
    if (line.bold) boldLetters += line.text.length;
  }
  const mono = monoLetters > 0.85 * letters;
  const sizes = new Map<number, number>();
  for (const line of lines) if (mono || !line.mono) weigh(sizes, line.size, line.text.length);
  const size = heaviest(sizes, 10);
  const leadings = new Map<number, number>();
  let previous: Line | undefined;
  for (const line of lines) {
    const ofBody = line.size === size && previous?.size === size && previous.region === line.region;
    const step = previous === undefined ? 0 : (line.y - previous.y) / size;
    if (ofBody && previous?.page === line.page && step > 0.8 && step < 2.5) {
      weigh(leadings, Math.round(step * 20) / 20);
    }
    previous = line;
  }
  return { size, bold: boldLetters > 0.7 * letters, mono, leading: heaviest(leadings, 1.2) };
}
