import { ByHeight } from './by-height.js';
import { plainText, writePower } from './join-runs.js';
import { greatest, type Rule, type TextRun } from './page.js';

/** In points: the lengths of fraction bars. */
const shortest = 2;
const longest = 320;
/** In font sizes: how far a bar may extend beyond the wider side, and a side beyond the bar. */
const overhang = 0.4;
/** In font sizes: how far the middle of a side may be from the bar's middle. */
const offCentre = 0.3;
/** In font sizes of a side: the distances of its baseline from the bar. */
const above = { least: -0.15, most: 0.9 };
const below = { least: 0.55, most: 1.5 };
/** In font sizes: indices and powers are at most this far from the baseline of their side. */
const indexed = 0.7;
/** Smaller text than this, beside the text of a side, is an index or a power. */
const small = 0.85;
/** In font sizes: the baseline of the text beside a fraction is this far below the bar. */
const axis = { least: 0.08, most: 0.45 };
/** In font sizes: text beside a fraction is at most this far from the bar. */
const beside = 1.6;
/** In font sizes: lines of a box are closer to each other than bars of fractions below each other. */
const parallel = 2;
/** In font sizes: the space that belongs to a fraction, on each side. */
const margin = 0.12;
/** In font sizes: large brackets are this close to their fraction. They are much larger than its line, or far above. */
const closeBy = 0.7;
const large = 1.4;
const raised = 0.8;
const tallest = 2;
/** In font sizes: the distances of the baseline below a root's line. */
const underRoot = { least: 0.4, most: 3 };
/** A page with more bars or runs is a drawing. */
const most = { bars: 1000, runs: 20_000 };
/** In points: no text farther away from a bar than this belongs to its fraction. */
const reach = 60;

const rightOf = (run: TextRun) => run.x + run.width;

interface Side {
  runs: TextRun[];
  base: TextRun;
}

/** The text directly above (`way` -1) or below (1) a bar, without text that extends beyond it. */
function sideOf(
  bar: Rule,
  runs: readonly TextRun[],
  way: 1 | -1,
  distance: { least: number; most: number },
): Side | undefined {
  const inside = runs.filter((run) => {
    const middle = run.x + run.width / 2;
    const [left, right] = [bar.from - run.x, rightOf(run) - bar.to];
    return middle > bar.from && middle < bar.to && Math.max(left, right) < overhang * run.size;
  });
  const away = (run: TextRun) => way * (run.y - bar.at);
  const close = inside.filter(
    (run) => away(run) >= distance.least * run.size && away(run) <= distance.most * run.size,
  );
  const nearest = close.reduce((found, run) => Math.min(found, away(run)), Infinity);
  let base: TextRun | undefined;
  for (const run of close) {
    if (away(run) > nearest + indexed * run.size) continue;
    const isLarger = base === undefined || run.size > 1.05 * base.size;
    const isNearer = base !== undefined && run.size > 0.95 * base.size && away(run) < away(base);
    if (isLarger || isNearer) base = run;
  }
  if (base === undefined) return undefined;
  const { y, size } = base;
  const own = inside.filter(
    (run) => Math.abs(run.y - y) < indexed * size && away(run) > -0.15 * size,
  );
  return { runs: own.sort((a, b) => a.x - b.x), base };
}

const widthOf = ({ runs }: Side) => greatest(runs, rightOf) - (runs[0]?.x ?? 0);

function isCentred(bar: Rule, side: Side): boolean {
  const middle = (side.runs[0]?.x ?? 0) + widthOf(side) / 2;
  return Math.abs(middle - (bar.from + bar.to) / 2) < offCentre * side.base.size;
}

/** In one line, with powers. A power is no mark of a footnote here. */
function textOf({ runs, base }: Side): string {
  return plainText(runs, base.size, base.y)
    .replace(/\[\^(\d+)\]/g, (_, digits: string) => writePower(digits))
    .trim();
}

/** A number, a letter with its index, or a word: what needs no brackets anywhere. */
const single =
  /^(?:\p{L}\p{M}*\d*(?:[₀-₉₊₋]+|_\p{L}+|_\{[^{}]*\})?[⁰¹²³⁴-⁹ⁿ]*|[\d.,]+|\p{L}{4,})$/u;
