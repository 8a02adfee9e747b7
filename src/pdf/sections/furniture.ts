import { withCells, type Line, type PageLines } from '../layout/page.js';
import { textSize, weigh } from './body-style.js';
import type { OutlineEntry } from '../reader/syntax/bookmarks.js';
import { findQuotes } from './quoted-titles.js';
import { stripNumber, titleKey } from '../../sections/titles.js';

/** Headers and footers are within this share of the page's height at either end. */
const zone = 0.16;
/** The most furniture lines at either end: a two-line header above a rule, a footer with a notice. */
const depth = 3;
/** Lines that most pages repeat word by word go on to this depth. */
const deepest = 6;

/** If less than this share of the letters remains, the removed lines were no furniture. */
const leastRest = 0.3;
/** A running header has at most this many words beside a changing number. */
const longestVaried = 7;

/** A line this many times larger than the furniture is a heading. */
const headingSize = 1.2;

/** In points: lines this close to each other have one height. */
const sameHeight = 1.5;

interface Candidate {
  page: number;
  line: Line;
  key: string;
}

/** The text without parts that change between pages: numbers, roman numerals, case. */
function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/(?<![\p{L}])[ivxlc]+(?![\p{L}])/gu, '#')
    .replace(/[\s.…]+/g, ' ')
    .trim();
}

/** The lines at one end of each page, outermost first, with their position: 0 is the outermost. */
function candidatesAt(pages: readonly PageLines[], end: 'top' | 'bottom'): Candidate[][] {
  const places: Candidate[][] = Array.from({ length: deepest }, () => []);
  for (const page of pages) {
    const limit = page.height * zone;
    const inZone = (line: Line) => (end === 'top' ? line.y < limit : line.y > page.height - limit);
    const near = page.lines
      // A table at the top of many pages has no text that could repeat.
      .filter((line) => line.table === undefined)
      .sort((a, b) => (end === 'top' ? a.y - b.y : b.y - a.y))
      // On a page with little text, the page number is higher up, but still outermost.
      .filter(
        (line, place) =>
          inZone(line) || (place === 0 && (isLonePageNumber(line) || numberAtEnd(line) >= 0)),
      )
      .slice(0, deepest);
    near.forEach((line, place) =>
      places[place]?.push({ page: page.number, line, key: keyOf(line.text) }),
    );
  }
  return places;
}

/** The differences between the numbers in a line and the page number: 7 on page 9, 8 on page 10. */
function pageOffsets({ line, page }: Candidate): number[] {
  return (line.text.match(/\d+/g) ?? []).map((digits) => Number(digits) - page);
}

function mostFrequent<T>(values: readonly T[]): { value: T | undefined; count: number } {
  const counts = new Map<T, number>();
  let best: { value: T | undefined; count: number } = { value: undefined, count: 0 };
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > best.count) best = { value, count };
  }
  return best;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function groupByHeight(candidates: readonly Candidate[]): Candidate[][] {
  const groups: Candidate[][] = [];
  for (const candidate of [...candidates].sort((a, b) => a.line.y - b.line.y)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && candidate.line.y - last.line.y < sameHeight)
      group.push(candidate);
    else groups.push([candidate]);
  }
  return groups;
}

/**
 * Finds furniture among lines at one height of many pages: lines that repeat, count pages, or quote a title (a running
 * header changes with every chapter). If nearly all of them do, all of them are furniture.
 */
