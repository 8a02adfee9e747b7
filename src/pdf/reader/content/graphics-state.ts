import type { PdfFont } from '../fonts/font.js';
import { Dict, type Operands } from '../syntax/objects.js';
import {
  type ColourSpace,
  colourSpaceOf,
  deviceCmyk,
  deviceGray,
  deviceRgb,
} from './colour-spaces.js';
import { black, type Colour } from './colours.js';
import { type Box, everywhere, type Matrix } from './matrix.js';

/** The state that q saves and Q restores, as far as text needs it (ISO 32000-1, 8.4 and 9.3). */
export interface GraphicsState {
  matrix: Matrix;
  /** The bounding box of the clipping path, in page coordinates. */
  clip: Box;
  /** True when the clipping path is exactly that box. */
  clipIsBox: boolean;
  fill: Colour;
  stroke: Colour;
  fillSpace: ColourSpace;
  strokeSpace: ColourSpace;
  fillAlpha: number;
  strokeAlpha: number;
  /** Blended with what is beneath, like a marker pen, and not opaque paint. */
  blended: boolean;
  /** Drawn through a mask, which may hide all of it. */
  masked: boolean;
  /** The opacity of the enclosing groups. */
  groupAlpha: number;
  /** An enclosing group is blended or masked. */
  groupIsMixed: boolean;
  lineWidth: number;
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
    clipIsBox: true,
    fill: black,
    stroke: black,
    fillSpace: deviceGray,
    strokeSpace: deviceGray,
    fillAlpha: 1,
    strokeAlpha: 1,
    blended: false,
    masked: false,
    groupAlpha: 1,
    groupIsMixed: false,
    lineWidth: 1,
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

/** An opacity below this counts as invisible; a remainder below this counts as opaque. */
export const faint = 0.02;

/** The opacity, including the enclosing groups. */
export function alphaOf(state: GraphicsState, alpha: number): number {
  return state.groupAlpha * alpha;
}

/** Applies an operator that sets one number; returns false for any other. */
export function setNumber(state: GraphicsState, operator: string, value: number): boolean {
  switch (operator) {
    case 'Tc':
      state.charSpace = value;
      return true;
    case 'Tw':
      state.wordSpace = value;
      return true;
    case 'Tz':
      state.stretch = value / 100;
      return true;
    case 'TL':
      state.leading = value;
      return true;
    case 'w':
      state.lineWidth = value;
      return true;
    default:
      return false;
  }
}

/** Applies a graphics state dictionary (8.4.5). */
export function applyExtended(
  state: GraphicsState,
  extended: Dict,
  fontOf: (dict: Dict) => PdfFont,
): void {
  state.fillAlpha = extended.number('ca') ?? state.fillAlpha;
  state.strokeAlpha = extended.number('CA') ?? state.strokeAlpha;
  const blend = extended.name('BM');
  if (blend !== undefined) state.blended = blend !== 'Normal' && blend !== 'Compatible';
  else if (extended.get('BM') !== null) state.blended = true;
  const mask = extended.get('SMask');
  if (mask !== null) state.masked = mask instanceof Dict;
  const [font, size] = extended.array('Font') ?? [];
  if (font instanceof Dict && typeof size === 'number') {
    state.font = fontOf(font);
    state.size = size;
  }
}

/** The initial state inside a transparency group (11.6.6). The outer settings apply to the whole group. */
export function enterGroup(state: GraphicsState): void {
  state.groupAlpha *= state.fillAlpha;
  state.groupIsMixed ||= state.blended || state.masked;
  state.fillAlpha = 1;
  state.strokeAlpha = 1;
  state.blended = false;
  state.masked = false;
}

interface ColourOperator {
  strokes: boolean;
  /** Chooses a colour space. */
  chooses?: boolean;
  /** The space of which it sets a colour; else the present one. */
  device?: ColourSpace;
}

const colourOperators = new Map<string, ColourOperator>([
  ['g', { strokes: false, device: deviceGray }],
  ['G', { strokes: true, device: deviceGray }],
  ['rg', { strokes: false, device: deviceRgb }],
  ['RG', { strokes: true, device: deviceRgb }],
  ['k', { strokes: false, device: deviceCmyk }],
  ['K', { strokes: true, device: deviceCmyk }],
  ['cs', { strokes: false, chooses: true }],
  ['CS', { strokes: true, chooses: true }],
  ['sc', { strokes: false }],
  ['SC', { strokes: true }],
  ['scn', { strokes: false }],
  ['SCN', { strokes: true }],
]);

/** Applies a colour operator (ISO 32000-1, 8.6.8): lower case for filling, upper case for strokes; else false. */
export function operateColour(
  state: GraphicsState,
  operator: string,
  operands: Operands,
  resources: Dict | undefined,
): boolean {
  const known = colourOperators.get(operator);
  if (known === undefined) return false;
  const { strokes, chooses = false, device } = known;
  const before = strokes ? state.strokeSpace : state.fillSpace;
  const space = chooses ? colourSpaceOf(operands[0] ?? null, resources) : (device ?? before);
  const colour = chooses
    ? space.initial
    : space.toColour(operands.filter((operand) => typeof operand === 'number'));
  if (strokes) {
    state.strokeSpace = space;
    state.stroke = colour;
  } else {
    state.fillSpace = space;
    state.fill = colour;
  }
  return true;
}
