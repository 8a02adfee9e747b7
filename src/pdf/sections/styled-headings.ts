import type { Line, PageLines } from '../layout/page.js';
import { weigh, type BodyStyle } from './body-style.js';
import type { Heading } from './heading.js';
import { findEntryHeads } from './entry-heads.js';
import { isCaptionText, isLabelText } from '../../sections/labels.js';
import { findBoldLists, levelsOf, type Candidate } from './heading-levels.js';
import {
  findBackMatter,
  findNumberedHeadings,
  findPlainBackMatter,
  findRomanHeadings,
} from './numbered-headings.js';
import { isBullet, markerOf, unfinished } from './lists.js';
import { continuesTitle, findHeadLines, titleSize } from './title-lines.js';
import { isFormula } from './formulas.js';
import { hasWords, numberDepth } from '../../sections/titles.js';

const maxLength = 140;
const maxLines = 4;
/** A style of more than this share of the letters is running text, however large. */
const maxShare = 0.2;

/** In letters, on average: what stands below a heading that recurs. */
const leastSection = 500;
/** So many headings with a number of two parts tell that a document numbers them. */
const leastNumbered = 3;
/** In words: a shorter line above a listing may be the name of what it declares. */
const leastCaption = 3;

/** Size and weight, which distinguish titles. */
export function styleOf(line: Line): string {
  return `${(Math.round(line.size * 2) / 2).toFixed(1)}${line.bold ? 'b' : ''}`;
}

export function isProminent(line: Line, body: BodyStyle): boolean {
  if (line.mono) return false;
  return (
    line.size >= 1.12 * body.size || (line.bold && !body.bold && line.size >= 0.95 * body.size)
  );
}

export function sameBlock(a: Line, b: Line): boolean {
  return (
    a.page === b.page &&
    a.region === b.region &&
    styleOf(a) === styleOf(b) &&
    b.y - a.y < 1.6 * b.size
  );
}

const address = /https?:\/\/|\bwww\.|\S@\S{1,60}\.\p{L}{2}/iu;

/** A whole sentence, the beginning of one, or the end of one. */
function readsLikeSentence(text: string): boolean {
  const words = text.split(' ').length;
  if (/\p{Ll}{3,}\.$|[)\]]\.$/u.test(text) || (words > 4 && /[.!]$/.test(text))) return true;
  if (unfinished.test(text)) return true;
  return words > 6 && /^\p{Ll}\S*\s|\p{Ll}{3}\. \p{Lu}\p{Ll}* \p{Ll}/u.test(text);
}

/** True for a bold head, its full stop, and the first words of the text. */
function isRunIn({ lead, text }: Line): boolean {
  return lead?.bold === true && /[.:]$/.test(lead.text) && lead.text.length < text.length;
}

/** A label without text, a sentence, a caption, an address, or a row of a table is not a title. */
function readsLikeTitle(text: string, lines: readonly Line[]): boolean {
  const words = text.replace(/^\d+(?:\.\d+)+\.?\s/, '').replace(/\s/g, '');
  const letters = words.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 2 || letters < 0.4 * words.length || text.length > maxLength) return false;
  if (!hasWords(text) || /[,;:]$/.test(text)) return false;
  if (readsLikeSentence(text) || isCaptionText(text) || address.test(text)) return false;
  if (isFormula(text) || lines.some(isRunIn)) return false;
  const [first] = lines;
  if (first !== undefined && isBullet(markerOf(first))) return false;
  const cells = lines.reduce((most, line) => Math.max(most, line.segments.length), 0);
  return cells <= (numberDepth(first?.text ?? '') > 0 ? 2 : 1);
}

/** True for a line between lines of running text, such as a label of the drawing beside it. */
function isSqueezedIn(group: readonly Line[], before?: Line, after?: Line): boolean {
  const isClose = (upper: Line | undefined, lower: Line | undefined) =>
    upper !== undefined &&
    lower !== undefined &&
    upper.page === lower.page &&
    lower.y > upper.y + 0.1 * lower.size &&
    lower.y - upper.y < 0.8 * Math.min(upper.size, lower.size);
  return isClose(before, group[0]) && isClose(group.at(-1), after);
}

