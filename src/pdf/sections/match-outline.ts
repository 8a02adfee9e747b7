import type { Line, PageLines } from '../layout/page.js';
import type { Heading } from './block.js';
import type { OutlineEntry } from '../reader/syntax/bookmarks.js';
import { titleKey } from './titles.js';

/** A heading has at most this many lines. */
const maxLines = 5;
/** In points: headings are this close to their bookmark's target. */
const nearby = 60;

/** A page's lines with their title keys. Keys are computed on demand, because computing all is too slow. */
class KeyedPage {
  readonly #keys = new Map<Line, string>();

  constructor(readonly lines: readonly Line[]) {}

  keyOf(line: Line): string {
    const key = this.#keys.get(line) ?? titleKey(line.text.slice(0, 400));
    this.#keys.set(line, key);
    return key;
  }
}

/** The lines from `start` that together form the title; undefined otherwise. */
function linesOfTitle(page: KeyedPage, start: number, key: string): Line[] | undefined {
  const first = page.lines[start];
  // Nearly every line fails here, at the cost of one comparison.
  const own = first === undefined ? '' : page.keyOf(first);
  if (own === '' || !key.startsWith(own)) return undefined;
  let text = '';
  for (let count = 1; count <= maxLines; count++) {
    const line = page.lines[start + count - 1];
    if (line === undefined) return undefined;
    text += `${text === '' ? '' : ' '}${line.text}`;
    const found = titleKey(text);
    // The hyphen of a broken title disappears in its key, and in the bookmark's.
    if (found === key) return page.lines.slice(start, start + count);
    if (found !== '' && !key.startsWith(found)) return undefined;
  }
  return undefined;
}

/**
 * The possible forms of a bookmark's title in the text: complete, or without the number of a part or an appendix, which
 * may be on a line above the heading ("Part I", "Appendix A").
 */
function spellings(title: string): string[] {
  const bare = title.replace(/^([IVXLC]{1,5}|[A-Z])[.:]?\s+(?=\S{2})/u, '');
  return bare === title ? [title] : [title, bare];
}

interface Place {
  lines: Line[];
  index: number;
}

/** The places of a title on a page: near the stated height, else anywhere. */
function placesOn(page: KeyedPage, key: string, y: number | undefined): Place[] {
  const within = (distance: number) =>
    page.lines.flatMap((line, index) => {
      if (y !== undefined && Math.abs(line.y - y) > distance) return [];
      const lines = linesOfTitle(page, index, key);
      return lines === undefined ? [] : [{ lines, index }];
    });
  const near = y === undefined ? [] : within(nearby);
  return near.length > 0 ? near : within(Infinity);
}

/** How badly a place fits the bookmark: the distance from the stated height. Small print is only a mention. */
function misfit(place: Place, y: number | undefined): number {
  const first = place.lines[0];
  if (first === undefined) return Infinity;
  // Bookmarks point at or slightly above their heading, rarely below it.
  const distance = y === undefined ? first.y : Math.abs(first.y - first.size / 2 - y);
  return distance - 4 * first.size - (first.bold ? 20 : 0);
}

/** The bookmarks whose title is on their target page (or the next one), as headings in reading order. */
export function matchOutline(
  pages: readonly PageLines[],
  outline: readonly OutlineEntry[],
): Heading[] {
  const byNumber = new Map(pages.map((page) => [page.number, new KeyedPage(page.lines)]));
  const taken = new Set<Line>();
  const headings: Heading[] = [];
  for (const entry of outline) {
    const tries = [entry.page, entry.page + 1].flatMap((number) =>
      spellings(entry.title).map((title) => ({ number, title, key: titleKey(title) })),
    );
    for (const { number, title, key } of tries) {
      if (key === '') continue;
      const page = byNumber.get(number);
      if (page === undefined) continue;
      const y = number === entry.page ? entry.y : undefined;
      const best = placesOn(page, key, y)
        .filter((place) => !place.lines.some((line) => taken.has(line)))
        .sort((a, b) => misfit(a, y) - misfit(b, y))[0];
      if (best === undefined) continue;
      best.lines.forEach((line) => taken.add(line));
      headings.push({ title, level: entry.level, lines: best.lines });
      break;
    }
  }
  const order = new Map(pages.flatMap((page) => page.lines).map((line, index) => [line, index]));
  const at = (heading: Heading) => (heading.lines[0] && order.get(heading.lines[0])) ?? 0;
  return headings.sort((a, b) => at(a) - at(b));
}
