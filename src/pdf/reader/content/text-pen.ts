import type { PdfFont } from '../fonts/font.js';
import { isArray, numberAt as num, type Operands, type PdfObject } from '../syntax/objects.js';
import type { GraphicsState } from './graphics-state.js';
import { identity, multiply, quarterOf, toMatrix, type Matrix } from './matrix.js';
import type { Baseline, RunBuilder } from './run-builder.js';

/** In ems: narrower letter spacing is no space between words. */
const leastWordSpace = 0.2;

/** The pen's position, to return to after a form. */
export interface PenPlace {
  text: Matrix;
  line: Matrix;
  at: number;
}

/** Text objects (ISO 32000-1, 9.4): tracks the position of glyphs and passes them to the run builder. */
export class TextPen<Paint> {
  #textMatrix: Matrix = identity;
  #lineMatrix: Matrix = identity;
  /** The position on the current line, in text space. */
  #at = 0;
  #base: Baseline | undefined;

  /** Text that was drawn without any size. */
  vanished = '';

  constructor(
    readonly builder: RunBuilder<Paint>,
    readonly paintOf: (state: GraphicsState) => Paint,
    readonly substitute: () => PdfFont,
  ) {}

  get place(): PenPlace {
    return { text: this.#textMatrix, line: this.#lineMatrix, at: this.#at };
  }

  goBack(place: PenPlace): void {
    this.#textMatrix = place.text;
    this.#lineMatrix = place.line;
    this.#at = place.at;
    this.#base = undefined;
  }

  /** Call it when the transformation, the font or its size has changed. */
  forgetBaseline(): void {
    this.#base = undefined;
  }

  /** Applies an operator that positions or shows text; returns false for any other. */
  operate(operator: string, operands: Operands, state: GraphicsState): boolean {
    switch (operator) {
      case 'Tj':
        this.#showAll(operands, state);
        return true;
      case 'TJ':
        this.#showAll(operands[0], state);
        return true;
      case 'Td':
        this.#moveLine(num(operands, 0), num(operands, 1));
        return true;
      case 'TD':
        state.leading = -num(operands, 1);
        this.#moveLine(num(operands, 0), num(operands, 1));
        return true;
      case 'Tm':
        this.#setMatrix(toMatrix(operands));
        return true;
      case 'T*':
        this.#moveLine(0, -state.leading);
        return true;
      case "'":
        this.#moveLine(0, -state.leading);
        this.#show(operands[0], state);
        return true;
      case '"':
        state.wordSpace = num(operands, 0);
        state.charSpace = num(operands, 1);
        this.#moveLine(0, -state.leading);
        this.#show(operands[2], state);
        return true;
      case 'BT':
        this.#setMatrix(identity);
        return true;
      default:
        return false;
    }
  }

  #setMatrix(matrix: Matrix): void {
    this.#textMatrix = matrix;
    this.#lineMatrix = matrix;
    this.#at = 0;
    this.#base = undefined;
  }

  #moveLine(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.#lineMatrix;
    this.#setMatrix([a, b, c, d, a * x + c * y + e, b * x + d * y + f]);
  }

  #showAll(items: PdfObject | undefined, state: GraphicsState): void {
    if (items === undefined || !isArray(items)) return;
    const stretch = state.font?.vertical === true ? 1 : state.stretch;
    const isTakenBack = partsWords(items, state);
    for (const item of items) {
      if (typeof item === 'string') this.#show(item, state, isTakenBack);
      else if (typeof item === 'number') this.#at -= (item / 1000) * state.size * stretch;
    }
  }

  /** @param isTakenBack letters are spaced out only where words part */
  #show(text: PdfObject | undefined, state: GraphicsState, isTakenBack = false): void {
    if (typeof text !== 'string' || text === '') return;
    // Viewers do the same when a page names a missing font.
    const font = (state.font ??= this.substitute());
    const base = (this.#base ??= baselineOf(state, font, this.#textMatrix));
    if (!(base.size > 0 && base.scale !== 0)) {
      this.vanished += font.decode(text).reduce((words, { unicode }) => words + unicode, '');
      return;
    }
    const paint = this.paintOf(state);
    const stretch = font.vertical ? 1 : state.stretch;
    for (const glyph of font.decode(text)) {
      const width = glyph.width * state.size * stretch;
      // Letters spaced by a setting are treated as if they were close together.
      const loose = isTakenBack ? 0 : Math.max(0, state.charSpace) * stretch;
      this.builder.add(glyph, font, paint, base, this.#at, width + loose, isTakenBack);
      const spacing = state.charSpace + (glyph.isSpace ? state.wordSpace : 0);
      this.#at += width + spacing * stretch;
    }
  }
}

/**
 * True where spacing letters makes the space between words, or places the signs of a formula: within words they are
 * moved back together, there are two letters alone, such as the end of a word and the beginning of the next one, or no
 * word is so wide.
 */
function partsWords(
  items: readonly PdfObject[],
  { charSpace, size, font }: GraphicsState,
): boolean {
  if (!(charSpace >= leastWordSpace * size) || size <= 0 || font === undefined) return false;
  if (charSpace > size) return true;
  const [first] = items;
  if (items.length === 1) {
    const count = typeof first === 'string' ? font.decode(first).length : 0;
    return count === 2 || (count === 3 && charSpace > 2 * leastWordSpace * size);
  }
  return items.some((item) => typeof item === 'number' && item * size > 500 * charSpace);
}

function baselineOf(state: GraphicsState, font: PdfFont, textMatrix: Matrix): Baseline {
  const { matrix, size, rise } = state;
  const [a, b, c, d, e, f] = multiply(matrix, textMatrix);
  // Vertical text runs along its own axis and is laid out as if the page were rotated.
  const [alongX, alongY] = font.vertical ? [-c, -d] : [a, b];
  const scale = Math.hypot(alongX, alongY);
  // A negative size draws backwards and upside down: a half turn.
  const sign = size < 0 && !font.vertical ? -1 : 1;
  const directionX = scale === 0 ? 1 : (sign * alongX) / scale;
  const directionY = scale === 0 ? 0 : (sign * alongY) / scale;
  return {
    x: c * rise + e,
    y: d * rise + f,
    directionX,
    directionY,
    scale: sign * scale,
    size: Math.abs(size) * (font.em ?? 1) * (font.vertical ? Math.hypot(a, b) : Math.hypot(c, d)),
    quarter: quarterOf(directionX, directionY),
  };
}
