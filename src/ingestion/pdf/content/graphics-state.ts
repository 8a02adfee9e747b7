import type { PdfFont } from '../fonts/font.js';
import { black, type Colour, type ColourSpace } from './colours.js';
import { everywhere, type Box, type Matrix } from './matrix.js';

/** What q keeps and Q brings back, as far as text needs it (ISO 32000-1, 8.4 and 9.3). */
export interface GraphicsState {
  matrix: Matrix;
  /** The box around what the clipping path lets through, in page coordinates. */
  clip: Box;
  fill: Colour;
  stroke: Colour;
  fillSpace: ColourSpace;
  strokeSpace: ColourSpace;
  fillAlpha: number;
  strokeAlpha: number;
  /** Blended with what is beneath it: a marker pen, not paint. */
  blended: boolean;
  font: PdfFont | undefined;
  size: number;
  charSpace: number;
  wordSpace: number;
  /** Horizontal scaling; 1 is none. */
  stretch: number;
  leading: number;
  rise: number;
  /** Text rendering mode (table 106): 3 draws nothing. */
  mode: number;
}

export function firstState(matrix: Matrix): GraphicsState {
  return {
    matrix,
    clip: everywhere,
    fill: black,
    stroke: black,
    fillSpace: 'gray',
    strokeSpace: 'gray',
    fillAlpha: 1,
    strokeAlpha: 1,
    blended: false,
    font: undefined,
    size: 0,
    charSpace: 0,
    wordSpace: 0,
    stretch: 1,
    leading: 0,
    rise: 0,
    mode: 0,
  };
}