/** A product, which needs no brackets above a bar. */
const product = /^[^\s+\-−±∓=≈<>≤≥/,;]+$/u;
const bracketed = /^√?\([^()]*\)[⁰¹²³⁴-⁹]*$/;

/** In brackets, unless they change nothing. */
function enclose(side: Side, isEnough: RegExp): string {
  const text = textOf(side);
  const main = side.runs.filter((run) => run.size >= small * side.base.size);
  const plain = main.map((run) => run.text).join('');
  const isOne = single.test(plain.trim()) || (isEnough === product && product.test(text));
  return isOne || bracketed.test(text) ? text : `(${text})`;
}

/** What is directly beside a bar, from left to right. */
function besideBar(bar: Rule, near: readonly TextRun[], isOne: (run: TextRun) => boolean) {
  const isBeside = (run: TextRun) =>
    Math.min(Math.abs(run.x - bar.to), Math.abs(rightOf(run) - bar.from)) < beside * run.size;
  return near.filter((run) => isBeside(run) && isOne(run)).sort((a, b) => a.x - b.x);
}

/** The large brackets around a fraction, which have a baseline of their own. */
function tallBrackets(bar: Rule, near: readonly TextRun[], line: { y: number; size: number }) {
  const { y, size } = line;
  const isTall = (run: TextRun) =>
    run.size > large * size
      ? Math.abs(run.y - y) < size
      : y - run.y > raised * size && y - run.y < tallest * size;
  const tall = near.filter((run) => /^[()[\]{}|]$/.test(run.text) && isTall(run));
  const isClose = (run: TextRun) =>
    Math.abs(run.x - bar.to) < closeBy * size || Math.abs(rightOf(run) - bar.from) < closeBy * size;
  const close = tall.filter(isClose);
  return tall.filter((run) => close.some((other) => Math.abs(other.y - run.y) < 0.1 * size));
}

/** True for a rule of a table or a box: another one is parallel to it, or meets it. */
function isOfBox(bar: Rule, rules: readonly Rule[], size: number): boolean {
  return rules.some(({ across, at, from, to }) =>
    across
      ? Math.abs(at - bar.at) > 0.1 * size &&
        Math.abs(at - bar.at) < parallel * size &&
        Math.abs(from - bar.from) < 1 &&
        Math.abs(to - bar.to) < 1
      : from < bar.at + 1 && to > bar.at - 1 && at > bar.from - 2 && at < bar.to + 2,
  );
}

interface Found {
  old: Set<TextRun>;
  fresh: TextRun[];
}

/** The fraction that a rule is the bar of; undefined for another rule. */
function fractionAt(
  bar: Rule,
  near: readonly TextRun[],
  rules: readonly Rule[],
): Found | undefined {
  const over = sideOf(bar, near, -1, above);
  const under = over === undefined ? undefined : sideOf(bar, near, 1, below);
  if (over === undefined || under === undefined) return undefined;
  const size = Math.max(over.base.size, under.base.size);
  const length = bar.to - bar.from;
  if (length > Math.max(widthOf(over), widthOf(under)) + 2 * overhang * size) return undefined;
  if (!isCentred(bar, over) || !isCentred(bar, under)) return undefined;
  const old = new Set([...over.runs, ...under.runs]);
  if (isOfBox(bar, rules, size)) return undefined;
  const isLevel = ({ y, size: own }: TextRun) =>
    y - bar.at > axis.least * own && y - bar.at < axis.most * own;
  const level = besideBar(bar, near, (run) => isLevel(run) && !old.has(run));
  const line = level[0] ?? lineAlone(bar, near, { over, under });
  if (line === undefined) return undefined;
  const brackets = tallBrackets(bar, near, line).filter((run) => !old.has(run));
  const row = [...level, ...brackets].sort((a, b) => a.x - b.x);
  const before = row.findLast((run) => rightOf(run) < bar.from + 0.3 * size)?.text ?? '';
  const behind = row.find((run) => run.x > bar.to - 0.3 * size)?.text ?? '';
  const { bold, italic, mono } = over.base;
  const space = /^[\p{L}\p{N}(]/u.test(behind) ? ' ' : '';
  const fraction = {
    text: `${enclose(over, product)}/${enclose(under, single)}${space}`,
    x: bar.from - margin * line.size,
    y: line.y,
    width: length + 2 * margin * line.size,
    size: line.size,
    bold,
    italic,
    mono,
    rightToLeft: false,
    spaced: /[\p{L}\p{N})=≈<>]\s*$/u.test(before),
  };
  for (const run of brackets) old.add(run);
  const levelled = brackets.map((run) => ({ ...run, y: line.y, size: line.size }));
  return { old, fresh: [fraction, ...levelled] };
}

