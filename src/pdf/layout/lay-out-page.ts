import { composeAccents, composeWithin } from './accents.js';
import { joinBrackets } from './bracket-pieces.js';
import { findCharts, type Chart } from './charts.js';
import { cleanText, isPlain } from '../../sections/clean-text.js';
import { hasRightToLeft, isBackwards, mirror } from './direction.js';
import { writeFractions } from './fractions.js';
import { dropLabels, hasTextBeside, isBeside } from './labels.js';
import { collectLines } from './lines.js';
import {
  type Area,
  isFarAway,
  type Line,
  type PageLines,
  type PlacedRun,
  type Rule,
  type TextRun,
} from './page.js';
import { orderRegions } from './reading-order.js';
import { takeRuledTables } from './find-ruled-tables.js';
import { settleOperators } from './operators.js';
import { markRuledLines } from './rule-marks.js';
import { barsOf, writeScripts } from './scripts.js';
import { markShadedListings } from './shaded-listings.js';
import { collectSpans } from './spans.js';

export interface PageFrame {
  number: number;
  width: number;
  height: number;
}

function turn<T extends { x: number; y: number }>(run: T, quarter: number, frame: PageFrame): T {
  if (quarter === 1) return { ...run, x: run.y, y: frame.width - run.x };
  if (quarter === 2) return { ...run, x: frame.width - run.x, y: frame.height - run.y };
  if (quarter === 3) return { ...run, x: frame.height - run.y, y: run.x };
  return run;
}

function turnArea({ left, top, right, bottom }: Area, quarter: number, frame: PageFrame): Area {
  const [a, b] = [
    turn({ x: left, y: top }, quarter, frame),
    turn({ x: right, y: bottom }, quarter, frame),
  ];
  const [x, y] = [
    [a.x, b.x],
    [a.y, b.y],
  ];
  return {
    left: Math.min(...x),
    top: Math.min(...y),
    right: Math.max(...x),
    bottom: Math.max(...y),
  };
}

function turnRule(rule: Rule, quarter: number, { width, height }: PageFrame): Rule {
  const { across, at, from, to } = rule;
  if (quarter === 1) {
    return across
      ? { across: false, at, from: width - to, to: width - from }
      : { across: true, at: width - at, from, to };
  }
  if (quarter === 2) {
    return across
      ? { across, at: height - at, from: width - to, to: width - from }
      : { across, at: width - at, from: height - to, to: height - from };
  }
  if (quarter === 3) {
    return across
      ? { across: false, at: height - at, from, to }
      : { across: true, at, from: height - to, to: height - from };
  }
  return rule;
}

function mirrorRule(rule: Rule, width: number): Rule {
  return rule.across
    ? { ...rule, from: width - rule.to, to: width - rule.from }
    : { ...rule, at: width - rule.at };
}

/** The run with normalised text. Not every reader determines the direction of a run. */
function clean(run: TextRun): TextRun {
  if (isPlain(run.text)) return run;
  const text = composeWithin(cleanText(run.text));
  const rightToLeft = run.rightToLeft || hasRightToLeft(text);
  return text === run.text && rightToLeft === run.rightToLeft ? run : { ...run, text, rightToLeft };
}

/** Removes duplicates: some producers fake bold text and shadows by drawing text twice, slightly apart. */
function dropDoubles(runs: readonly TextRun[]): TextRun[] {
  const drawn = new Map<number, TextRun>();
  return runs.filter((run) => {
    const place = Math.round(run.y / 4) * 65_536 + Math.round(run.x / 4);
    const before = drawn.get(place);
    drawn.set(place, run);
    return (
      before?.text !== run.text ||
      Math.abs(before.x - run.x) > 0.2 * run.size ||
      Math.abs(before.y - run.y) > 0.2 * run.size
    );
  });
}

function weigh(runs: readonly TextRun[]): number {
  return runs.reduce((sum, run) => sum + run.text.length, 0);
}

/** The share of the page's letters that stand upright. */
function weighUpright(placed: readonly PlacedRun[]): number {
  let all = 0;
  let upright = 0;
  for (const { quarter, run } of placed) {
    all += run.text.length;
    if (quarter === 0) upright += run.text.length;
  }
  return all === 0 ? 0 : upright / all;
}

/** Formulas in one line each, with their indices, limits, powers and fractions. */
function writeFormulas(runs: readonly TextRun[], rules: readonly Rule[]): TextRun[] {
  const bars = barsOf(rules);
  if (bars === undefined) return [...runs];
  return writeFractions(writeScripts(settleOperators(joinBrackets(runs), bars), bars), rules);
}

/** What is drawn on the page beside its text. */
export interface PageDrawing {
  rules: readonly Rule[];
  drawings: readonly Area[];
  /** Boxes filled with a light colour. */
  shades: readonly Area[];
}

/** The lines of one page in reading order. Right-to-left pages are mirrored: their lines begin at small `x` too. */
export function layOutPage(
  placed: readonly PlacedRun[],
  frame: PageFrame,
  { rules, drawings, shades }: PageDrawing = { rules: [], drawings: [], shades: [] },
): PageLines {
  const layers = new Map<number, TextRun[]>();
  const isTurned = weighUpright(placed) < 0.5;
  for (const { quarter, run } of placed) {
    if (quarter !== 0 && !isTurned && isBeside(drawings, run.x, run.y, run.size)) continue;
    const upright = clean(turn(run, quarter, frame));
    if (upright.text === '' || isFarAway(upright.x, upright.y, upright.width, upright.size)) {
      continue;
    }
    const layer = layers.get(quarter);
    if (layer === undefined) layers.set(quarter, [upright]);
    else layer.push(upright);
  }
  // The direction with most text comes first. Stamps along the margin and watermarks follow.
  const ordered = [...layers].sort(([, a], [, b]) => weigh(b) - weigh(a));
  let region = 0;
  const lines: Line[] = [];
  let charts: readonly Chart[] = [];
  for (const [quarter, all] of ordered) {
    const beside = charts.map(({ area }) => turnArea(area, quarter, frame));
    const isOther = ({ x, y, size }: TextRun) => !isBeside(beside, x, y, size);
    const layer = beside.length === 0 ? all : all.filter(isOther);
    const whole = composeAccents(dropDoubles(layer));
    const mirrored = isBackwards(whole);
    const turned = rules
      .map((rule) => turnRule(rule, quarter, frame))
      .filter(({ at, from, to }) => !isFarAway(at, from, to));
    const ruled = mirrored ? turned.map((rule) => mirrorRule(rule, frame.width)) : turned;
    const runs = mirrored
      ? whole.map((run) => mirror(run, frame.width))
      : writeFormulas(whole, ruled);
    const { runs: rest, tables, boxes } = takeRuledTables(runs, ruled, frame.number, mirrored);
    const spansOf = collectSpans(rest, mirrored);
    const drawn = [...drawings, ...boxes.filter((box) => hasTextBeside(box, spansOf))];
    if (quarter === 0 && !mirrored) charts = findCharts(spansOf, ruled);
    const texts = quarter === 0 && !mirrored ? dropLabels(spansOf, drawn, charts) : spansOf;
    const own = orderRegions([...texts, ...tables]).flatMap((spans) =>
      collectLines(spans, frame.number, region++, mirrored),
    );
    if (quarter === 0 && !mirrored) markShadedListings(own, shades);
    markRuledLines(own, ruled);
    for (const line of own) lines.push(line);
  }
  return { ...frame, lines };
}
