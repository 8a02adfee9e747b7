/** Lengths are PDF points. x grows to the right and y downwards from the page's top left corner. */

/** The properties of a font, except its size. */
export interface FontTraits {
  bold: boolean;
  italic: boolean;
  mono: boolean;
}

/** A piece of text in one font, as drawn by the page's content stream. `y` is its baseline. */
export interface TextRun extends FontTraits {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  rightToLeft: boolean;
  /** White space precedes it in the content stream, however narrow. */
  spaced: boolean;
}

/** A run and its rotation: quarter turns clockwise, or -1 for slanted text such as a watermark. */
export interface PlacedRun {
  quarter: number;
  run: TextRun;
}

/** Runs on one baseline with gaps no wider than a word space. */
export interface Span {
  runs: TextRun[];
  x: number;
  right: number;
  y: number;
  size: number;
  /** The position in the content stream, which is the order of writing. */
  sequence: number;
  /** A table drawn by rules. The span then has no runs. */
  table?: RuledTable;
}

/** A table with rules between its cells: rows of cells, each with lines. A merged cell fills only its first cell. */
export interface RuledTable {
  /** The left edge of each column, and the right edge of the last one. */
  edges: number[];
  rows: Line[][][];
}

/** A part of a line between wide gaps: a table cell, a label, a page number. */
export interface Segment {
  text: string;
  x: number;
  right: number;
  /** Where gaps of less than an em may part cells: the index in the text, and the gap's edges. */
  gaps?: { index: number; from: number; to: number }[] | undefined;
}

export interface Line {
  page: number;
  /** The column or band on its page, numbered from 0 in reading order. */
  region: number;
  text: string;
  x: number;
  right: number;
  y: number;
  size: number;
  bold: boolean;
  italic: boolean;
  mono: boolean;
  /** The bold or monospaced words with which it begins, if other type follows. */
  lead?: { text: string; bold: boolean } | undefined;
  segments: Segment[];
  /** A rule is drawn below all of the line, as below the heading of a table. */
  underlined?: true | undefined;
  /** A short rule is drawn above it at the left edge of its column, as above footnotes. */
  belowRule?: true | undefined;
  /** The line represents a table and has no text of its own. */
  table?: RuledTable | undefined;
}

/** The column of its page in which a line stands. */
export const columnKey = ({ page, region }: Pick<Line, 'page' | 'region'>) => `${page} ${region}`;

/** The reasons why a reader of the page does not see a text. */
export const hiddenReasons = [
  'colour',
  'invisible',
  'tiny',
  'off_page',
  'covered',
  // Shown, but the font tells no meaning of its codes, so that nobody can say what it is.
  'unreadable',
  // Not checked for hiding: only the second reader, which does not see colours, could read the file.
  'unchecked',
  // A program inside of the file, which is never run. The text is its name.
  'macro',
] as const;
export type HiddenReason = (typeof hiddenReasons)[number];

/** Text in the file that is invisible on the page. Attackers use it to smuggle instructions to a model. */
export interface HiddenText {
  page: number;
  reason: HiddenReason;
  text: string;
}

/** A drawn straight line, horizontal (`across`) or vertical. */
export interface Rule {
  across: boolean;
  /** The y of a horizontal rule, the x of a vertical one. */
  at: number;
  from: number;
  to: number;
}

/** A part of the page in which something is drawn. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The text of one page: runs in the order of the content stream, in page coordinates. */
export interface PageText {
  width: number;
  height: number;
  runs: PlacedRun[];
  /** In drawing order; empty when the reader does not see rules. */
  rules: Rule[];
  /** Boxes filled with a light colour. */
  shades: Area[];
  /** Where curves and slanted lines make a drawing, and where pictures are. */
  drawings: Area[];
  hidden: HiddenText[];
  /** How much of the page is a picture of paper, and whether its text is a layer that recognition laid on it. */
  scan?: PageScan;
}

export interface PageScan {
  /** The share of the page that pictures cover, from 0 to 1 or more. */
  share: number;
  isLayered: boolean;
}

export interface PageLines {
  number: number;
  width: number;
  height: number;
  /** In reading order. */
  lines: Line[];
}

/** The least value; Infinity without items. A page may hold more of them than Math.min takes as arguments. */
export function least<T>(items: readonly T[], valueOf: (item: T) => number): number {
  let found = Infinity;
  for (const item of items) found = Math.min(found, valueOf(item));
  return found;
}

/** The greatest value; -Infinity without items. */
export function greatest<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return -least(items, (item) => -valueOf(item));
}

/** The line itself, or the lines of the table that it represents. */
export function withCells(line: Line): Line[] {
  return line.table === undefined ? [line] : line.table.rows.flat(2);
}

/** In points. Nobody can read smaller text, which only serves search engines. */
const leastSize = 2;
/** In points. Narrower letters, on average, are hairlines. */
const leastWidth = 0.4;
/** Pages are at most 14,400 points long. The layout must not search for columns in endless space. */
const farAway = 100_000;

/** True when a value can't be on a page, or is not a number. */
export function isFarAway(...values: readonly number[]): boolean {
  return !values.every((value) => Math.abs(value) < farAway);
}

/**
 * Why a run at this place is invisible; undefined for a visible one. Of slanted and turned text only the size counts.
 */
export function reasonUnseen(
  run: TextRun,
  quarter: number,
  page: { width: number; height: number },
): HiddenReason | undefined {
  if (run.size < leastSize) return 'tiny';
  if (run.text.length >= 3 && run.width < leastWidth * run.text.length) return 'tiny';
  if (isFarAway(run.x, run.y, run.width, run.size)) return 'off_page';
  if (quarter !== 0) return undefined;
  const isOn =
    run.x < page.width && run.x + run.width > 0 && run.y > 0 && run.y - run.size < page.height;
  return isOn ? undefined : 'off_page';
}
