import type { Line, PageLines } from '../layout/page.js';
import type { Heading } from './headings.js';
import type { OutlineEntry } from './outline.js';
import { titleKey } from './titles.js';

/** A heading is set in at most so many lines. */
const maxLines = 5;

/** A page's lines with their title keys, which are too dear to make again for every bookmark. */
interface KeyedPage {
  lines: readonly Line[];
  keys: readonly string[];
}

/** The lines from `start` on that together spell the title, if they do. */
function linesOfTitle(page: KeyedPage, start: number, key: string): Line[] | undefined {
  const { lines, keys } = page;
  // Nearly every line fails here, for the price of a comparison.
  const own = keys[start] ?? '';
  if (own === '' || !key.startsWith(own)) return undefined;
  let text = '';
  for (let count = 1; count <= maxLines; count++) {
    const line = lines[start + count - 1];
    if (line === undefined) return undefined;
    text += `${text === '' ? '' : ' '}${line.text}`;
    const found = titleKey(text);
    // The hyphen of a title broken across lines disappears in its key, as it does in the bookmark.
    if (found === key) return lines.slice(start, start + count);
    if (found !== '' && !key.startsWith(found)) return undefined;
  }
  return undefined;
}

interface Place {
  lines: Line[];
  index: number;
}

/** All places on a page where the title stands, as indexes into the page's lines. */
function placesOn(page: KeyedPage, key: string): Place[] {
  return page.lines.flatMap((_, index) => {
    const lines = linesOfTitle(page, index, key);
    return lines === undefined ? [] : [{ lines, index }];
  });
}

/** How badly a place fits the bookmark: distance from the stated height, and a title in small print is a mention. */
function misfit(place: Place, y: number | undefined): number {
  const first = place.lines[0];
  if (first === undefined) return Infinity;
  // Bookmarks point at or a little above their heading, seldom below it.
  const distance = y === undefined ? first.y : Math.abs(first.y - first.size / 2 - y);
  return distance - 4 * first.size - (first.bold ? 20 : 0);
}

/** The bookmarks whose title stands on the page they lead to (or the next), as headings in reading order. */
export function matchOutline(
  pages: readonly PageLines[],
  outline: readonly OutlineEntry[],
): Heading[] {
  const wanted = new Set(outline.flatMap((entry) => [entry.page, entry.page + 1]));
  const byNumber = new Map(
    pages
      .filter((page) => wanted.has(page.number))
      .map(({ number, lines }) => [
        number,
        { lines, keys: lines.map((line) => titleKey(line.text.slice(0, 400))) },
      ]),
  );
  const taken = new Set<Line>();
  const headings: Heading[] = [];
  for (const entry of outline) {
    const key = titleKey(entry.title);
    if (key === '') continue;
    for (const number of [entry.page, entry.page + 1]) {
      const page = byNumber.get(number);
      if (page === undefined) continue;
      const y = number === entry.page ? entry.y : undefined;
      const best = placesOn(page, key)
        .filter((place) => !place.lines.some((line) => taken.has(line)))
        .sort((a, b) => misfit(a, y) - misfit(b, y))[0];
      if (best === undefined) continue;
      best.lines.forEach((line) => taken.add(line));
      headings.push({ title: entry.title, level: entry.level, lines: best.lines });
      break;
    }
  }
  const order = new Map(pages.flatMap((page) => page.lines).map((line, index) => [line, index]));
  const at = (heading: Heading) => (heading.lines[0] && order.get(heading.lines[0])) ?? 0;
  return headings.sort((a, b) => at(a) - at(b));
}