/** True for "2.1 Packages" below "2 Bibliographies". */
function countsBelow({ text }: Line, next: Line): boolean {
  return (
    numberDepth(text) > 0 && next.text.startsWith(`${text.split(' ')[0]?.replace(/\.$/, '')}.1`)
  );
}

/** Titles in the text's size must stand apart. Otherwise every bold lead-in would open a section. */
function standsApart(
  group: readonly Line[],
  before: Line | undefined,
  after: Line | undefined,
  body: BodyStyle,
): boolean {
  const [line] = group;
  if (line === undefined || isSqueezedIn(group, before, after)) return false;
  if (line.size >= 1.12 * body.size) return true;
  const leading = body.leading * body.size;
  const above =
    before?.page === line.page && before.region === line.region ? line.y - before.y : Infinity;
  const isBelow = after?.page === line.page && after.region === line.region;
  // A bold beginning of a paragraph goes on in lower case on the next line.
  const runsOn = /^\p{Ll}/u.test(after?.text ?? '') && (after?.y ?? 0) - line.y < 1.3 * leading;
  // A heading of lesser size may follow, or one that counts below it.
  const isLesser = after !== undefined && after.size < line.size - 0.5;
  const isFirst = after !== undefined && countsBelow(line, after);
  const goesOn =
    after?.bold === true && !isFirst && !(isLesser && after.y - line.y > 1.6 * line.size);
  const continues = isBelow && (goesOn || runsOn);
  return above > 1.15 * leading && !continues;
}

/** Groups of prominent lines that follow one another in one style. */
function groupProminent(
  lines: readonly Line[],
  body: BodyStyle,
  cover: PageLines | undefined,
): Candidate[] {
  const groups: Candidate[] = [];
  const size = cover === undefined ? 0 : titleSize(cover);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line === undefined || !isProminent(line, body)) continue;
    const group = [line];
    const isTitle = line.page === cover?.number && line.size === size;
    for (let next = lines[at + 1]; next !== undefined; next = lines[at + group.length]) {
      const last = group.at(-1) ?? line;
      if (countsBelow(line, next)) break;
      if (!sameBlock(last, next) && !(isTitle && continuesTitle(last, next))) break;
      group.push(next);
    }
    const text = group.map((each) => each.text).join(' ');
    groups.push({ lines: group, text, style: styleOf(line), at });
    at += group.length - 1;
  }
  return groups;
}

/**
 * The texts that recur as labels of boxes: "Note", "Tip", "Example". A text that recurs below other headings each time,
 * with the text of a section below it, is a heading: "Overview".
 */
function findLabels(found: readonly Candidate[], lines: readonly Line[]): ReadonlySet<string> {
  const seen = new Map<string, { times: number; letters: number; at: number; isOnce: boolean }>();
  const lastOf = new Map<number, number>();
  for (const [at, { text, lines: own, at: first }] of found.entries()) {
    const size = Math.round(2 * (own[0]?.size ?? 0));
    const larger = [...lastOf].reduce(
      (last, [of, place]) => (of > size ? Math.max(last, place) : last),
      -1,
    );
    const known = seen.get(text) ?? { times: 0, letters: 0, at: -1, isOnce: isLabelText(text) };
    known.isOnce &&= known.times === 0 || larger > known.at;
    known.times++;
    known.at = at;
    for (const line of lines.slice(first + own.length, found[at + 1]?.at)) {
      known.letters += line.text.length;
    }
    seen.set(text, known);
    lastOf.set(size, at);
  }
  return new Set(
    [...seen].flatMap(([text, { times, letters, isOnce }]) =>
      times < 3 || (isOnce && letters > leastSection * times) ? [] : [text],
    ),
  );
}

/** Where headings are numbered, a bold line of several words without a number directly above a listing is its caption. */
function findListingCaptions(
  found: readonly Candidate[],
  lines: readonly Line[],
  body: BodyStyle,
): ReadonlySet<Candidate> {
  if (found.filter(({ text }) => numberDepth(text) > 1).length < leastNumbered) return new Set();
  const ofFound = new Set(found.flatMap((candidate) => candidate.lines));
  return new Set(
    found.filter(({ text, lines: own, at }) => {
      const [above, below] = [lines[at - 1], lines[at + own.length]];
      const [first] = own;
      if (first === undefined || above === undefined || ofFound.has(above)) return false;
      return (
        first.size < 1.12 * body.size &&
        numberDepth(text) === 0 &&
        text.split(' ').length >= leastCaption &&
        !text.endsWith('?') &&
        below?.mono === true &&
        below.page === first.page
      );
    }),
  );
}

