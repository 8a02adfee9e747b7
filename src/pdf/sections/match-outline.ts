import type { Line, PageLines } from '../layout/page.js';
import type { Heading } from './heading.js';
import type { OutlineEntry } from '../reader/syntax/bookmarks.js';
import type { BodyStyle } from './body-style.js';
import { placeByTarget } from './place-outline.js';
import { partNumber, titleKey } from '../../sections/titles.js';

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

export interface MatchedOutline {
  /** In reading order. */
  headings: Heading[];
  /** The share of bookmarks whose title is printed at their target. */
  share: number;
}

/** True when the printed title has accented letters that its bookmark lost. Loose accents are misread. */
function keepsAccents(printed: string, title: string): boolean {
  const accented = (text: string) => text.normalize('NFD').match(/\p{L}\p{M}/gu)?.length ?? 0;
  return accented(printed) > accented(title) && !/\p{M}/u.test(printed.normalize('NFC'));
}

/** The heading that prints a bookmark's title on the target page or the next one. */
function findPrinted(
  entry: OutlineEntry,
  byNumber: ReadonlyMap<number, KeyedPage>,
  taken: ReadonlyMap<Line, Heading>,
): Heading | undefined {
  const tries = [entry.page, entry.page + 1].flatMap((number) =>
    spellings(entry.title).map((title) => ({ number, title, key: titleKey(title) })),
  );
  for (const { number, title, key } of tries) {
    const page = byNumber.get(number);
    if (key === '' || page === undefined) continue;
    const y = number === entry.page ? entry.y : undefined;
    const best = placesOn(page, key, y)
      .filter((place) => !place.lines.some((line) => taken.has(line)))
      .sort((a, b) => misfit(a, y) - misfit(b, y))[0];
    if (best === undefined) continue;
    const printed = best.lines.map((line) => line.text).join(' ');
    const isBetter = printed.length < 2 * title.length && keepsAccents(printed, title);
    return { title: isBetter ? printed : title, level: entry.level, lines: best.lines };
  }
  return undefined;
}

/** Puts headings below those that have the beginning of their number, where the bookmarks have both side by side. */
function nestByNumbers(headings: Heading[]): void {
  /** The level of each number, as far as it is open. */
  let open: { number: string; level: number }[] = [];
  /** Headings of a lesser level than this, in the bookmarks, move with the one that moved. */
  let moved = { from: Infinity, by: 0 };
  for (const heading of headings) {
    const { level } = heading;
    if (level <= moved.from) moved = { from: Infinity, by: 0 };
    heading.level += moved.by;
    const number = /^(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*(?=\.?\s)/.exec(partNumber(heading.title))?.[0];
    if (number === undefined) continue;
    const outer = open.findLast((each) => number.startsWith(`${each.number}.`));
    if (outer !== undefined && outer.level >= heading.level) {
      moved = { from: level, by: moved.by + outer.level + 1 - heading.level };
      heading.level = outer.level + 1;
    }
    open = [...open.filter((each) => each.level < heading.level), { number, level: heading.level }];
  }
}

/**
 * The bookmarks as headings: where their title is printed on the target page or the next one, else by the place of
 * their target.
 */
export function matchOutline(
  pages: readonly PageLines[],
  outline: readonly OutlineEntry[],
  body: BodyStyle,
): MatchedOutline {
  const byNumber = new Map(pages.map((page) => [page.number, new KeyedPage(page.lines)]));
  const taken = new Map<Line, Heading>();
  const headings: Heading[] = [];
  const take = (heading: Heading) => {
    heading.lines.forEach((line) => taken.set(line, heading));
    headings.push(heading);
  };
  const others: OutlineEntry[] = [];
  for (const entry of outline) {
    const printed = findPrinted(entry, byNumber, taken);
    if (printed === undefined) others.push(entry);
    else take(printed);
  }
  let found = headings.length;
  for (const entry of others) {
    const placed = placeByTarget(entry, byNumber.get(entry.page)?.lines ?? [], taken, body);
    if (placed === undefined) continue;
    if (placed.isAlike) found++;
    take(placed);
  }
  const order = new Map(pages.flatMap((page) => page.lines).map((line, index) => [line, index]));
  const at = ({ lines, above }: Heading) => {
    const first = above ?? lines[0];
    return first === undefined ? 0 : (order.get(first) ?? 0) - (above === undefined ? 0 : 0.5);
  };
  headings.sort((a, b) => at(a) - at(b));
  nestByNumbers(headings);
  return { headings, share: found / outline.length };
}
