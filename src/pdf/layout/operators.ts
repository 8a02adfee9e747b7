import type { Rule, TextRun } from './page.js';
import { isAtBar, textOfRuns, writeSub, writeSuper } from './scripts.js';

const operator = /^[∑∏∐∫∬∭∮⋂⋃⨁⨂⋁⋀]$/u;
/** Functions with a limit below them. */
const limited = /^(?:lim|max|min|sup|inf|arg ?min|arg ?max)$/;
const bracket = /^[()[\]{}|‖⟨⟩⌈⌉⌊⌋]+$/u;
/** Of the size of the formula: its limits are smaller. */
const small = 0.85;
/** In font sizes: how far a sign is drawn from the baseline of its formula, and how far beside its text. */
const offset = { least: 0.3, most: 1.9 };
const beside = 1.2;
/** In font sizes: how far limits are above and below the baseline, at least behind a sign, and beside their sign. */
const limit = { least: 0.45, behind: 0.15, most: 2.8 };
const overhang = 1.4;
/** So many runs before and behind a sign may belong to it. */
const reach = 14;

const rightOf = (run: TextRun) => run.x + run.width;

/** The text to whose line a tall sign belongs: what is written before it, else behind it. */
function lineOf(runs: readonly TextRun[], at: number, bars: readonly Rule[]): TextRun | undefined {
  const sign = runs[at];
  if (sign === undefined) return undefined;
  const around = runs.slice(Math.max(0, at - reach), at + reach);
  const isClose = (run: TextRun) => Math.abs(run.y - sign.y) < offset.most * sign.size;
  const size = around.reduce(
    (most, run) => (isClose(run) && !isTall(run.text) ? Math.max(most, run.size) : most),
    0,
  );
  const isLine = (run: TextRun) =>
    run.size > small * size &&
    isClose(run) &&
    !/^[()[\]{}|‖⟨⟩⌈⌉⌊⌋√]+$/u.test(run.text) &&
    !isAtBar(run, bars, 2);
  let start = sign.x;
  for (let before = at - 1; before >= 0 && before > at - reach; before--) {
    const run = runs[before];
    if (run === undefined || !isClose(run) || start - rightOf(run) > beside * sign.size) break;
    if (run.x < sign.x) start = Math.min(start, run.x);
    // A line that reaches over the sign is above it.
    if (isLine(run) && run.x < sign.x && rightOf(run) < sign.x + sign.size) return run;
  }
  // A fraction may stand between the sign and the rest of its line.
  const end = bars.reduce((right, bar) => {
    const isNext = bar.from > sign.x && bar.from - rightOf(sign) < 2 * beside * sign.size;
    const isLevel = Math.abs(bar.at - sign.y) < offset.most * sign.size;
    return isNext && isLevel ? Math.max(right, bar.to) : right;
  }, rightOf(sign));
  return runs
    .slice(at + 1, at + reach)
    .find((run) => isLine(run) && run.x > sign.x && run.x - end < 2 * beside * sign.size);
}

/** In font sizes: a tall bracket is this close to its text. */
const tight = 0.35;

/**
 * The baseline to which a bracket belongs that hangs from its own: the text of the formula is directly beside it and
 * lower. Undefined for a bracket of the common size, and for one of a program that has a line of its own.
 */