/**
 * Finds headings by their look: larger or bolder than the running text, short, and standing apart. Their level follows
 * their numbers if the document numbers them, else their size.
 */
export function findStyledHeadings(pages: readonly PageLines[], body: BodyStyle): Heading[] {
  const lines = pages.flatMap((page) => page.lines);
  const letters = new Map<string, number>();
  let all = 0;
  for (const line of lines) {
    weigh(letters, styleOf(line), line.text.length);
    all += line.text.length;
  }
  const cover = pages.find((page) => page.lines.length > 0);
  const groups = groupProminent(lines, body, cover);
  const lists = findBoldLists(groups, body);
  const collected = groups.filter(
    (group) =>
      !lists.has(group) &&
      group.lines.length <= maxLines &&
      standsApart(group.lines, lines[group.at - 1], lines[group.at + group.lines.length], body) &&
      readsLikeTitle(group.text, group.lines),
  );
  const labels = findLabels(collected, lines);
  const captions = findListingCaptions(collected, lines, body);
  const head = cover === undefined ? new Set() : findHeadLines(collected, lines, cover);
  const styled = collected.filter(
    (candidate) =>
      !head.has(candidate) &&
      (letters.get(candidate.style) ?? 0) <= maxShare * all &&
      !captions.has(candidate) &&
      (!labels.has(candidate.text) || (candidate.lines[0]?.size ?? 0) > 1.25 * body.size),
  );
  const isTitle = (line: Line) => readsLikeTitle(line.text, [line]);
  const plain = findNumberedHeadings(lines, styled, body, isTitle);
  const roman = findRomanHeadings(lines, body, isTitle);
  const ofRoman = new Set(roman.flatMap((candidate) => candidate.lines));
  const others = [...styled, ...plain].filter(
    (candidate) => !candidate.lines.some((line) => ofRoman.has(line)),
  );
  const known = inOrder([...others, ...roman]);
  const names = findBackMatter(lines);
  const candidates = inOrder([...known, ...findPlainBackMatter(lines, known, names, body)]);
  const levels = withBackMatter(candidates, levelsOf(candidates), names);
  const deepest = levels.reduce((most, level) => Math.max(most, level), 0);
  const levelsAt = new Map(candidates.map(({ at }, index) => [at, levels[index] ?? 1]));
  const entries = findEntryHeads(lines, body).filter(({ at }) => !levelsAt.has(at));
  return inOrder<Omit<Candidate, 'style'>>([...candidates, ...entries]).map(
    ({ text, lines: own, at }) => ({
      title: text,
      level: levelsAt.get(at) ?? deepest + 1,
      lines: own,
    }),
  );
}

/** The levels of headings, where the back matter that `names` holds stands beside the chapters. */
function withBackMatter(
  candidates: readonly Candidate[],
  levels: readonly number[],
  names: ReadonlySet<string>,
): number[] {
  const isNamed = ({ text }: Candidate) => names.has(text);
  // Below the document's title, which comes first, the least level is that of chapters.
  const others = candidates.flatMap((candidate, at) =>
    at === 0 || isNamed(candidate) ? [] : [levels[at] ?? 1],
  );
  const least = others.reduce((lowest, level) => Math.min(lowest, level), Infinity);
  return candidates.map((candidate, at) => {
    const level = levels[at] ?? 1;
    if (!isNamed(candidate)) return level;
    // The headings after it must not become its children.
    const after = candidates.findIndex(
      (other, index) => index > at && !isNamed(other) && (levels[index] ?? 1) <= level,
    );
    return (levels[after] ?? least) <= least ? Math.min(level, least) : level;
  });
}

function inOrder<T extends { at: number }>(candidates: readonly T[]): T[] {
  return [...candidates].sort((a, b) => a.at - b.at);
}
