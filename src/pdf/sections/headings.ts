import { greatest, least, withCells, type Line, type PageLines } from '../layout/page.js';
import { weigh, type BodyStyle } from './body-style.js';
import type { OutlineEntry } from '../reader/syntax/bookmarks.js';
import { headingsByLine, type Heading } from './heading.js';
import { matchOutline } from './match-outline.js';
import { isCaptionText } from '../../sections/labels.js';
import { numberDepth } from '../../sections/titles.js';
import { findStyledHeadings, styleOf } from './styled-headings.js';

/** Bookmarks match the text when at least this share of them is found there. */
const fit = 0.6;
/** The size of headings in slightly larger type, as a share of the text's. */
const slightly = 1.05;
/** In letters: a longer part between two bookmarks is cut at its lesser headings too. */
const long = 3000;
/** In letters, on average: what stands below a term or a caption. Longer text is a section. */
const longestDefinition = 1000;
/** The share of the bold lines in one style that stand below a lead-in with which all of them are terms or captions. */
const leastLabels = 0.3;

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

/** The lines of each part between two bookmarks that is too long for one section. */
function findLongParts(pages: readonly PageLines[], matched: readonly Heading[]): Line[][] {
  const begins = headingsByLine(matched);
  const parts: Line[][] = [];
  let part: Line[] = [];
  let letters = 0;
  const endPart = () => {
    if (letters > long) parts.push(part);
    part = [];
    letters = 0;
  };
  for (const line of pages.flatMap((page) => page.lines)) {
    if (begins.has(line)) endPart();
    part.push(line);
    for (const { text } of withCells(line)) letters += text.length;
  }
  endPart();
  return parts;
}

/**
 * Of the lesser headings in one part, those that head a section. The first term of a list stands below a sentence
 * that ends in a colon, and so does the caption of a listing: then all in its style at its left edge are such labels.
 */
function withoutLabels(
  headings: readonly Heading[],
  part: readonly Line[],
  body: BodyStyle,
): Heading[] {
  const places = new Map(part.map((line, at) => [line, at]));
  const lineAt = (line: Line | undefined, shift: number) =>
    line === undefined ? undefined : part[(places.get(line) ?? -2) + shift];
  const isAnnounced = ({ title, lines: [first] }: Heading) => {
    if (first === undefined || first.size >= 1.12 * body.size || numberDepth(title) > 0) {
      return false;
    }
    const above = lineAt(first, -1);
    return above !== undefined && !above.bold && !above.mono && /[:：]$/.test(above.text);
  };
  const keyOf = ({ lines: [first] }: Heading) =>
    first === undefined ? '' : `${styleOf(first)} ${Math.round(first.x)}`;
  const alike = new Map<string, { begins: boolean; times: number; all: number; isLong: boolean }>();
  for (const [at, heading] of headings.entries()) {
    const known = alike.get(keyOf(heading));
    const begins = isAnnounced(heading);
    if (known !== undefined) {
      known.times += Number(begins);
      known.all++;
      continue;
    }
    const [first] = heading.lines;
    const begin = first === undefined ? 0 : (places.get(first) ?? 0);
    const letters = part.slice(begin).reduce((sum, line) => sum + line.text.length, 0);
    const isLong = letters > longestDefinition * (headings.length - at);
    alike.set(keyOf(heading), { begins, times: Number(begins), all: 1, isLong });
  }
  return headings.filter((heading) => {
    const group = alike.get(keyOf(heading));
    const isLabel = isAnnounced(heading);
    if (group?.isLong === true) return !(isLabel && lineAt(heading.lines.at(-1), 1)?.mono === true);
    const areLabels =
      group !== undefined && (group.begins || group.times >= leastLabels * group.all);
    return !areLabels && !isLabel;
  });
}

/** In letters: a line of text is longer than the labels of a drawing. */
const longestLabel = 40;

/** The letters of drawings: nothing but short lines stands between them and the caption below. */
function findAboveCaptions(part: readonly Line[]): ReadonlySet<Line> {
  const found = new Set<Line>();
  let caption: Line | undefined;
  for (const line of [...part].reverse()) {
    if (isCaptionText(line.text)) caption = line;
    else if (line.text.length > longestLabel) caption = undefined;
    else if (caption?.page === line.page) found.add(line);
  }
  return found;
}

/** Headings of one kind have exactly one size, but the labels of a drawing may be nearly as large. */
function exactStyle({ size, bold }: Line): string {
  return `${size.toFixed(1)} ${bold}`;
}

/** The level that bookmarks give to each heading style, if they agree. */
function levelsByStyle(matched: readonly Heading[]): Map<string, number> {
  const levels = new Map<string, Map<number, number>>();
  for (const { lines, level } of matched) {
    const style = lines[0] === undefined ? '' : exactStyle(lines[0]);
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
  const inLongParts = new Set(
    findLongParts(pages, matched).flatMap((part) => {
      const lines = new Set(part);
      const ofDrawings = findAboveCaptions(part);
      const [head] = part;
      const largest = head !== undefined && taken.has(head) ? head.size + 0.5 : Infinity;
      const lesser = styled.filter(
        ({ lines: [first] }) =>
          first !== undefined &&
          lines.has(first) &&
          !taken.has(first) &&
          !(first.size > largest && ofDrawings.has(first)),
      );
      return withoutLabels(lesser, part, body);
    }),
  );
  const deepest = greatest(matched, (heading) => heading.level);
  const shallowest = least(styled, (heading) => heading.level);
  const additional = styled.flatMap((heading): Heading[] => {
    const [first] = heading.lines;
    if (first === undefined || heading.lines.some((line) => taken.has(line))) return [];
    const level = levels.get(exactStyle(first));
    if (level !== undefined && first.size >= slightly * body.size) return [{ ...heading, level }];
    // "Note", "Tip", "Warning": a heading that returns again and again is the label of a box.
    const isLabel = (times.get(heading.title) ?? 0) >= 3 && !body.typed;
    return inLongParts.has(heading) && !isLabel
      ? [{ ...heading, level: heading.level - shallowest + deepest + 1 }]
      : [];
  });
  const byLine = headingsByLine([...matched, ...additional]);
  return pages.flatMap((page) => page.lines.flatMap((line) => byLine.get(line) ?? []));
}
