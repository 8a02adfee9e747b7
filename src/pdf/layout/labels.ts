import type { Chart } from './charts.js';
import { isCaption } from './level-captions.js';
import type { Area, Span } from './page.js';
import { rowsOf } from './passages.js';
import { textOf } from './spans.js';

/** In font sizes: wider text is a line of a paragraph. */
const widest = 18;
/** In font sizes: lines of a paragraph are not farther apart. */
const leading = 1.6;
/** Text so much larger than the page's is a heading, */
const headingSize = 1.15;
/** except among many labels, */
const manyLabels = 4;
const largeLabel = 1.4;
/** or if it is a sign with an index. */
const signLength = 3;
/** Text that fills more of its area, such as a list or a table, stands on a ground. */
const densest = 0.25;
/** Fewer labels than this may be anything. */
const leastLabels = 2;
/** In font sizes: numbers at an axis stand this close to the drawing. */
const axis = 1.2;

/** In font sizes: the name of an axis is in much smaller type, and stands farther away than the numbers. */
const axisName = 6;
const smallType = 0.75;
/** A name of 6 to 30 letters, not "Figure 18a". */
const isOneName = (text: string) => text.length >= 6 && text.length <= 30 && !isNumbered(text);
const isNumbered = (text: string) => /^\p{L}{3,}\.?\s?\d/u.test(text);

/** A number at an axis, with its unit. */
const tick = /^[-−+±]?\d[\d.,]{0,12}(?:e[-+]\d{1,3})?(?:\s?[\p{L}%°µ]{1,3})?$/u;

/** True when a line's middle lies in the area, or any part of a label that is level with it. */
function isIn(area: Area, span: Span, margin = 0): boolean {
  const middle = (span.x + span.right) / 2;
  const [from, to] = isWide(span) ? [middle, middle] : [span.x, span.right];
  const y = span.y - 0.3 * span.size;
  return (
    to > area.left - margin &&
    from < area.right + margin &&
    y > area.top - margin &&
    y < area.bottom + margin
  );
}

function isWide(span: Span): boolean {
  return span.right - span.x > widest * span.size;
}

/** True for a line above or below a wide one, at its left edge. */
function belongsTo(wide: Span, span: Span): boolean {
  return (
    Math.abs(wide.x - span.x) < 2 * span.size &&
    Math.abs(wide.y - span.y) < leading * Math.max(wide.size, span.size)
  );
}

/** In font sizes: numbers below a drawing, the name of their axis below them, and the title above the drawing. */
const farAxis = 2.5;
const farName = 3.5;
const farTitle = 2.5;
const leastTicks = 3;

/** The row of numbers below a chart, with the name of the axis and the title of the chart, if they are centred on it. */
function findAxis(area: Area, spans: readonly Span[]): Span[] {
  const isWithin = ({ x, right }: Span) => x > area.left - axis && right < area.right + axis;
  const below = spans.filter((span) => {
    const gap = span.y - area.bottom;
    return gap > 0 && gap < farAxis * span.size && tick.test(textOf(span));
  });
  const row = below.filter((span) => Math.abs(span.y - (below[0]?.y ?? 0)) < 1);
  const [first] = row;
  if (first === undefined || row.filter(isWithin).length < leastTicks - 1) return [];
  const isCentred = (span: Span) => {
    const shift = span.x + span.right - area.left - area.right;
    return isWithin(span) && Math.abs(shift) < 0.3 * (area.right - area.left);
  };
  const others = spans.filter((span) => !row.includes(span));
  const isLabel = (span: Span) =>
    isCentred(span) && !isWide(span) && !isNumbered(textOf(span)) && !hasNeighbour(span, others);
  const names = spans.filter((span) => {
    const gap = span.y - first.y;
    return isLabel(span) && gap > 0.5 * span.size && gap < farName * span.size;
  });
  const titles = spans.filter((span) => {
    const gap = area.top - span.y;
    return isLabel(span) && gap > 0 && gap < farTitle * span.size;
  });
  return names.length === 1 ? [...row, ...names, ...titles] : [];
}

