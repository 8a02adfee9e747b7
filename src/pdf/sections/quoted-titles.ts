import type { Line, PageLines } from '../layout/page.js';
import { titleKey } from '../../sections/titles.js';

/** A title is at least this many times larger than the text and the running head that quotes it. */
const larger = 1.1;
/** In characters: longer lines are compared by their beginnings. */
const longest = 200;

/**
 * Returns a test for lines whose parts between gaps are all titles that stand elsewhere in larger type.
 * @param bodySize of the text, in points
 */
export function findQuotes(pages: readonly PageLines[], bodySize: number): (line: Line) => boolean {
  const sizes = new Map<string, number>();
  for (const { lines } of pages) {
    for (const line of lines) {
      if (line.size <= larger * bodySize) continue;
      const key = titleKey(line.text.slice(0, longest));
      sizes.set(key, Math.max(sizes.get(key) ?? 0, line.size));
    }
  }
  return (line) => {
    const keys = line.segments.map(({ text }) => titleKey(text.slice(0, longest)));
    const titles = keys.filter((key) => /\p{L}/u.test(key));
    return titles.length > 0 && titles.every((key) => (sizes.get(key) ?? 0) > larger * line.size);
  };
}
