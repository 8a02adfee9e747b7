import type { Glyph, PdfFont } from '../fonts/font.js';
import type { TextRun } from '../../layout/page.js';
import type { Box } from './matrix.js';
import { hasRightToLeft } from '../../layout/direction.js';
import { isLeaning } from '../../layout/join-runs.js';
import { partTight, tightGap, type TightGap } from './tight-words.js';

/** In ems: larger gaps are spaces, even in tight lines; smaller ones are kerning. */
const wordGap = 0.14;
/** Monospaced letters are on a grid that may be wider than the letters. */
const monoWordGap = 0.3;
/** In ems: a smaller gap is hardly a space. Nearly all fonts have wider spaces. */
const narrowGap = 0.24;
/** In ems: after a space, a smaller gap means that kerning took the space's width back. */
const noGap = 0.04;
const loneLetter = /^\p{L}\p{M}*$/u;
const anyLetter = /\p{L}/u;
/** Fewer letters on their own are no spaced-out word. */
const leastLone = 4;
/** In ems: a larger gap starts a new run, and the layout decides what it means. */
const runGap = 1;
const looseGap = 0.3;
/** The same behind a word whose letters are not spaced out: the next one may be in another cell. */
const cellGap = 0.6;
/** In ems: the size and place of an underscore that is drawn as a line, as TeX does. */
const underscore = { least: 0.2, most: 0.6, thick: 0.1, kern: 0.12, above: 0.1, below: 0.25 };
/** In ems: how far the next letter may overlap the previous one. */
const overlap = 0.35;

/** The baseline of glyphs: its direction, and the size of a unit of text space along it. */
export interface Baseline {
  /** The origin of text space in page coordinates. */
  x: number;
  y: number;
  /** A unit vector. */
  directionX: number;
  directionY: number;
  /** Page units per unit of text space along the baseline. */
  scale: number;
  /** The height of the font in page units. */
  size: number;
  /** Quarter turns clockwise, or -1 for slanted text. */
  quarter: number;
}

export interface FinishedRun<Paint> {
  run: TextRun;
  textPaint: Paint;
  quarter: number;
  box: Box;
}

/**
 * Joins glyphs into runs: phrases of one font on one baseline. Gaps become spaces where a PDF has none. Spaced-out
 * letters become a word again.
 */
export class RunBuilder<Paint> {
  /** Parts separated by gaps rather than space characters, and those gaps in ems. */
  #parts: string[] = [];
  #gaps: number[] = [];
  /** Narrower gaps, which kerning may be, and the letters before them. */
  #tight: TightGap[] = [];
  #text = '';
  #letters = 0;
  #font: PdfFont | undefined;
  #textPaint: Paint | undefined;
  #base: Baseline | undefined;
  #startX = 0;
  #startY = 0;
  /** The end of the run along the baseline, in page units from its start. */
  #end = 0;
  /** A space was drawn after the last glyph. */
  #spaced = false;
  /** The width of such spaces, in ems. */
  #spaceWidth = 0;
  #runSpaced = false;
  /** The end of the run before, in page coordinates. */
  #lastX = 0;
  #lastY = 0;

  /** @param edge the page's width: words that begin beyond it form a run of their own, because nobody sees them */
  constructor(
    readonly edge: number,
    readonly onRun: (finished: FinishedRun<Paint>) => void,
  ) {}

