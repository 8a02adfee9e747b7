import type { Line } from '../layout/page.js';
import { weigh, type BodyStyle } from './body-style.js';
import type { Candidate } from './heading-levels.js';

const heading = /^(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+["“„«'‘]?[\p{Lu}\p{Lo}]/u;
const backMatter =
  /^(references|bibliography|literatur(verzeichnis|angaben)?|quellenverzeichnis|bibliograf[ií]a|referencias( bibliográficas)?|acknowledge?ments?|danksagung|agradecimientos)$/iu;
/** With fewer of one style and depth, numbers are no sequence of headings. */
const leastOfDepth = 3;
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
  if (line.mono && !body.mono) return false;
  const leading = body.leading * body.size;
  const isNear = (a: Line | undefined, b: Line | undefined) =>
    a !== undefined && a.page === b?.page && a.region === b.region && b.y - a.y < 1.15 * leading;
  if (isNear(before, line) || /^\p{Ll}/u.test(after.text)) return false;
  // The items of a list are indented, and their lines hang below their text, not below their number.
  const isCentred = Math.abs(line.x + line.right - after.x - after.right) < 4 * line.size;
  if (line.x > after.x + 0.5 * line.size && !isCentred) return false;
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
    const key = `${style} ${numbers.length}`;
    const found = { lines: [line], text: line.text, style, at };
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [found]);
    else group.push(found);
    last = numbers;
  });
  return [...groups.values()].filter((group) => isSequence(group, lines)).flat();
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
