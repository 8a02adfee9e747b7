import { greatest, least, type Area, type Rule, type Span } from './page.js';
import { textOf } from './spans.js';

/** Numbers on an axis: at least so many, so far apart in font sizes, as no lines of a text are. */
const leastNumbers = 4;
const leastStep = 1.9;
/** More of them on a page are a table, or made to take time. */
const mostCharts = 30;
/** The share of a step by which two of them may differ. */
const slack = 0.1;
/** In font sizes: a number is at most so wide, and its axis at most so far away. */
const widest = 6;
const reach = 2.5;
/** In points. */
const leastSize = 36;
/** In font sizes: what stands below the axis are names of their own, not words of a sentence. */
const farName = 2.5;
const aside = 4;
const nameGap = 0.4;
const leastNames = 3;

export interface Chart {
  area: Area;
  /** The numbers at an axis, and the names below the chart. */
  labels: Span[];
}

/**
 * The charts of which one axis has upright numbers at even distances, which grow evenly to the top or to the right.
 * Unlike other drawings, they may consist of straight lines alone.
 */
export function findCharts(spans: readonly Span[], rules: readonly Rule[]): Chart[] {
  if (rules.length === 0) return [];
  const isShort = ({ runs, size, x, right }: Span) =>
    right - x < widest * size && /^[-−+\d]/.test(runs[0]?.text ?? '');
  const numbers = spans.filter((span) => isShort(span) && /^[-−+]?\d[\d.,]*%?$/.test(textOf(span)));
  if (numbers.length < leastNumbers) return [];
  const upright = scalesIn(
    numbers,
    ({ right }) => right,
    ({ y }) => -y,
  );
  const level = scalesIn(numbers, ({ y }) => y, middleOf);
  if (upright.length + level.length > mostCharts) return [];
  return [...upright, ...level].flatMap((scale) => {
    const area = upright.includes(scale) ? areaOf(scale, rules) : areaAbove(scale, rules);
    if (area === undefined || spans.some((span) => span.table !== undefined && isIn(area, span)))
      return [];
    const own = new Set(scale);
    const others = spans.filter((span) => !own.has(span));
    return [{ area, labels: [...scale, ...namesBelow(area, others)] }];
  });
}

function isIn({ left, top, right, bottom }: Area, span: Span): boolean {
  return span.x < right && span.right > left && span.y > top && span.y < bottom;
}

const valueOf = (span: Span) => Number(textOf(span).replace('−', '-').replaceAll(/[,%+]/g, ''));

const middleOf = ({ x, right }: Span) => (x + right) / 2;

type Of = (span: Span) => number;

/** Numbers that share an edge, at even distances and with even steps: they grow with their place along it. */
function scalesIn(numbers: readonly Span[], edgeOf: Of, placeOf: Of): Span[][] {
  const found: Span[][] = [];
  let scale: Span[] = [];
  const end = () => {
    if (scale.length >= leastNumbers) found.push(scale);
  };
  for (const span of [...numbers].sort(
    (a, b) => Math.round(edgeOf(a)) - Math.round(edgeOf(b)) || placeOf(a) - placeOf(b),
  )) {
    const [before, last] = scale.slice(-2);
    const previous = last ?? before;
    const isNext =
      previous !== undefined &&
      Math.abs(edgeOf(previous) - edgeOf(span)) < 1 &&
      placeOf(span) - placeOf(previous) > leastStep * span.size &&
      valueOf(span) > valueOf(previous);
    const isLike = (valueAt: Of, share: number) => {
      if (before === undefined || last === undefined) return true;
      const step = valueAt(last) - valueAt(before);
      return Math.abs(valueAt(span) - valueAt(last) - step) < share * Math.abs(step);
    };
    if (isNext && isLike(placeOf, slack) && isLike(valueOf, 0.001)) scale.push(span);
    else {
      end();
      scale = isNext ? [previous, span] : [span];
    }
  }
  end();
  return found;
}

/** What stands on the axis above the numbers, as high as the lines at its sides. */
function areaAbove(scale: readonly Span[], rules: readonly Rule[]): Area | undefined {
  const [start, end] = [least(scale, middleOf), greatest(scale, middleOf)];
  const [y, size] = [greatest(scale, (span) => span.y), greatest(scale, (span) => span.size)];
  const isAxis = ({ across, at, from, to }: Rule) =>
    across && at < y - 0.5 * size && at > y - reach * size && from < start + 1 && to > end - 1;
  const axis = rules.find(isAxis);
  if (axis === undefined) return undefined;
  const { at: bottom, from: left, to: right } = axis;
  const isSide = ({ across, at, from, to }: Rule) =>
    !across &&
    Math.min(Math.abs(at - left), Math.abs(at - right)) < reach * size &&
    Math.abs(to - bottom) < size &&
    from < bottom - leastSize;
  const top = least(rules.filter(isSide), ({ from }) => from);
  return top < bottom && right - left > leastSize ? { left, top, right, bottom } : undefined;
}

/** What the axis beside the numbers, or the lines across that begin at them, enclose. */
function areaOf(scale: readonly Span[], rules: readonly Rule[]): Area | undefined {
  const [first, last] = [scale.at(-1), scale[0]];
  if (first === undefined || last === undefined) return undefined;
  const { size } = first;
  const [upper, lower] = [first.y - size, last.y];
  const isBeside = (x: number) => x > first.right - 1 && x < first.right + reach * size;
  const axis = rules.filter(
    ({ across, at, from, to }) => !across && isBeside(at) && from < lower && to > upper,
  );
  const grid = rules.filter(
    ({ across, at, from }) => across && isBeside(from) && at > upper && at < lower,
  );
  const isGrid = axis.length === 0 && grid.length >= scale.length - 1;
  const left = isGrid ? least(grid, ({ from }) => from) : least(axis, ({ at }) => at);
  const top = isGrid ? upper : least(axis, ({ from }) => from);
  const bottom = isGrid ? lower : greatest(axis, ({ to }) => to);
  let right = left;
  const across = rules.filter(
    ({ across: isAcross, at }) => isAcross && at > top - 1 && at < bottom + 1,
  );
  for (const { from, to } of across.sort((a, b) => a.from - b.from))
    if (to > right && from < right + 2) right = to;
  const isLarge = right - left > leastSize && bottom - top > leastSize;
  return isLarge ? { left, top, right, bottom } : undefined;
}

/** The names in the row below the axis: each is far from the next one. */
function namesBelow({ left, right, bottom }: Area, spans: readonly Span[]): Span[] {
  const below = spans.filter(({ x, right: end, y, size }) => {
    const gap = y - bottom;
    return gap > 0 && gap < farName * size && x > left - aside * size && end < right + aside * size;
  });
  const first = least(below, (span) => span.y);
  const row = below.filter(({ y }) => y - first < 1);
  const runs = row.flatMap((span) => span.runs).sort((a, b) => a.x - b.x);
  const isApart = runs.every((run, at) => {
    const before = runs[at - 1];
    return before === undefined || run.x - before.x - before.width > nameGap * run.size;
  });
  return isApart && runs.length >= leastNames ? row : [];
}
