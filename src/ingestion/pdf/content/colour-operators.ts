import type { Dict } from '../syntax/objects.js';
import {
  black,
  cmyk,
  colourIn,
  colourSpaceOf,
  gray,
  rgb,
  type Colour,
  type ColourSpace,
} from './colours.js';
import type { GraphicsState } from './graphics-state.js';
import { numberAt as num, type Operands } from './operands.js';

function deviceColour(operator: string, operands: Operands): [ColourSpace, Colour] | undefined {
  switch (operator) {
    case 'g':
      return ['gray', gray(num(operands, 0))];
    case 'rg':
      return ['rgb', rgb(num(operands, 0), num(operands, 1), num(operands, 2))];
    case 'k': {
      const [c, m, y, k] = [0, 1, 2, 3].map((index) => num(operands, index));
      return ['cmyk', cmyk(c ?? 0, m ?? 0, y ?? 0, k ?? 0)];
    }
    default:
      return undefined;
  }
}

/** Takes a colour operator (ISO 32000-1, 8.6.8): lower case for filling, upper case for strokes. Answers false for any other. */
export function operateColour(
  state: GraphicsState,
  operator: string,
  operands: Operands,
  resources: Dict | undefined,
): boolean {
  const lower = operator.toLowerCase();
  const strokes = lower !== operator;
  let space = strokes ? state.strokeSpace : state.fillSpace;
  let colour: Colour;
  const device = deviceColour(lower, operands);
  if (device !== undefined) [space, colour] = device;
  else if (lower === 'cs') {
    space = colourSpaceOf(operands[0] ?? null, resources);
    colour = space === undefined || space === 'tint' ? undefined : black;
  } else if (lower === 'sc' || lower === 'scn') colour = colourIn(space, operands);
  else return false;
  if (strokes) {
    state.strokeSpace = space;
    state.stroke = colour;
  } else {
    state.fillSpace = space;
    state.fill = colour;
  }
  return true;
}
