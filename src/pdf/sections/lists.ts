import { columnKey, greatest, least, type Line } from '../layout/page.js';

const bullet = /^[•●○◦▪▫■□‣⁃∙·➢➤✓✔❖◆◇◊♦►▶▸▷★☞∗⋅–—−‐*-](?=\s+\S)/u;
const number = /^(\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivx]{2,5}[.)])(?=\s+\S)/;

/** The mark that makes a line a list item, as printed; empty when there is none. */
export function markerOf(line: Line): string {
  return bullet.exec(line.text)?.[0] ?? number.exec(line.text)?.[0] ?? '';
}

/** True for the first line of an entry in a list of references that have names: "[Smith08] Smith, J.". */
export function opensReference({ segments: [label, source] }: Line): boolean {
  const isLabel = /^\[\p{Lu}[\p{L}\d+-]{1,19}\]$/u.test(label?.text.trim() ?? '');
  return isLabel && (source === undefined || /^["“]?\p{L}/u.test(source.text));
}

/** A letter or sign that word processors use as a bullet: alone, and far from its text. */
const loneBullet = /^[o∞]$/;
/** A dash without a space before a sentence. Options have small letters. */
const closeDash = /^[-–—](?=\p{Lu}\p{Ll}{2})/u;

/**
 * Writes marks as bullets that only their place shows to be some: two lines of a page begin with them at one place. A
 * single one may be an option's name or a sign of a formula. A dash close to its text is one below another item.
 */
export function settleBullets(lines: readonly Line[]): void {
  const outer = least(
    lines.filter((line) => isBullet(markerOf(line))),
    ({ x }) => x,
  );
  const isMark = ({ x, text, segments: [first, second] }: Line) =>
    (loneBullet.test(first?.text.trim() ?? '') && second !== undefined) ||
    (closeDash.test(text) && x > outer + 1);
  const marked = lines.filter(isMark).sort((a, b) => a.x - b.x);
  const isNear = (a: Line, b: Line | undefined) => b !== undefined && Math.abs(a.x - b.x) < 1;
  for (const [at, line] of marked.entries()) {
    const [mark] = line.segments;
    if (mark === undefined || !(isNear(line, marked[at - 1]) || isNear(line, marked[at + 1]))) {
      continue;
    }
    line.text = line.text.replace(closeDash, '$& ').replace(/^[o∞]/, '•');
    mark.text = mark.text.replace(closeDash, '$& ').replace(/^[o∞]/, '•');
  }
}

export function isBullet(marker: string): boolean {
  return marker !== '' && !/[\p{L}\p{N}]/u.test(marker);
}

/** True for marks that also stand in sentences: a dash, a star, and numbers that begin no list. */
export function isWordToo(marker: string): boolean {
  return /^(?:[–—−‐*∗·]|\(?(?:\d+|\p{L})[.)])$/u.test(marker) && !/^\(?[1aA][.)]$/.test(marker);
}

/**
 * Tells the marks of lists that count in letters from the initials of a name and the ends of sentences: a letter with a
 * point is a mark where the one before it in the alphabet, or in Roman numbers, was one. Make a new one for each section.
 */
export class LetterMarks {
  readonly #seen = new Set<string>();

  /** The mark if it is one, else nothing. */
  settle(marker: string): string {
    const letters = /^\p{L}+(?=\.$)/u.exec(marker)?.[0];
    if (letters === undefined) return marker;
    const before = String.fromCharCode(letters.charCodeAt(0) - 1);
    const isFirst = letters.length > 1 || /^[ai]/i.test(letters);
    if (!isFirst && !this.#seen.has(before)) return '';
    this.#seen.add(letters);
    return marker;
  }
}

/** Determines the depth of list items from the positions of their marks. */
export class ListDepth {
  #marks: number[] = [];
  #column = '';

  reset(): void {
    this.#marks = [];
  }

  /** A paragraph ends the list, unless it is indented behind the outermost mark. */
  addParagraph(indent: number): void {
    if (indent <= (this.#marks[0] ?? Infinity) + 1) this.reset();
  }

  /** @param indent the distance of the mark from the left edge of its column */
  of(line: Line, indent: number): number {
    const slack = 0.5 * line.size;
    const column = columnKey(line);
    // The edges of columns and pages may not be known exactly. Then only the first item's shift is.
    if (column !== this.#column && !this.#marks.some((x) => Math.abs(x - indent) < slack)) {
      this.#marks = [];
    }
    this.#column = column;
    while (this.#marks.length > 0 && (this.#marks.at(-1) ?? 0) > indent + slack) this.#marks.pop();
    if (this.#marks.length === 0 || (this.#marks.at(-1) ?? 0) < indent - slack)
      this.#marks.push(indent);
    return this.#marks.length - 1;
  }
}

/** Words at which neither a title nor an entry of a list ends. */
export const unfinished =
  /\s(?:an?|the|and|or|of|from|der|dem|den|des|ein|eine|und|oder|el|los|las|un|una|de|del|y|desde)$/u;

/** With fewer lines, names may stand one below the other in a sentence. */
const leastShort = 4;
/** The lines of such a list leave at least this share of the column free, and differ by as much of their length. */
const leastFree = 0.25;

/**
 * The lines of lists without marks: short ones below one another, each of which begins with a capital and ends neither a
 * sentence nor in the middle of one.
 * @param edgeOf the right edge of the running text in the line's column
 */
export function findShortLines(
  lines: readonly Line[],
  edgeOf: (line: Line) => number,
): ReadonlySet<Line> {
  const found = new Set<Line>();
  let run: Line[] = [];
  const endRun = () => {
    const most = greatest(run, ({ right }) => right);
    const width = most - (run[0]?.x ?? 0);
    const spread = most - least(run, ({ right }) => right);
    if (run.length >= leastShort && spread > leastFree * width) {
      for (const line of run) found.add(line);
    }
    run = [];
  };
  for (const line of lines) {
    const last = run.at(-1);
    const isBelow =
      last !== undefined &&
      columnKey(last) === columnKey(line) &&
      Math.abs(last.x - line.x) < 1 &&
      Math.abs(last.size - line.size) < 0.1 &&
      line.y > last.y &&
      line.y - last.y < 1.6 * line.size;
    if (!isBelow) endRun();
    const edge = edgeOf(line);
    const isShort =
      !line.mono &&
      line.table === undefined &&
      line.segments.length === 1 &&
      line.lead === undefined &&
      markerOf(line) === '' &&
      edge - line.right > leastFree * (edge - line.x) &&
      /^\p{Lu}/u.test(line.text) &&
      /[\p{L}\p{N})]$/u.test(line.text) &&
      !unfinished.test(line.text);
    if (isShort) run.push(line);
    else endRun();
  }
  endRun();
  return found;
}

/** The number with which an entry in a list of references begins: "[3] U. Tietze". */
export function referenceOf(line: Line): number {
  return Number(/^\[(\d{1,3})\]\s/.exec(line.text)?.[1] ?? NaN);
}
