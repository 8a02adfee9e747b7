import type { Glyph, PdfFont } from '../fonts/font.js';
import type { TextRun } from '../../layout/page.js';
import type { Box } from './matrix.js';
import { hasRightToLeft } from '../../layout/direction.js';

/** Gaps from this many ems on are spaces, even in a line that is set tight; smaller ones are kerning. */
const wordGap = 0.14;
/** Monospaced letters stand on a grid that may be wider than they are. */
const monoWordGap = 0.3;
/** A gap below this many ems is hardly a space; nearly all fonts have wider ones. */
const narrowGap = 0.24;
const loneLetter = /^\p{L}\p{M}*$/u;
const anyLetter = /\p{L}/u;
/** Gaps from this many ems on set a new run apart: the layout decides what they are. */
const runGap = 1;
/** So far, in ems, the next letter may lie back under the one before it. */
const overlap = 0.35;

/** Where glyphs are drawn: the direction of their baseline, and how large a unit of text space is along it. */
export interface Baseline {
  /** Page coordinates of the origin of text space. */
  x: number;
  y: number;
  /** Of length 1. */
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
  /** What all of the run is drawn with. */
  textPaint: Paint;
  quarter: number;
  box: Box;
}

/**
 * Puts glyphs together to runs: phrases of one font on one baseline. Where a PDF has no spaces, gaps become some;
 * letters that are spaced out become a word again.
 */
export class RunBuilder<Paint> {
  /** Parts between which gaps, not space characters, stand; and those gaps in ems. */
  #parts: string[] = [];
  #gaps: number[] = [];
  #text = '';
  #letters = 0;
  #font: PdfFont | undefined;
  #textPaint: Paint | undefined;
  #base: Baseline | undefined;
  #startX = 0;
  #startY = 0;
  /** How far along the baseline the run has come from its start, in page units. */
  #end = 0;
  /** A space was drawn after the last glyph. */
  #spaced = false;
  #runSpaced = false;

  /** @param edge the page's width: words of a line that begin beyond it are a run of their own, for nobody sees them */
  constructor(
    readonly edge: number,
    readonly onRun: (finished: FinishedRun<Paint>) => void,
  ) {}

  /**
   * One glyph, or a space. `from` is its place on the baseline in text space, `width` how far from there the next
   * letter of its word would stand.
   */
  add(
    glyph: Glyph,
    font: PdfFont,
    textPaint: Paint,
    base: Baseline,
    from: number,
    width: number,
  ): void {
    const { unicode } = glyph;
    if (unicode === ' ' || unicode === '\u00a0') {
      this.#spaced = true;
      return;
    }
    if (unicode === '') return;
    if (this.#textPaint !== textPaint) this.flush();
    else if (this.#base !== base || this.#font !== font) this.#goOnAt(font, base, from);
    if (this.#letters > 0) {
      const start = this.#along(base, from);
      const gap = (start - this.#end) / base.size;
      const isNewWord = this.#spaced || gap >= (font.mono ? monoWordGap : wordGap);
      const leaves =
        isNewWord &&
        base.quarter === 0 &&
        this.#startX < this.edge &&
        this.#startX + start >= this.edge;
      if (gap >= runGap || gap < -overlap || leaves) this.#startAt(font, textPaint, base, from);
      else if (this.#spaced) this.#text += ' ';
      else if (isNewWord) {
        this.#parts.push(this.#text);
        this.#gaps.push(gap);
        this.#text = '';
      }
    } else this.#startAt(font, textPaint, base, from);
    this.#spaced = false;
    this.#text += unicode;
    this.#letters++;
    this.#end = this.#along(base, from + width);
  }

  /** Ends the run under way, if there is one. */
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
      // From the baseline up to the height of small letters: the part that must be seen.
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
    this.#base = undefined;
  }

  /** Distance from the run's start along its baseline. */
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
    this.#runSpaced = spaced;
  }

  #wholeText(): string {
    if (this.#gaps.length === 0) return this.#text;
    const parts = [...this.#parts, this.#text];
    const lone = parts.filter((part) => loneLetter.test(part)).length;
    const words = parts.filter((part) => anyLetter.test(part)).length;
    const sorted = [...this.#gaps].sort((a, b) => a - b);
    const usual = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const isWider = (gap: number) => gap > usual + wordGap;
    // Nearly all letters stand apart, and words further: "A B C" alone is three letters.
    const isSpacedOut =
      lone >= 4 && lone > 0.7 * words && (usual < narrowGap || this.#gaps.some(isWider));
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
 * Text drawn from left to right as one reads it: Hebrew and Arabic turned about, and Latin words and numbers within
 * them turned back. Text without such letters stays as it is.
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
