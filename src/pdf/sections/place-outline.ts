import type { Line } from '../layout/page.js';
import type { OutlineEntry } from '../reader/syntax/bookmarks.js';
import type { BodyStyle } from './body-style.js';
import type { Heading } from './heading.js';
import { isProminent, sameBlock } from './styled-headings.js';
import { isContentsTitle } from '../../sections/titles.js';
import { hasWords } from '../../sections/titles.js';

/** In points: a heading is at most this far above or below the target of its bookmark. */
const above = 14;
const below = 45;
/** Bookmark and heading share at least this part of their pairs of letters. */
const alike = 0.7;
/** A heading has at most this many lines. */
const maxLines = 4;

function letterPairs(text: string): Set<string> {
  const letters = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 200);
  return new Set(Array.from(letters.slice(1), (letter, at) => `${letters[at] ?? ''}${letter}`));
}

/** The share of letter pairs that two titles have in common: a bookmark may lose accents, ligatures or words. */
function likeness(a: string, b: string): number {
  const [left, right] = [letterPairs(a), letterPairs(b)];
  const shared = [...left].filter((pair) => right.has(pair)).length;
  const isStart = shared === left.size && left.size >= 4 && b.startsWith(a);
  return isStart ? 1 : (2 * shared) / Math.max(1, left.size + right.size);
}

export interface PlacedHeading extends Heading {
  /** The printed words resemble the bookmark's title. */
  isAlike: boolean;
}

/**
 * The heading at the target of a bookmark whose title is not printed there. The printed words are the title. Only a
 * title that nobody printed, above the heading of its first section, is taken from the bookmark.
 * @param lines the lines of the target page
 * @param taken the lines of headings that are already known
 */
export function placeByTarget(
  { title, level, y }: OutlineEntry,
  lines: readonly Line[],
  taken: ReadonlyMap<Line, Heading>,
  body: BodyStyle,
): PlacedHeading | undefined {
  if (y === undefined || !hasWords(title) || isContentsTitle(title)) return undefined;
  const near = lines.filter((line) => line.y > y - above && line.y < Math.max(y, 0) + below);
  const isTopOfPage = y <= above;
  const starts = isTopOfPage ? [...lines.slice(0, 1), ...near] : near;
  const placed = starts.flatMap((first): PlacedHeading[] => {
    if (taken.has(first) || first.table !== undefined || !isProminent(first, body)) return [];
    const group = [first];
    for (let at = lines.indexOf(first) + 1; group.length < maxLines; at++) {
      const next = lines[at];
      if (next === undefined || taken.has(next) || !sameBlock(group.at(-1) ?? next, next)) break;
      group.push(next);
    }
    const printed = group.map((line) => line.text).join(' ');
    return [{ title: printed, level, lines: group, isAlike: likeness(title, printed) >= alike }];
  });
  const best = placed.find(({ isAlike }) => isAlike) ?? placed[0];
  if (best !== undefined) return best;
  const [first] = starts;
  const inner = first === undefined ? undefined : taken.get(first);
  const isAbove = first !== undefined && inner !== undefined && inner.level > level;
  return isAbove ? { title, level, lines: [], above: first, isAlike: true } : undefined;
}
