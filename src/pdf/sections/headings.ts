import type { PageLines } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';
import type { OutlineEntry } from '../reader/syntax/bookmarks.js';
import type { Heading } from './block.js';
import { matchOutline } from './match-outline.js';
import { findStyledHeadings, styleOf } from './styled-headings.js';

/** Bookmarks match the text when at least this share of them is found there. */
const fit = 0.6;
/** With fewer letters per bookmark, the bookmarks alone structure the document well enough. */
const coarse = 15_000;

/**
 * The document's headings in reading order: from its bookmarks if they match the text, else from the look of headings.
 * Both are used when the bookmarks name only chapters.
 */
export function findHeadings(
  pages: readonly PageLines[],
  outline: readonly OutlineEntry[],
  body: BodyStyle,
): Heading[] {
  const matched = matchOutline(pages, outline);
  const fits = outline.length >= 2 && matched.length >= fit * outline.length;
  if (!fits) return findStyledHeadings(pages, body);
  const styled = findStyledHeadings(pages, body);
  const letters = pages.reduce(
    (sum, page) => sum + page.lines.reduce((length, line) => length + line.text.length, 0),
    0,
  );
  return addUnnamed(matched, styled, pages, body, letters / matched.length > coarse);
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
 * Adds headings without a bookmark: those in the style of headings with one (a preface often has none) and, if there
 * are few bookmarks, lesser headings below the previous bookmark.
 */
function addUnnamed(
  matched: Heading[],
  styled: readonly Heading[],
  pages: readonly PageLines[],
  body: BodyStyle,
  withLesser: boolean,
): Heading[] {
  const taken = new Set(matched.flatMap((heading) => heading.lines));
  const levels = levelsByStyle(matched);
  const deepest = Math.max(...matched.map((heading) => heading.level));
  const shallowest = Math.min(...styled.map((heading) => heading.level));
  const additional = styled.flatMap((heading): Heading[] => {
    const [first] = heading.lines;
    if (first === undefined || heading.lines.some((line) => taken.has(line))) return [];
    const level = levels.get(styleOf(first));
    if (level !== undefined && first.size >= 1.12 * body.size) return [{ ...heading, level }];
    return withLesser ? [{ ...heading, level: heading.level - shallowest + deepest + 1 }] : [];
  });
  const byLine = new Map([...matched, ...additional].map((heading) => [heading.lines[0], heading]));
  return pages.flatMap((page) => page.lines.flatMap((line) => byLine.get(line) ?? []));
}