/** True for a line of a note: another one is directly above or below it. */
function hasNeighbour(span: Span, spans: readonly Span[]): boolean {
  return spans.some(
    (other) =>
      other !== span &&
      Math.abs(other.y - span.y) > 0.5 * span.size &&
      Math.abs(other.y - span.y) < leading * span.size &&
      other.x < span.right &&
      other.right > span.x,
  );
}

/** In font sizes: labels beside the drawing of a figure, and above it. */
const outside = 1;
/** In font sizes: a caption is this close below its drawing, and parts of a drawing are to each other. */
const farCaption = 5;
/** A page with more text or more figures is none of a document. */
const crowded = 3000;
const mostFigures = 20;
/** In words and letters: the name of an axis, or a letter that tells the parts of a figure. */
const longestLabel = { words: 2, letters: 24 };

/** In font sizes: text farther apart is in different columns; and the least width of a line of text. */
const farWord = 2.5;
const leastLine = 12;

/** The lines of running text, whatever spaces divide them: they have several words. */
function findText(spans: readonly Span[]): Span[] {
  const lines: Span[] = [];
  for (const row of rowsOf(spans)) {
    let line: Span | undefined;
    for (const span of row) {
      if (line !== undefined && span.x - line.right < farWord * span.size) {
        line.runs = [...line.runs, ...span.runs];
        line.right = Math.max(line.right, span.right);
      } else {
        line = { ...span };
        lines.push(line);
      }
    }
  }
  return lines.filter(
    (line) =>
      line.right - line.x > leastLine * line.size &&
      (textOf(line).match(/\p{L}{2,}/gu)?.length ?? 0) > 3,
  );
}

/** True for a word that belongs to a line of text, which a picture may divide. */
function isBesideText(line: Span, span: Span): boolean {
  const gap = Math.max(line.x - span.right, span.x - line.right);
  return Math.abs(line.y - span.y) < 0.5 * span.size && gap < 6 * span.size;
}

/** A drawing, or several, and what stands between them and the caption below. */
function findFigures(
  spans: readonly Span[],
  text: readonly Span[],
  areas: readonly Area[],
): Area[] {
  const figures: Area[] = [];
  const captions = spans.filter(isCaption);
  for (const caption of captions.slice(0, mostFigures)) {
    const top = caption.y - caption.size;
    const meets = ({ x, right }: Span, area: Area) => x < area.right && right > area.left;
    const own: Area[] = [];
    let edge = top;
    for (const area of [...areas].sort((a, b) => b.bottom - a.bottom)) {
      if (area.bottom > caption.y || !meets(caption, area)) continue;
      const isApart = text.some(
        ({ y, ...line }) => y > area.bottom && y < edge && meets({ y, ...line }, area),
      );
      if (isApart || edge - area.bottom > farCaption * caption.size) break;
      own.push(area);
      edge = Math.min(edge, area.top);
    }
    if (own.length === 0) continue;
    figures.push({
      left: own.reduce((least, { left }) => Math.min(least, left), caption.x),
      right: own.reduce((most, { right }) => Math.max(most, right), caption.right),
      top: edge - outside * caption.size,
      bottom: top,
    });
  }
  return figures;
}

/** True for a word or a sign that stands in a figure, and is no caption of a part of it: "(a) before". */
function isSmallLabel(span: Span, size: number): boolean {
  const text = textOf(span);
  // Words and numbers in the type of the text, or larger ones, may be of a paragraph or a heading.
  if (span.size > 0.92 * size && /\p{L}{2}|^\d+(?:\.\d+)*\.?$/u.test(text)) return false;
  const words = text.match(/\p{L}{3,}/gu)?.length ?? 0;
  return (
    words <= longestLabel.words &&
    text.length <= longestLabel.letters &&
    !/^\([a-z]\)\s\S/.test(text) &&
    !isCaption(span) &&
    !/^\d+(?:\.\d+)*\.?\s+\p{Lu}\p{L}{2}/u.test(text) &&
    !isWide(span)
  );
}

