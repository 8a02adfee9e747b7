import type { Line } from '../layout/page.js';
import { weigh, type BodyStyle } from './body-style.js';
import type { Candidate } from './heading-levels.js';

const heading = /^(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+["“„«'‘]?[\p{Lu}\p{Lo}]/u;
const backMatter =
  /^(references|bibliography|literatur(verzeichnis|angaben)?|quellenverzeichnis|bibliograf[ií]a|referencias( bibliográficas)?|acknowledge?ments?|danksagung|agradecimientos)$/iu;
/** With fewer of one style and depth, numbers are no sequence of headings. */
const leastOfDepth = 3;
/** The size of headings in slightly larger type, as a share of the text's. */
const slightly = 1.05;
/** In letters: with less text between them on average, single numbers count the items of a list. */
const leastBetween = 400;

/** The numbers of a heading: [3, 2] for `3.2 Networks`; undefined without. */
function numbersOf(text: string): number[] | undefined {
  return heading.exec(text)?.[1]?.split('.').map(Number);
}

/** True when a number may come next after another: its first child, its successor, or that of a parent. */
function follows(last: readonly number[], next: readonly number[]): boolean {
  const depth = next.length;
  const own = next[depth - 1] ?? 0;
  const isBelow = (length: number) => next.slice(0, length).every((each, at) => each === last[at]);
  if (depth <= last.length) {
    if (isBelow(depth - 1) && own === (last[depth - 1] ?? 0) + 1) return true;
  } else if (depth === last.length + 1 && isBelow(depth - 1)) return own === 1;
  // The chapter itself may have no number.
  return depth > 1 && own === 1 && (next[0] ?? 0) === (last[0] ?? 0) + 1;
}

/** True for a line with space above it that is not the beginning of the text below it. */
function standsAlone(lines: readonly Line[], at: number, body: BodyStyle): boolean {
  const [before, line, after] = [lines[at - 1], lines[at], lines[at + 1]];
  if (line === undefined || after === undefined) return false;
  const leading = body.leading * body.size;
  const isNear = (a: Line | undefined, b: Line | undefined) =>
    a !== undefined && a.page === b?.page && a.region === b.region && b.y - a.y < 1.15 * leading;
  if (isNear(before, line) || /^\p{Ll}/u.test(after.text)) return false;
  if (!isNear(line, after)) return true;
  return after.x < line.x + 0.5 * line.size && numbersOf(after.text) === undefined;
}

/** Its size comes first, as in other styles. */
function styleOf({ size, bold, italic }: Line): string {
  return `${size.toFixed(1)} ${bold} ${italic}`;
}

/**
 * Finds headings that only their numbers tell from the text: lines on their own, in one style for each depth, whose
 * numbers follow one another. Headings of that depth in larger or bolder type rule them out.
 * @param prominent the headings known by their look
 * @param isTitle whether a line reads like a title
 */
export function findNumberedHeadings(
  lines: readonly Line[],
  prominent: readonly Candidate[],
  body: BodyStyle,
  isTitle: (line: Line) => boolean,
): Candidate[] {
  const known = new Map(prominent.map((candidate) => [candidate.at, candidate]));
  const ofProminent = new Set(prominent.flatMap((candidate) => candidate.lines));
  const depths = new Set(prominent.map(({ text }) => numbersOf(text)?.length));
  const groups = new Map<string, Candidate[]>();
  let last: readonly number[] = [];
  lines.forEach((line, at) => {
    const numbers = numbersOf(known.get(at)?.text ?? line.text);
    if (numbers === undefined) return;
    if (known.has(at)) last = numbers;
    if (ofProminent.has(line) || depths.has(numbers.length) || !follows(last, numbers)) return;
    if (!standsAlone(lines, at, body) || !isTitle(line)) return;
    const style = styleOf(line);
    // Slightly larger type is of headings, whatever their depth.
    const key = line.size > slightly * body.size ? style : `${style} ${numbers.length}`;
    const found = { lines: [line], text: line.text, style, at };
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [found]);
    else group.push(found);
    last = numbers;
  });
  return [...groups.values()].filter((group) => isSequence(group, lines)).flat();
}

/** The numbers of a paper whose chapters are I, II, III, and whose sections are A, B, C in each of them. */
const roman = /^([IVX]{1,5})\.\s+(?=\S)/;
const letter = /^([A-Z])\.\s+(?=\S)/;

function valueOfRoman(text: string): number {
  const values = Array.from(text, (sign) => ({ I: 1, V: 5, X: 10 })[sign] ?? 0);
  return values.reduce(
    (sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value),
    0,
  );
}

/** The numbers that a text may begin with: [2] for `II. Method`, [2, 1] for `A. Data` below it. */
function romanNumbersOf(text: string, chapter: number): number[][] {
  const first = roman.exec(text)?.[1];
  const second = letter.exec(text)?.[1];
  return [
    ...(first === undefined ? [] : [[valueOfRoman(first)]]),
    ...(second === undefined ? [] : [[chapter, second.charCodeAt(0) - 64]]),
  ];
}

/** A line in italics, or in capitals of whatever height. */
function isSetApart({ text, italic, mono }: Line): boolean {
  return !mono && (italic || (text === text.toUpperCase() && /\p{Lu}{3}/u.test(text)));
}

/** A line without its number, which may have a cell of its own. */
function withoutNumber(line: Line): Line {
  const number = (roman.exec(line.text) ?? letter.exec(line.text))?.[0] ?? '';
  const [first, ...others] = line.segments;
  const isCell = others.length > 0 && first?.text === number.trim();
  return {
    ...line,
    text: line.text.slice(number.length),
    segments: isCell ? others : line.segments,
  };
}

/**
 * Finds headings that have Roman numbers and, below them, letters: in capitals or italics on lines of their own, with
 * numbers that follow one another.
 * @param isTitle whether a line reads like a title
 */
export function findRomanHeadings(
  lines: readonly Line[],
  body: BodyStyle,
  isTitle: (line: Line) => boolean,
): Candidate[] {
  const found: Candidate[] = [];
  let last: readonly number[] = [];
  lines.forEach((line, at) => {
    if (!isSetApart(line) || line.size > 1.12 * body.size) return;
    const numbers = romanNumbersOf(line.text, last[0] ?? 0).find((each) => follows(last, each));
    if (numbers === undefined) return;
    const next = lines[at + 1];
    const goesOn =
      next?.page === line.page &&
      next.region === line.region &&
      next.y - line.y < 1.3 * line.size &&
      next.italic === line.italic &&
      next.size === line.size &&
      isSetApart(next) &&
      romanNumbersOf(next.text, 0).length === 0;
    const own = goesOn ? [line, next] : [line];
    const around = [lines[at - 1], line, lines[at + own.length]].flatMap((each) => each ?? []);
    if (!standsAlone(around, around.indexOf(line), body) || !isTitle(withoutNumber(line))) return;
    const text = own.map((each) => each.text).join(' ');
    // Small capitals have no size that tells their rank.
    found.push({ lines: own, text, style: `${body.size}`, at, depth: numbers.length });
    last = numbers;
  });
  return found.filter(({ depth }) => depth === 1).length >= leastOfDepth ? found : [];
}

/** True for enough headings with text between them. Single numbers also count the steps of a list. */
function isSequence(group: readonly Candidate[], lines: readonly Line[]): boolean {
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined || group.length < leastOfDepth) return false;
  if ((numbersOf(first.text)?.length ?? 0) > 1) return true;
  const between = lines.slice(first.at, last.at).reduce((sum, { text }) => sum + text.length, 0);
  return between >= leastBetween * (group.length - 1);
}

/** The texts that name the back matter of a document, such as its references. A book has them in each chapter. */
export function findBackMatter(lines: readonly Line[]): ReadonlySet<string> {
  const times = new Map<string, number>();
  for (const { text } of lines) if (backMatter.test(text)) weigh(times, text);
  return new Set([...times].flatMap(([text, count]) => (count === 1 ? [text] : [])));
}

/** Back matter whose heading stands below other headings on a line of its own, in the type of the text. */
export function findPlainBackMatter(
  lines: readonly Line[],
  headings: readonly Candidate[],
  names: ReadonlySet<string>,
  body: BodyStyle,
): Candidate[] {
  const taken = new Set(headings.flatMap((candidate) => candidate.lines));
  return lines.flatMap((line, at): Candidate[] => {
    if (!names.has(line.text) || taken.has(line) || headings.length < 2) return [];
    if ((headings[0]?.at ?? Infinity) > at || !standsAlone(lines, at, body)) return [];
    return [{ lines: [line], text: line.text, style: styleOf(line), at }];
  });
}