function furnitureIn(
  lines: readonly Candidate[],
  pageCount: number,
  titles: readonly string[],
  isHeading: (candidate: Candidate) => boolean,
  quotesLarger: (line: Line) => boolean,
  bodySize: number,
): Line[] {
  // A line at this height that is larger than its neighbours is a heading that opens a page.
  const usual = median(lines.map(({ line }) => line.size));
  const alike = lines.filter(({ line }) => line.size <= headingSize * usual);
  // A line larger than the running text is a heading, unless many pages repeat it: "Lesson 1", "Lesson 2".
  const texts = countTexts(alike);
  // A running head, even a large one, quotes titles in larger type.
  const quoting = alike.filter(({ line }) => quotesLarger(line)).length;
  const areHeads = quoting >= Math.max(4, 0.25 * pageCount, 0.7 * alike.length);
  const group = alike.filter(
    ({ line }) =>
      areHeads ||
      line.size <= headingSize * bodySize ||
      (texts.get(line.text) ?? 0) >= Math.max(3, 0.5 * pageCount),
  );
  const repeats = new Map<string, number>();
  const offset = mostFrequent(group.flatMap(pageOffsets));
  const countsMost = offset.count >= 4 && offset.count > 0.7 * group.length;
  for (const candidate of group) {
    const { key, line } = candidate;
    const isLong = (key.match(/\p{L}{2,}/gu)?.length ?? 0) > longestVaried;
    const hasPage =
      countsMost && offset.value !== undefined && pageOffsets(candidate).includes(offset.value);
    // A long sentence that differs only in its figures is text, for example in a series of data sheets. A notice that
    // counts the pages is not.
    const isText = isLong && !hasPage && (texts.get(line.text) ?? 0) < 2;
    if (!isText) weigh(repeats, key);
  }
  // "3 Mounting the device" above "4 Removing it" count too, but they are headings: one topic per page.
  const counts = (candidate: Candidate) =>
    isCommon(candidate, repeats) &&
    offset.count >= 3 &&
    offset.count > 0.5 * group.length &&
    offset.value !== undefined &&
    pageOffsets(candidate).includes(offset.value);
  const quotes = (text: string) => {
    const lower = text.toLowerCase();
    return titles.some((title) => title.length > 0.25 * text.length && lower.includes(title));
  };
  const often = Math.max(2, Math.ceil(Math.min(pageCount * 0.5, 4 + pageCount * 0.1)));
  const repeatsOf = (candidate: Candidate) => repeats.get(candidate.key) ?? 0;
  const sure = group.filter((candidate) => repeatsOf(candidate) >= often || counts(candidate));
  const isHabit = group.length >= Math.max(Math.min(4, 0.7 * pageCount), 0.25 * pageCount);
  const isLikely = (candidate: Candidate) =>
    repeatsOf(candidate) >= 2 ||
    counts(candidate) ||
    quotes(candidate.line.text) ||
    (quotesLarger(candidate.line) && (areHeads || candidate.line.size < bodySize));
  // The first line of running text also has the same height on every page, but it does not repeat.
  const all = isHabit && group.filter(isLikely).length >= 0.7 * group.length;
  const found = all ? group.filter((candidate) => !isHeading(candidate)) : sure;
  return [...found, ...countingAtEnd(group, pageCount)].map((candidate) => candidate.line);
}

/** The number in the last cell of a line; negative without. */
function numberAtEnd({ segments }: Line): number {
  const last = segments.length > 1 ? (segments.at(-1)?.text.trim() ?? '') : '';
  return /^\d{1,4}$/.test(last) ? Number(last) : -1;
}

/** The lines that count pages in a cell at their end, whatever stands before it: the titles of sections. */
function countingAtEnd(group: readonly Candidate[], pageCount: number): Candidate[] {
  const numbered = group.filter(({ line }) => numberAtEnd(line) >= 0);
  const offsetOf = ({ line, page }: Candidate) => numberAtEnd(line) - page;
  const { value, count } = mostFrequent(numbered.map(offsetOf));
  if (count < Math.max(4, 0.25 * pageCount) || count < 0.7 * group.length) return [];
  return numbered.filter((candidate) => offsetOf(candidate) === value);
}

function countTexts(lines: readonly Candidate[]): Map<string, number> {
  const texts = new Map<string, number>();
  for (const { line } of lines) weigh(texts, line.text);
  return texts;
}

/** True when a line is little more than a number, or repeats on other pages. */
function isCommon({ key }: Candidate, repeats: ReadonlyMap<string, number>): boolean {
  const words = key.match(/[\p{L}]{2,}/gu) ?? [];
  return words.length <= 1 || (repeats.get(key) ?? 0) >= 2;
}

function isLonePageNumber(line: Line): boolean {
  return /^[-–—\s]*(\d{1,4}|[ivxlc]{1,7})[-–—\s]*$/.test(line.text);
}

/**
 * Removes running headers, footers and page numbers. A line is removed only if it repeats across pages at one height,
 * counts the pages, or is a single number at the very end of a page where other pages have theirs.
 * @param outline running headers quote its titles, but the line at a bookmark's target is the heading itself
 */
