import { greatest, least, withCells, type Line, type PageLines } from '../layout/page.js';
import { weigh, type BodyStyle } from './body-style.js';
import type { OutlineEntry } from '../reader/syntax/bookmarks.js';
import { headingsByLine, type Heading } from './block.js';
import { matchOutline } from './match-outline.js';
import { findStyledHeadings, styleOf } from './styled-headings.js';

/** Bookmarks match the text when at least this share of them is found there. */
const fit = 0.6;
/** In letters: a longer part between two bookmarks is cut at its lesser headings too. */
const long = 3000;

/**
 * The document's headings in reading order: from its bookmarks if they match the text, else from the look of headings.
 * Both are used where the bookmarks name only chapters.
 */
export function findHeadings(
  pages: readonly PageLines[],
  outline: readonly OutlineEntry[],
  body: BodyStyle,
): Heading[] {
  const { headings: matched, share } = matchOutline(pages, outline, body);
  if (matched.length < 2 || share < fit) return findStyledHeadings(pages, body);
  return addUnnamed(matched, findStyledHeadings(pages, body), pages, body);
}

/** The lines of parts between two bookmarks that are too long for one section. */
function linesOfLongParts(
  pages: readonly PageLines[],
  matched: readonly Heading[],
): ReadonlySet<Line> {
  const begins = headingsByLine(matched);
  const found = new Set<Line>();
  let part: Line[] = [];
  let letters = 0;
  const endPart = () => {
    if (letters > long) part.forEach((line) => found.add(line));
    part = [];
    letters = 0;
  };
  for (const line of pages.flatMap((page) => page.lines)) {
    if (begins.has(line)) endPart();
    part.push(line);
    for (const { text } of withCells(line)) letters += text.length;
  }
  endPart();
  return found;
}

/** The level that bookmarks give to each heading style, if they agree. */
function levelsByStyle(matched: readonly Heading[]): Map<string, number> {
  const levels = new Map<string, Map<number, number>>();
  for (const { lines, level } of matched) {
    const style = lines[0] === undefined ? '' : styleOf(lines[0]);
    const counts = levels.get(style) ?? new Map<number, number>();
    levels.set(style, counts.set(level, (counts.get(level) ?? 0) + 1));
  }
  return new Map(
    [...levels].flatMap(([style, counts]): [string, number][] => {
      const [best] = [...counts].sort((a, b) => b[1] - a[1]);
      return best !== undefined && best[1] >= 2 ? [[style, best[0]]] : [];
    }),
  );
}

/**
 * Adds headings without a bookmark: those in the style of headings with one (a preface often has none) and, in a long
 * part, lesser headings below the previous bookmark.
 */
function addUnnamed(
  matched: Heading[],
  styled: readonly Heading[],
  pages: readonly PageLines[],
  body: BodyStyle,
): Heading[] {
  const taken = new Set(matched.flatMap((heading) => heading.lines));
  const levels = levelsByStyle(matched);
  const times = new Map<string, number>();
  for (const { title } of styled) weigh(times, title);
  const inLongParts = linesOfLongParts(pages, matched);
  const deepest = greatest(matched, (heading) => heading.level);
  const shallowest = least(styled, (heading) => heading.level);
  const additional = styled.flatMap((heading): Heading[] => {
    const [first] = heading.lines;
    if (first === undefined || heading.lines.some((line) => taken.has(line))) return [];
    const level = levels.get(styleOf(first));
    if (level !== undefined && first.size >= 1.12 * body.size) return [{ ...heading, level }];
    // "Note", "Tip", "Warning": a heading that returns again and again is the label of a box.
    const isLabel = (times.get(heading.title) ?? 0) >= 3;
    return inLongParts.has(first) && !isLabel
      ? [{ ...heading, level: heading.level - shallowest + deepest + 1 }]
      : [];
  });
  const byLine = headingsByLine([...matched, ...additional]);
  return pages.flatMap((page) => page.lines.flatMap((line) => byLine.get(line) ?? []));
}