/** The share of the area that the text fills. */
function shareOf({ left, top, right, bottom }: Area, spans: readonly Span[]): number {
  const filled = spans.reduce((sum, span) => sum + (span.right - span.x) * span.size, 0);
  return filled / ((right - left) * (bottom - top));
}

function mainSize(spans: readonly Span[]): number {
  const letters = new Map<number, number>();
  let best = 0;
  for (const span of spans) {
    const size = Math.round(span.size * 2) / 2;
    const width = (letters.get(size) ?? 0) + span.right - span.x;
    letters.set(size, width);
    if (width > (letters.get(best) ?? 0)) best = size;
  }
  return best;
}

/**
 * Leaves out the labels of drawings and pictures: short text in their areas. Where a paragraph stands in an area, the
 * drawing is the ground of text, and all stays.
 */
export function dropLabels(
  spans: readonly Span[],
  drawn: readonly Area[],
  charts: readonly Chart[] = [],
): readonly Span[] {
  const areas = [...drawn, ...charts.map(({ area }) => area)];
  if (areas.length === 0) return spans;
  const size = mainSize(spans);
  const wide = spans.filter(isWide);
  const labels = new Set(charts.flatMap((chart) => chart.labels));
  for (const area of areas) {
    const inside = spans.filter((span) => isIn(area, span));
    if (inside.some(isWide) || shareOf(area, inside) > densest) continue;
    const apart = inside.filter(
      (span) => span.table === undefined && !wide.some((line) => belongsTo(line, span)),
    );
    const isNormal = (span: Span) => span.size <= headingSize * size;
    const largest = apart.filter(isNormal).length < manyLabels ? headingSize : largeLabel;
    const short = apart.filter(
      (span) => span.size <= largest * size || textOf(span).length <= signLength,
    );
    const isName = (span: Span) =>
      span.size < smallType * size && isOneName(textOf(span)) && !hasNeighbour(span, spans);
    const ticks = spans.filter(
      (span) =>
        !inside.includes(span) &&
        ((isIn(area, span, axis * span.size) && tick.test(textOf(span))) ||
          (isName(span) && isIn(area, span, axisName * span.size))),
    );
    const around = findAxis(area, spans);
    if (short.length + ticks.length + around.length < leastLabels) continue;
    for (const span of [...short, ...ticks, ...around]) labels.add(span);
  }
  const text = findText(spans);
  const captions = spans.filter(isCaption);
  const isCrowded = Math.max(spans.length, 10 * areas.length) > crowded;
  const figures = isCrowded ? [] : findFigures(spans, text, areas);
  for (const figure of figures) {
    const lines = [...text, ...captions].filter(
      ({ x, right }) => x < figure.right && right > figure.left,
    );
    for (const span of spans) {
      if (span.table !== undefined || !isSmallLabel(span, size)) continue;
      if (!isIn(figure, span, outside * span.size)) continue;
      const isText = lines.some((line) => belongsTo(line, span) || isBesideText(line, span));
      if (!isText) labels.add(span);
    }
  }
  // A page that is a drawing and nothing else keeps its words.
  const isAll = labels.size === spans.length;
  return labels.size === 0 || isAll ? spans : spans.filter((span) => !labels.has(span));
}

/** True for a box within running text: lines of several words go on beside it. */
export function hasTextBeside({ left, top, right, bottom }: Area, spans: readonly Span[]): boolean {
  const beside = spans.filter(
    (span) => span.y > top && span.y - span.size < bottom && (span.right < left || span.x > right),
  );
  return findText(beside).length > 1;
}

/** In font sizes, and in points: numbers may stand between a drawing and the turned name of its axis. */
const turnedName = { sizes: 6, points: 45 };

/** True for turned text of a given size that begins in or at a drawing: the name of an axis. */
export function isBeside(areas: readonly Area[], x: number, y: number, size: number): boolean {
  const margin = Math.min(turnedName.sizes * size, turnedName.points);
  return areas.some(
    ({ left, top, right, bottom }) =>
      x > left - margin && x < right + margin && y > top - margin && y < bottom + margin,
  );
}