export function dropFurniture(
  pages: readonly PageLines[],
  outline: readonly OutlineEntry[],
): PageLines[] {
  if (pages.length < 2) return [...pages];
  const dropped = new Set<Line>();
  const bodySize = textSize(pages);
  const titles = outline.map((entry) => stripNumber(entry.title, true).toLowerCase());
  const quotable = [...new Set(titles)];
  const leadsTo = new Set(outline.map((entry) => `${entry.page} ${titleKey(entry.title)}`));
  // If a bookmark's title occurs only once on its page, removing it would take the title from the section below.
  const isHeading = ({ line, page }: Candidate) => {
    const key = titleKey(line.text);
    const spelt = pages.find(({ number }) => number === page)?.lines ?? [];
    return (
      leadsTo.has(`${page} ${key}`) &&
      spelt.filter((other) => titleKey(other.text) === key).length === 1
    );
  };
  const quotesLarger = findQuotes(pages, bodySize);
  let counted: number | undefined;
  for (const end of ['top', 'bottom'] as const) {
    const places = candidatesAt(pages, end);
    for (const [place, candidates] of places.entries()) {
      // Inner lines are furniture only next to furniture. Otherwise a title on every page would be removed too.
      for (const group of groupByHeight(candidates)) {
        if (group.length < 2) continue;
        if (place >= depth) {
          for (const line of repeatedIn(group, pages.length)) {
            if (isBehindFurniture(line, places, place, dropped)) dropped.add(line);
          }
          continue;
        }
        // A running header that quotes its chapter is outermost. An inner line is the chapter's own heading.
        const quoted = place === 0 ? quotable : [];
        for (const line of furnitureIn(
          group,
          pages.length,
          quoted,
          isHeading,
          quotesLarger,
          bodySize,
        )) {
          if (place === 0 || isBehindFurniture(line, places, place, dropped)) dropped.add(line);
        }
      }
    }
    dropRemarks(places.slice(0, depth).flat(), bodySize, dropped);
    const numbers = places[0]?.filter(({ line }) => isLonePageNumber(line)) ?? [];
    // The first page of a paper has its number at the foot, and the others in their running heads.
    const isCounted = (candidate: Candidate) =>
      counted !== undefined && pageOffsets(candidate)[0] === counted;
    const are = numbers.length > 0.5 * pages.length;
    for (const number of numbers) if (are || isCounted(number)) dropped.add(number.line);
    const heads = (places[0] ?? []).filter(({ line }) => dropped.has(line));
    const offset = mostFrequent(heads.flatMap(pageOffsets));
    if (offset.count >= 3) counted = offset.value;
    dropMoved(places, dropped);
  }
  const rest = pages.map((page) => ({
    ...page,
    lines: page.lines.filter((line) => !dropped.has(line)),
  }));
  return lettersIn(rest) >= leastRest * lettersIn(pages) ? rest : withoutNumbers(pages);
}

/** Drops the outermost lines that are furniture of two other pages, at another height there: a page may be longer. */
function dropMoved(places: readonly Candidate[][], dropped: Set<Line>): void {
  const keyOf = ({ text, size, x }: Line) => `${Math.round(x)} ${size} ${text}`;
  const known = new Map<string, number>();
  for (const line of dropped) weigh(known, keyOf(line));
  for (const [place, candidates] of places.entries()) {
    for (const { line } of candidates) {
      const isOuter = place === 0 || isBehindFurniture(line, places, place, dropped);
      if (isOuter && (known.get(keyOf(line)) ?? 0) >= 2) dropped.add(line);
    }
  }
}

/** Drops "(continued from previous page)": a small remark in brackets that recurs where pages begin or end. */
function dropRemarks(atEnds: readonly Candidate[], bodySize: number, dropped: Set<Line>): void {
  const remarks = atEnds.filter(
    ({ line }) => line.size < bodySize && /^\([^()]{5,80}\)$/.test(line.text),
  );
  const times = countTexts(remarks);
  for (const { line } of remarks) if ((times.get(line.text) ?? 0) >= 3) dropped.add(line);
}

function lettersIn(pages: readonly PageLines[]): number {
  let sum = 0;
  for (const { lines } of pages) {
    for (const line of lines) {
      if (line.table === undefined) sum += line.text.length;
      else for (const { text } of withCells(line)) sum += text.length;
    }
  }
  return sum;
}

/** Pages that are equal from top to bottom are a form filled in again and again, without furniture. */
function withoutNumbers(pages: readonly PageLines[]): PageLines[] {
  return pages.map((page) => ({
    ...page,
    lines: page.lines.filter((line) => !isLonePageNumber(line)),
  }));
}

/** The lines of a group that most pages repeat word by word. */
function repeatedIn(group: readonly Candidate[], pageCount: number): Line[] {
  const texts = countTexts(group);
  const often = Math.max(3, 0.5 * pageCount);
  return group.map(({ line }) => line).filter(({ text }) => (texts.get(text) ?? 0) >= often);
}

function isBehindFurniture(
  line: Line,
  places: readonly Candidate[][],
  place: number,
  dropped: ReadonlySet<Line>,
): boolean {
  const before = places[place - 1]?.find((candidate) => candidate.page === line.page)?.line;
  if (before === undefined || !dropped.has(before)) return false;
  // Larger type is a heading.
  return line.size <= headingSize * before.size;
}
