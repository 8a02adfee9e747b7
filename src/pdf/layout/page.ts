/** Lengths are PDF points; x grows to the right and y downwards from the page's top left corner. */

/** What a font says about its text, apart from its size. */
export interface FontTraits {
  bold: boolean;
  italic: boolean;
  mono: boolean;
}

/** A piece of text in one font, as the page's content stream draws it: `y` is its baseline. */
export interface TextRun extends FontTraits {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  rightToLeft: boolean;
  /** White space comes before it in the content stream, however narrow. */
  spaced: boolean;
}

/** A run and the way it is turned: quarter turns clockwise, or -1 for slanted text such as a watermark. */
export interface PlacedRun {
  quarter: number;
  run: TextRun;
}

/** Runs on one baseline with nothing wider than a word space between them. */
export interface Span {
  runs: TextRun[];
  x: number;
  right: number;
  y: number;
  size: number;
  /** Place in the content stream, the order in which the producer wrote the page. */
  sequence: number;
  /** A whole table, where rules draw one: then there are no runs. */
  table?: RuledTable;
}

/**
 * A table whose cells rules set apart: rows of cells, each with its own lines. What stretches over cells stands in the
 * first.
 */
export interface RuledTable {
  /** Where each column begins, and where the last one ends. */
  edges: number[];
  rows: Line[][][];
}

/** A part of a line that a wide gap sets apart: a table cell, a label, a page number. */
export interface Segment {
  text: string;
  x: number;
  right: number;
}

export interface Line {
  page: number;
  /** Which column or band of its page, from 0 in reading order. */
  region: number;
  text: string;
  x: number;
  right: number;
  y: number;
  size: number;
  bold: boolean;
  italic: boolean;
  mono: boolean;
  segments: Segment[];
  /** The line stands for a whole table, and has no text of its own. */
  table?: RuledTable;
}

/** Why a reader of the page does not see a text. */
export const hiddenReasons = [
  'colour',
  'invisible',
  'tiny',
  'off_page',
  'covered',
  // Not found hidden, but not looked for either: only a reader that does not see colours could read the page.
  'unchecked',
] as const;
export type HiddenReason = (typeof hiddenReasons)[number];

/** Text that stands in the file and that nobody sees on the page: how instructions are smuggled to a model. */
export interface HiddenText {
  page: number;
  reason: HiddenReason;
  text: string;
}

/** A straight line that the page draws, along (`across`) or down it. */
export interface Rule {
  across: boolean;
  /** Its y where it runs across, else its x. */
  at: number;
  from: number;
  to: number;
}

/** What a reader takes from one page: the runs in the order of the content stream, in page coordinates. */
export interface PageText {
  width: number;
  height: number;
  runs: PlacedRun[];
  /** In the order in which they are drawn; a reader that sees none gives none. */
  rules: Rule[];
  hidden: HiddenText[];
}

export interface PageLines {
  number: number;
  width: number;
  height: number;
  /** In reading order. */
  lines: Line[];
}

/** A line, or those of the table that it stands for. */
export function withCells(line: Line): Line[] {
  return line.table === undefined ? [line] : line.table.rows.flat(2);
}

/** Smaller than this, in points, no one can read it: search fodder, not text. */
const leastSize = 2;
/** Letters narrower than this, in points, on the average, are a hairline. */
const leastWidth = 0.4;
/** Pages are 14,400 points long at most; the layout must not search for columns in a space without end. */
const farAway = 100_000;

/** Whether any of these can't lie on a page, or is no number. */
export function isFarAway(...values: readonly number[]): boolean {
  return !values.every((value) => Math.abs(value) < farAway);
}

/** Why nobody sees a run at this place on the page, if so. Slanted and turned text is only asked for its size. */
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
