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
  /** The numbers at its upright axis, and the names below the other one. */
  labels: Span[];
}

/**
 * The charts whose upright axis has numbers at even distances, which grow evenly from the bottom to the top. Unlike
 * other drawings, they may consist of straight lines alone.
 */
export function findCharts(spans: readonly Span[], rules: readonly Rule[]): Chart[] {
  if (rules.length === 0) return [];
  const isShort = ({ runs, size, x, right }: Span) =>
    right - x < widest * size && /^[-−+\d]/.test(runs[0]?.text ?? '');
  const numbers = spans.filter((span) => isShort(span) && /^[-−+]?\d[\d.,]*%?$/.test(textOf(span)));
  if (numbers.length < leastNumbers) return [];
  const scales = scalesIn(numbers);
  if (scales.length > mostCharts) return [];
  return scales.flatMap((scale) => {
    const area = areaOf(scale, rules);
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

/** Numbers one below the other, at even distances and with even steps, the greatest one at the top. */
function scalesIn(numbers: readonly Span[]): Span[][] {
  const found: Span[][] = [];
  let scale: Span[] = [];
  const end = () => {
    if (scale.length >= leastNumbers) found.push(scale);
  };
  for (const span of [...numbers].sort(
    (a, b) => Math.round(a.right) - Math.round(b.right) || a.y - b.y,
  )) {
    const [before, last] = scale.slice(-2);
    const above = last ?? before;
    const isBelow =
      above !== undefined &&
      Math.abs(above.right - span.right) < 1 &&
      span.y - above.y > leastStep * span.size &&
      valueOf(span) < valueOf(above);
    if (isBelow && (last === undefined || before === undefined || isEven(before, last, span)))
      scale.push(span);
    else {
      end();
      scale = isBelow ? [above, span] : [span];
    }
  }
  end();
  return found;
}

function isEven(before: Span, last: Span, span: Span): boolean {
  const [above, below] = [last.y - before.y, span.y - last.y];
  const [greater, less] = [valueOf(before) - valueOf(last), valueOf(last) - valueOf(span)];
  return (
    Math.abs(above - below) < slack * above && Math.abs(greater - less) < 0.001 * Math.abs(greater)
  );
}

/** What the axis beside the numbers, or the lines across that begin at them, enclose. */
function areaOf(scale: readonly Span[], rules: readonly Rule[]): Area | undefined {
  const [first] = scale;
  const last = scale.at(-1);
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
