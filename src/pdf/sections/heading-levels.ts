import type { Line } from '../layout/page.js';
import { weigh, type BodyStyle } from './body-style.js';
import { numberDepth } from '../../sections/titles.js';

/** A group of lines that looks like a heading. */
export interface Candidate {
  lines: Line[];
  text: string;
  style: string;
  /** The index of the first line in the document. */
  at: number;
  /** Of its number, if that is no figure: 1 for `II`. */
  depth?: number;
}

function depthOf({ text, depth }: Candidate): number {
  return depth ?? numberDepth(text);
}

/** In points: a style is larger than another if the difference is at least this. */
const step = 0.75;
/** Numbered lines with at most this many lines below each are a list. */
const longestItem = 3;
const leastItems = 3;

function sizeOf(style: string): number {
  return parseFloat(style);
}

/** How a heading in one style is told from others: a number stands above capitals, and capitals above other words. */
function rankOf(candidate: Candidate): number {
  if (depthOf(candidate) > 0) return 2;
  return candidate.text === candidate.text.toUpperCase() && /\p{Lu}{4}/u.test(candidate.text)
    ? 1
    : 0;
}

/**
 * The levels of headings, where one that stands directly above a lesser one of its style is around it, and around all
 * that follow until the next of its own kind.
 */
function nestStacked(candidates: readonly Candidate[], levels: number[]): number[] {
  const nested = [...levels];
  candidates.forEach((outer, at) => {
    const next = candidates[at + 1];
    const level = levels[at] ?? 1;
    if (next?.at !== outer.at + outer.lines.length || levels[at + 1] !== level) return;
    if (next.style !== outer.style || rankOf(outer) <= rankOf(next)) return;
    for (let below = at + 1; below < candidates.length; below++) {
      const other = candidates[below];
      if (other === undefined || (levels[below] ?? 1) < level) return;
      if (levels[below] === level && rankOf(other) >= rankOf(outer)) return;
      nested[below] = (levels[below] ?? 1) + 1;
    }
  });
  return nested;
}

/** Ranks styles by prominence: by size, and bold before regular. */
function rankStyles(candidates: readonly Candidate[]): Map<string, number> {
  const styles = [...new Set(candidates.map((candidate) => candidate.style))];
  styles.sort((a, b) => sizeOf(b) - sizeOf(a) || Number(b.endsWith('b')) - Number(a.endsWith('b')));
  return new Map(styles.map((style, index) => [style, index + 1]));
}

/** The usual depth of the numbers in each style that numbers its headings. */
function depthsByStyle(candidates: readonly Candidate[]): Map<string, number> {
  const all = new Map<string, number>();
  const depths = new Map<string, Map<number, number>>();
  for (const candidate of candidates) {
    const { style } = candidate;
    weigh(all, style);
    const depth = depthOf(candidate);
    if (depth === 0) continue;
    const counts = depths.get(style) ?? new Map<number, number>();
    weigh(counts, depth);
    depths.set(style, counts);
  }
  return new Map(
    [...depths].flatMap(([style, counts]): [string, number][] => {
      const [best] = [...counts].sort((a, b) => b[1] - a[1]);
      const isUsual = best !== undefined && best[1] >= Math.max(2, 0.3 * (all.get(style) ?? 0));
      return isUsual ? [[style, best[0]]] : [];
    }),
  );
}

/**
 * The level of each heading: its number's depth if the document numbers its headings, else the rank of its style. A
 * heading without a number is below the numbered ones that are larger, and so is the 1 of a list of steps.
 */
export function levelsOf(candidates: readonly Candidate[]): number[] {
  return nestStacked(candidates, levelsByStyle(candidates));
}

function levelsByStyle(candidates: readonly Candidate[]): number[] {
  const ranks = rankStyles(candidates);
  const numbered = candidates.filter((candidate) => depthOf(candidate) > 0);
  const byNumber = numbered.length >= 3 && numbered.length >= 0.5 * candidates.length;
  if (!byNumber) return candidates.map(({ style }) => ranks.get(style) ?? 1);
  const depths = depthsByStyle(candidates);
  const bounds = new Map(
    [...ranks.keys()].map((style) => {
      const larger: number[] = [];
      const smaller: number[] = [];
      for (const [other, depth] of depths) {
        const difference = sizeOf(other) - sizeOf(style);
        const isBolder = other.endsWith('b') && !style.endsWith('b');
        if (difference >= step || (isBolder && difference > -step)) larger.push(depth);
        else if (difference <= -step) smaller.push(depth);
      }
      return [style, { least: 1 + Math.max(0, ...larger), most: Math.min(...smaller) - 1 }];
    }),
  );
  return candidates.map((candidate) => {
    const { style } = candidate;
    const { least = 1, most = 1 } = bounds.get(style) ?? {};
    const depth = depthOf(candidate);
    if (depth > 1) return depth;
    if (depth === 1) return least;
    const rank = Math.max(1, Math.min(ranks.get(style) ?? 1, most));
    return depths.get(style) ?? Math.max(rank, least);
  });
}

function itemNumber({ text }: Candidate): number {
  return Number(/^(\d{1,3})[.)]\s/.exec(text)?.[1] ?? 0);
}

/** Finds lists in bold type, such as references: numbers that follow one another with few lines between them. */
export function findBoldLists(
  groups: readonly Candidate[],
  body: BodyStyle,
): ReadonlySet<Candidate> {
  const found = new Set<Candidate>();
  let run: Candidate[] = [];
  const endRun = () => {
    if (run.length >= leastItems) run.forEach((item) => found.add(item));
    run = [];
  };
  for (const group of groups) {
    const [first] = group.lines;
    const isItem = itemNumber(group) > 0 && (first?.size ?? 0) < 1.12 * body.size;
    const last = run.at(-1);
    const goesOn =
      last === undefined ||
      (itemNumber(group) > itemNumber(last) &&
        group.at - last.at - last.lines.length <= longestItem);
    if (!isItem || !goesOn) endRun();
    if (isItem) run.push(group);
  }
  endRun();
  return found;
}