/** In font sizes: nothing else stands so near to a fraction that is a formula of its own. */
const lonely = 2;

/** The baseline of a fraction with nothing beside it: two small numbers, or terms with a variable. */
function lineAlone(
  bar: Rule,
  near: readonly TextRun[],
  { over, under }: Record<'over' | 'under', Side>,
) {
  const runs = [...over.runs, ...under.runs];
  const { size } = over.base;
  const texts = [over, under].map(textOf);
  const areNumbers = texts.every((text) => /^\d{1,2}$/.test(text));
  const areTerms =
    texts.every((text) => !/\p{L}{3}/u.test(text)) &&
    runs.some(({ text, italic }) => italic && /^\p{L}$/u.test(text));
  if (!(areNumbers && bar.to - bar.from < size) && !areTerms) return undefined;
  const isBeside = (run: TextRun) =>
    !runs.includes(run) &&
    Math.abs(run.y - bar.at) < 1.2 * Math.max(run.size, size) &&
    run.x < bar.to + lonely * size &&
    rightOf(run) > bar.from - lonely * size;
  // Small numbers are in the line of larger text.
  return near.some(isBeside) ? undefined : { y: bar.at + (areNumbers ? 0.36 : 0.25) * size, size };
}

/** The root whose upper line a rule is; undefined for another rule. */
function rootAt(bar: Rule, near: readonly TextRun[]): Found | undefined {
  const sign = near.find(
    (run) =>
      run.text.endsWith('√') &&
      Math.abs(rightOf(run) - bar.from) < 0.25 * run.size &&
      run.y - bar.at > -0.3 * run.size &&
      run.y - bar.at < 1.6 * run.size,
  );
  const side = sign === undefined ? undefined : sideOf(bar, near, 1, underRoot);
  if (sign === undefined || side === undefined) return undefined;
  const { base, runs } = side;
  const text = sign.text + enclose(side, single);
  const root = { ...sign, text, y: base.y, size: base.size, width: bar.to - sign.x };
  return { old: new Set([sign, ...runs]), fresh: [root] };
}

/**
 * Writes stacked fractions in one line, "(a + b)/c". A fraction has a bar, text in its middle above and below, and text
 * beside the bar on the line to which it belongs. Rules of tables, underlines and sums have no such text.
 */
export function writeFractions(runs: readonly TextRun[], rules: readonly Rule[]): TextRun[] {
  const bars = rules
    .filter(({ across, from, to }) => across && to - from > shortest && to - from < longest)
    // What stands above or below a bar may be a fraction itself.
    .sort((a, b) => a.to - a.from - (b.to - b.from));
  if (bars.length === 0 || bars.length > most.bars || runs.length > most.runs) return [...runs];
  const places = new ByHeight(runs);
  const written = new Map<TextRun, readonly TextRun[]>();
  for (const bar of bars) {
    const near = places.between(bar.at - reach, bar.at + reach);
    const found = rootAt(bar, near) ?? fractionAt(bar, near, rules);
    if (found === undefined) continue;
    places.replace(found.old, found.fresh);
    for (const run of found.old) written.set(run, found.fresh);
  }
  if (written.size === 0) return [...runs];
  const last = (run: TextRun): TextRun[] => written.get(run)?.flatMap(last) ?? [run];
  return [...new Set(runs.flatMap(last))];
}
