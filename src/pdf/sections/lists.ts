import { columnKey, least, type Line } from '../layout/page.js';

const bullet = /^[•●○◦▪▫■□‣⁃∙·➢➤✓✔❖◆◇◊♦►▶▸★☞∗–—−‐*-](?=\s+\S)/u;
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