  /**
   * Adds a glyph or a space at `from` on the baseline, in text space. `width` is the distance to the word's next
   * letter.
   * @param isLoose signs of a formula may stand in a gap of these letters
   */
  add(
    glyph: Glyph,
    font: PdfFont,
    textPaint: Paint,
    base: Baseline,
    from: number,
    width: number,
    isLoose = false,
  ): void {
    const { unicode } = glyph;
    if (unicode === ' ' || unicode === '\u00a0') {
      this.#spaceWidth += (width * base.scale) / base.size;
      this.#spaced = true;
      return;
    }
    // A hyphen without width is not drawn: the word is not broken there.
    if (unicode === '' || (unicode === '\u00ad' && glyph.width === 0)) return;
    if (this.#textPaint !== textPaint) this.flush();
    else if (this.#base !== base || this.#font !== font) this.#goOnAt(font, base, from);
    if (this.#letters > 0) {
      const start = this.#along(base, from);
      const gap = (start - this.#end) / base.size;
      if (this.#isTakenBack(gap) && !this.#endsNumber(unicode)) this.#spaced = false;
      const isGap =
        gap >= (font.mono ? monoWordGap : wordGap) &&
        !(font.italic && isLeaning(this.#text, unicode, gap));
      const isNewWord = this.#spaced || isGap;
      const leaves =
        isNewWord &&
        base.quarter === 0 &&
        this.#startX < this.edge &&
        this.#startX + start >= this.edge;
      const isCell = gap >= cellGap && !font.mono && /[^\s.]{2}$/.test(this.#text);
      const parts = isLoose && gap >= looseGap;
      if (parts) this.#spaced = true;
      if (parts || gap >= runGap || gap < -overlap || leaves || isCell)
        this.#startAt(font, textPaint, base, from);
      else if (this.#spaced) this.#text += ' ';
      else if (isNewWord) {
        this.#parts.push(this.#text);
        this.#gaps.push(gap);
        this.#text = '';
      } else if (gap >= tightGap) this.#tight.push({ at: this.#text.length, gap });
    } else this.#startAt(font, textPaint, base, from);
    this.#spaced = false;
    this.#spaceWidth = 0;
    this.#text += unicode;
    this.#letters++;
    this.#end = this.#along(base, from + width);
  }

  /** Takes a drawn line that continues the last word at the foot of its letters for an underscore. */
  addUnderscore({ left, right, top, bottom }: Box): void {
    const base = this.#base;
    if (base?.quarter !== 0 || this.#letters === 0 || this.#spaced) return;
    // The upper line of a root begins at the foot of its sign.
    if (this.#text.endsWith('√')) return;
    const ems = (length: number) => length / base.size;
    const gap = ems(left - this.#startX - this.#end);
    const depth = ems(bottom - this.#startY);
    const isUnderscore =
      ems(right - left) >= underscore.least &&
      ems(right - left) <= underscore.most &&
      ems(bottom - top) <= underscore.thick &&
      Math.abs(gap) <= underscore.kern &&
      depth >= -underscore.above &&
      depth <= underscore.below;
    if (!isUnderscore) return;
    this.#text += '_';
    this.#letters++;
    this.#end = right - this.#startX;
  }

  /** Ends the current run, if any. */
  flush(): void {
    const base = this.#base;
    const font = this.#font;
    const textPaint = this.#textPaint;
    if (this.#letters > 0 && base !== undefined && font !== undefined && textPaint !== undefined) {
      const text = toLogicalOrder(this.#wholeText());
      const width = Math.abs(this.#end);
      const { directionX, directionY, size, quarter } = base;
      const endX = this.#startX + directionX * this.#end;
      const endY = this.#startY + directionY * this.#end;
      this.#lastX = endX;
      this.#lastY = endY;
      // From the baseline up to the height of small letters: the part that must be visible.
      const upX = directionY * size * 0.5;
      const upY = -directionX * size * 0.5;
      this.onRun({
        quarter,
        textPaint,
        run: {
          text,
          x: this.#startX,
          y: this.#startY,
          width,
          size,
          rightToLeft: false,
          spaced: this.#runSpaced,
          bold: font.bold,
          italic: font.italic,
          mono: font.mono,
        },
        box: {
          left: Math.min(this.#startX, endX, this.#startX + upX, endX + upX),
          right: Math.max(this.#startX, endX, this.#startX + upX, endX + upX),
          top: Math.min(this.#startY, endY, this.#startY + upY, endY + upY),
          bottom: Math.max(this.#startY, endY, this.#startY + upY, endY + upY),
        },
      });
    }
    this.#letters = 0;
    this.#text = '';
    this.#parts = [];
    this.#gaps = [];
    if (this.#tight.length > 0) this.#tight = [];
    this.#base = undefined;
  }

  /** @param gap from the last letter to the next one, in ems */
  #isTakenBack(gap: number): boolean {
    return this.#spaceWidth > wordGap && Math.abs(gap) < noGap;
  }

  /** "4.3.7.1 Title": the title's place was reached before, so its number touches it. */
  #endsNumber(next: string): boolean {
    return /\p{N}$/u.test(this.#text) && anyLetter.test(next);
  }

  #along(base: Baseline, at: number): number {
    const x = base.x + base.directionX * base.scale * at - this.#startX;
    const y = base.y + base.directionY * base.scale * at - this.#startY;
    return x * base.directionX + y * base.directionY;
  }

  #goOnAt(font: PdfFont, base: Baseline, from: number): void {
    const before = this.#base;
    if (before === undefined || this.#letters === 0) return;
    const x = base.x + base.directionX * base.scale * from - this.#startX;
    const y = base.y + base.directionY * base.scale * from - this.#startY;
    const off = Math.abs(y * base.directionX - x * base.directionY);
    const same =
      this.#font === font &&
      Math.abs(before.size - base.size) < 0.01 * base.size &&
      before.directionX * base.directionX + before.directionY * base.directionY > 0.9999 &&
      off < 0.05 * base.size;
    if (same) this.#base = base;
    else this.flush();
  }

  #startAt(font: PdfFont, textPaint: Paint, base: Baseline, from: number): void {
    const spaced = this.#spaced;
    this.flush();
    this.#base = base;
    this.#font = font;
    this.#textPaint = textPaint;
    this.#startX = base.x + base.directionX * base.scale * from;
    this.#startY = base.y + base.directionY * base.scale * from;
    const gap = Math.hypot(this.#startX - this.#lastX, this.#startY - this.#lastY) / base.size;
    this.#runSpaced = spaced && !this.#isTakenBack(gap);
  }

  #wholeText(): string {
    if (this.#gaps.length === 0) {
      return this.#font?.mono === true ? this.#text : partTight(this.#text, this.#tight);
    }
    const parts = [...this.#parts, this.#text];
    const lone = parts.filter((part) => loneLetter.test(part)).length;
    if (lone < leastLone) return parts.join(' ');
    const words = parts.filter((part) => anyLetter.test(part)).length;
    const sorted = [...this.#gaps].sort((a, b) => a - b);
    const usual = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const isWider = (gap: number) => gap > usual + wordGap;
    // Nearly all letters are separate and words are farther apart. "A B C" alone is three letters.
    const isSpacedOut = lone > 0.7 * words && (usual < narrowGap || this.#gaps.some(isWider));
    if (!isSpacedOut) return parts.join(' ');
    return parts.reduce(
      (text, part, index) => text + (isWider(this.#gaps[index - 1] ?? 0) ? ' ' : '') + part,
    );
  }
}

const leftToRightParts =
  /[\p{Script=Latin}\p{N}](?:[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]*[\p{Script=Latin}\p{N}%])?/gu;
const mirrored: Record<string, string> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
};

function reverse(text: string): string {
  return Array.from(text).reverse().join('');
}

/**
 * Converts text from visual order to reading order: reverses Hebrew and Arabic, but not Latin words and numbers inside
 * them. Other text stays unchanged.
 */
function toLogicalOrder(visual: string): string {
  if (!hasRightToLeft(visual)) return visual;
  // Combining marks follow their letter in both directions.
  const turned = reverse(visual).replace(/(\p{M}+)(\P{M})/gu, '$2$1');
  return turned
    .replace(/[()[\]{}<>«»]/g, (char) => mirrored[char] ?? char)
    .replace(leftToRightParts, (part) =>
      reverse(part).replace(/[()[\]{}<>«»]/g, (char) => mirrored[char] ?? char),
    );
}