function lineOfBracket(
  runs: readonly TextRun[],
  at: number,
  bars: readonly Rule[],
): TextRun | undefined {
  const [before, sign, behind] = [runs[at - 1], runs[at], runs[at + 1]];
  const line = lineOf(runs, at, bars);
  if (sign === undefined || line === undefined || sign.mono) return undefined;
  if (line.y - sign.y < offset.least * line.size) return undefined;
  const isNear = (distance: number) => Math.abs(distance) < tight * line.size;
  const isClose = (run: TextRun | undefined, distance: number) =>
    run !== undefined && isNear(distance) && run.y > sign.y;
  const [gap, next] = [sign.x - rightOf(before ?? sign), (behind ?? sign).x - rightOf(sign)];
  const isLevel = (run: TextRun | undefined) =>
    run !== undefined && !isTall(run.text) && Math.abs(run.y - sign.y) < 0.1 * sign.size;
  // An index may stand between the text and its bracket.
  const base = runs
    .slice(Math.max(0, at - reach), at)
    .findLast((run) => run.size > small * sign.size);
  if ((isLevel(base) && isNear(gap)) || (isLevel(behind) && isNear(next))) return undefined;
  // What closes has its formula before it.
  const isOpen = /[([{|‖⟨⌈⌊]/u.test(sign.text) && isClose(behind, next);
  return isClose(before, gap) || isOpen ? line : undefined;
}

const isTall = (text: string) => operator.test(text) || bracket.test(text);

/** The small text above or below an operator, next to it in the content stream. */
function limitsOf(
  runs: readonly TextRun[],
  at: number,
  line: TextRun,
  bars: readonly Rule[],
): TextRun[] {
  const sign = runs[at];
  if (sign === undefined) return [];
  const middleOf = (run: TextRun) => run.x + run.width / 2;
  const others = runs
    .slice(Math.max(0, at - reach), at + reach)
    .filter((run) => run !== sign && operator.test(run.text));
  const isOwn = (middle: number) =>
    others.every(
      (other) => Math.abs(middleOf(other) - middle) >= Math.abs(middleOf(sign) - middle),
    );
  const isLimit = (run: TextRun | undefined): run is TextRun => {
    if (run === undefined || run.size > small * line.size) return false;
    const [middle, away] = [middleOf(run), Math.abs(run.y - line.y) / line.size];
    const isBehind = operator.test(sign.text) && run.x > rightOf(sign) - 0.2 * line.size;
    return (
      !isAtBar(run, bars) &&
      isOwn(middle) &&
      middle > sign.x - overhang * line.size &&
      middle < rightOf(sign) + overhang * line.size &&
      away > (isBehind ? limit.behind : limit.least) &&
      away < limit.most
    );
  };
  let [from, to] = [at, at];
  while (at - from < reach && isLimit(runs[from - 1])) from--;
  while (to - at < reach && isLimit(runs[to + 1])) to++;
  return runs.slice(from, to + 1).filter((run) => run !== sign);
}

/**
 * Takes the tall signs of formulas to the line of their formula, which fonts draw above it: brackets, and sums and
 * integrals with their limits, "∑_{i=0}^n".
 */
export function settleOperators(runs: readonly TextRun[], bars: readonly Rule[]): TextRun[] {
  if (!runs.some(({ text }) => text.length < 8 && (isTall(text) || limited.test(text)))) {
    return [...runs];
  }
  const settled = [...runs];
  const gone = new Set<TextRun>();
  for (const [at, sign] of settled.entries()) {
    const isFunction = limited.test(sign.text);
    if (!isFunction && !isTall(sign.text)) continue;
    if (bracket.test(sign.text)) {
      const line = lineOfBracket(settled, at, bars);
      if (line !== undefined) settled[at] = { ...sign, y: line.y, size: line.size };
      continue;
    }
    const line = isFunction ? sign : lineOf(settled, at, bars);
    if (line === undefined) continue;
    const limits = limitsOf(settled, at, line, bars).filter((run) => !gone.has(run));
    if (isFunction && limits.some((run) => run.y < line.y)) continue;
    for (const run of limits) gone.add(run);
    const above = limits.filter((run) => run.y < line.y).sort((a, b) => a.x - b.x);
    const below = limits.filter((run) => run.y > line.y).sort((a, b) => a.x - b.x);
    const all = [sign, ...limits];
    const x = all.reduce((least, run) => Math.min(least, run.x), Infinity);
    const right = all.reduce((most, run) => Math.max(most, rightOf(run)), -Infinity);
    const [to = '', from = ''] = [above, below].map((limit) =>
      textOfRuns(limit, bars).replaceAll(' ', ''),
    );
    const text = sign.text + writeSub(from) + (/^\d$/.test(to) ? `^${to}` : writeSuper(to));
    const { y, size } = line;
    settled[at] = {
      ...sign,
      text,
      x,
      width: right - x,
      y,
      size,
      spaced: !isFunction || sign.spaced,
    };
    const behind = at + 1 + limits.filter((run) => settled.indexOf(run, at) > at).length;
    const next = settled[behind];
    if (next !== undefined && limits.length > 0) settled[behind] = { ...next, spaced: true };
  }
  return settled.filter((run) => !gone.has(run));
}
