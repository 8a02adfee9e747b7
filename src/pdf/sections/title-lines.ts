import type { Line, PageLines } from '../layout/page.js';
import type { Candidate } from './heading-levels.js';
import { hasWords, numberDepth } from '../../sections/titles.js';

/** The share of the page's height from its top in which running heads and letterheads stand. */
const margin = 0.07;
/** Below a letterhead, the title is at least this large, as a share of the letterhead's size. */
const leastTitle = 0.75;
const maxTitleLines = 4;
/** In letters: between the title and the names below it is at most an address. */
const briefText = 200;
const longText = 600;
/** In letters: a title page has less text, and is dealt with as a whole. */
const leastText = 400;
/** In points: a style is larger than another if the difference is at least this. */
const step = 0.75;

const abstract = /^(abstract|summary|zusammenfassung|kurzfassung|resumen|résumé)$/iu;

const abstractBegins = /^(abstract|zusammenfassung|resumen)([\s.:—–-]|$)/iu;

export function isAbstractTitle(title: string): boolean {
  return abstract.test(title);
}

/** The largest size in words on a page, in points. A letterhead in the margin does not count above a title. */
export function titleSize({ lines, height }: PageLines): number {
  const largestOf = (some: readonly Line[]) =>
    some.reduce((size, line) => (hasWords(line.text) ? Math.max(size, line.size) : size), 0);
  const largest = largestOf(lines);
  const below = largestOf(lines.filter((line) => line.y > margin * height));
  // The headings of a card have one size, and a title has one of its own.
  const first = lines.findIndex((line) => line.size === below);
  const last = lines.findLastIndex((line) => line.size === below);
  return below >= leastTitle * largest && last - first < maxTitleLines ? below : largest;
}

/** True when the second line continues a title that begins with the first. Both have one style. */
export function continuesTitle(a: Line, b: Line): boolean {
  if (a.page !== b.page || a.region !== b.region) return false;
  if (a.size !== b.size || a.bold !== b.bold) return false;
  // An author is indented below a title at the left.
  const isCentred = Math.abs(a.x + a.right - b.x - b.right) < a.size;
  if (b.x > a.x + b.size && !isCentred) return false;
  return b.y > a.y && b.y - a.y < 1.6 * b.size;
}

/**
 * The lines in the head of a paper that look like headings, but are none: authors, institution, version and date. They
 * stand on the first page between the title and the first section, whose heading is larger or the first with a number.
 * A letterhead or a number above the title is none either.
 */
export function findHeadLines(
  candidates: readonly Candidate[],
  lines: readonly Line[],
  cover: PageLines,
): ReadonlySet<Candidate> {
  const first = candidates.filter((candidate) => candidate.lines[0]?.page === cover.number);
  const sizeOf = ({ lines: [line] }: Candidate) => line?.size ?? 0;
  const size = titleSize(cover);
  const titleAt = first.findIndex((candidate) => sizeOf(candidate) === size);
  const title = first[titleAt];
  if (title === undefined || numberDepth(title.text) > 0) return new Set();
  const found = new Set(first.slice(0, titleAt).filter((candidate) => sizeOf(candidate) > size));
  const isAlone = candidates
    .slice(candidates.indexOf(title) + 1)
    .every((each) => sizeOf(each) < size);
  const ofFirst = new Set(first.flatMap((candidate) => candidate.lines));
  const text = cover.lines.filter((line) => !ofFirst.has(line));
  const letters = text.reduce((sum, line) => sum + line.text.length, 0);
  if (!isAlone || letters < leastText) return found;
  const numbered = candidates.filter(({ text }) => numberDepth(text) > 0).length;
  const isNumbered = numbered >= 3 && numbered >= 0.5 * candidates.length;
  const lettersBetween = (a: Candidate, b: Candidate | undefined) =>
    lines
      .slice(a.at + a.lines.length, b?.at ?? lines.length)
      .reduce((sum, { text }) => sum + text.length, 0);
  let above = title;
  for (let at = titleAt + 1; at < first.length; at++) {
    const candidate = first[at];
    if (candidate === undefined || numberDepth(candidate.text) > 0) break;
    // Authors in columns have their addresses between them.
    const most = found.has(above) && above.style === candidate.style ? longText : briefText;
    if (isAbstractTitle(candidate.text) || lettersBetween(above, candidate) > most) break;
    const others = first.slice(at + 1);
    const next = others.find(
      ({ style, text }) => style !== candidate.style && !isAbstractTitle(text),
    );
    const isBelowLarger = next !== undefined && sizeOf(next) >= sizeOf(candidate) + step;
    const leadsToNumber = isNumbered && lettersBetween(candidate, others[0]) < most;
    const leadsToAbstract = lines
      .slice(candidate.at + candidate.lines.length, others[0]?.at ?? cover.lines.length)
      .some(({ text }) => abstractBegins.test(text));
    if (!isBelowLarger && !leadsToNumber && !leadsToAbstract) break;
    found.add(candidate);
    above = candidate;
  }
  return found;
}
