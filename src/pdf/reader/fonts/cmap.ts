import { isPrivate, sensibleText } from './sensible-text.js';

interface CodeRange<T> {
  from: number;
  to: number;
  value: T;
}

/** A file with more ranges is an attack, or repeats itself. */
const maxRanges = 65_536;
/** Overlapping ranges are rare and few. A code is looked for in at most this many ranges before the nearest one. */
const maxSteps = 16;

/**
 * The meanings of ranges of codes. Of overlapping ranges, the one with the last beginning counts; then the later one.
 */
export class CodeRanges<T> {
  readonly #ranges: CodeRange<T>[] = [];
  #isSorted = true;

  add(from: number, to: number, value: T): void {
    if (!(from <= to) || this.#ranges.length >= maxRanges) return;
    const last = this.#ranges.at(-1);
    if (last !== undefined && last.from > from) this.#isSorted = false;
    this.#ranges.push({ from, to, value });
  }

  find(code: number): CodeRange<T> | undefined {
    const ranges = this.all();
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.from ?? 0) <= code) low = middle + 1;
      else high = middle;
    }
    for (let at = low - 1; at >= 0 && at >= low - maxSteps; at--) {
      const range = ranges[at];
      if (range !== undefined && code <= range.to) return range;
    }
    return undefined;
  }

  /** In the order of their codes. */
  all(): readonly CodeRange<T>[] {
    if (!this.#isSorted) {
      this.#ranges.sort((a, b) => a.from - b.from);
      this.#isSorted = true;
    }
    return this.#ranges;
  }
}

/** Codes of several bytes: each byte is between those of `low` and `high` (one character per byte). */
interface CodeSpace {
  low: string;
  high: string;
}

const maxCodeSpaces = 200;
/** The longest text of one code: a ligature, or at most a word. */
const maxText = 64;

/** Splits strings into codes, and maps codes to characters of a collection (CIDs) or to text. */
export class CMap {
  vertical = false;
  /** Looked up for codes that are missing here. */
  parent: CMap | undefined;
  readonly #cids = new CodeRanges<number>();
  readonly #texts = new CodeRanges<string>();
  readonly #spaces: CodeSpace[] = [];

  static identity(vertical: boolean): CMap {
    const map = new CMap();
    map.vertical = vertical;
    map.addCodeSpace('\0\0', '\xff\xff');
    map.addCids(0, 0xffff, 0);
    return map;
  }

  addCodeSpace(low: string, high: string): void {
    const { length } = low;
    if (length < 1 || length > 4 || high.length !== length) return;
    if (this.#spaces.length < maxCodeSpaces) this.#spaces.push({ low, high });
  }

  addCids(from: number, to: number, cid: number): void {
    this.#cids.add(from, Math.min(to, from + 0xffff), cid);
  }

  /** Adds a range. `text` belongs to the first code; each next text ends one character later. Ignores invalid texts. */
  addText(from: number, to: number, text: string): void {
    if (text === '' || text.length > maxText) return;
    // The first text of a range may be a control character, and the others letters.
    if (from === to && !isPrivate(text) && sensibleText(text) === '') return;
    this.#texts.add(from, Math.min(to, from + 0xffff), text);
  }

  cidOf(code: number): number | undefined {
    const range = this.#cids.find(code);
    return range === undefined ? this.parent?.cidOf(code) : range.value + code - range.from;
  }

  /** Empty for an unknown code. May contain invalid characters, such as private ones. */
  textOf(code: number): string {
    const range = this.#texts.find(code);
    if (range === undefined) return this.parent?.textOf(code) ?? '';
    const { value, from } = range;
    return code === from ? value : shifted(value, code - from);
  }

  /** Codes with their texts, at most `limit`. */
  *texts(limit: number): Generator<[number, string]> {
    for (const { from, to } of this.#texts.all()) {
      for (let code = from; code <= to; code++) {
        if (limit-- <= 0) return;
        yield [code, this.textOf(code)];
      }
    }
  }

  /** Every code has two bytes. */
  get isPairs(): boolean {
    const spaces = this.#codeSpaces();
    return spaces.every(({ low, high }) => low === '\0\0' && high === '\xff\xff');
  }

  /** The number of bytes of the code at `at`: that of the best code space, at least one. */
  lengthAt(text: string, at: number): number {
    const spaces = this.#codeSpaces();
    let best = 0;
    let bestBytes = spaces.length === 0 ? 2 : 1;
    for (const { low, high } of spaces) {
      let fitting = 0;
      while (fitting < low.length) {
        const byte = text.charCodeAt(at + fitting);
        if (!(byte >= low.charCodeAt(fitting) && byte <= high.charCodeAt(fitting))) break;
        fitting++;
      }
      if (fitting === low.length) return fitting;
      if (fitting > best || (best === 0 && low.length < bestBytes)) {
        best = fitting;
        bestBytes = low.length;
      }
    }
    return Math.max(1, Math.min(bestBytes, text.length - at));
  }

  #codeSpaces(): readonly CodeSpace[] {
    if (this.#spaces.length > 0 || this.parent === undefined) return this.#spaces;
    return this.parent.#codeSpaces();
  }
}

function shifted(text: string, by: number): string {
  const last = text.codePointAt(text.length - 2) ?? 0;
  const isPair = text.length > 1 && last > 0xffff;
  const point = (isPair ? last : text.charCodeAt(text.length - 1)) + by;
  return point > 0x10ffff ? '' : text.slice(0, isPair ? -2 : -1) + String.fromCodePoint(point);
}
