import type { Dict } from '../syntax/objects.js';
import { colourSpaceOf, deviceCmyk, deviceGray, deviceRgb } from './colour-spaces.js';
import type { GraphicsState } from './graphics-state.js';
import type { Operands } from './operands.js';

const devices = new Map([
  ['g', deviceGray],
  ['rg', deviceRgb],
  ['k', deviceCmyk],
]);

/** Takes a colour operator (ISO 32000-1, 8.6.8): lower case for filling, upper case for strokes. Answers false for any other. */
export function operateColour(
  state: GraphicsState,
  operator: string,
  operands: Operands,
  resources: Dict | undefined,
): boolean {
  const lower = operator.toLowerCase();
  const strokes = lower !== operator;
  const chooses = lower === 'cs';
  const isSet = lower === 'sc' || lower === 'scn';
  const device = devices.get(lower);
  if (device === undefined && !chooses && !isSet) return false;
  const before = strokes ? state.strokeSpace : state.fillSpace;
  const space = chooses ? colourSpaceOf(operands[0] ?? null, resources) : (device ?? before);
  const numbers = operands.filter((operand) => typeof operand === 'number');
  const colour = chooses ? space.initial : space.toColour(numbers);
  if (strokes) {
    state.strokeSpace = space;
    state.stroke = colour;
  } else {
    state.fillSpace = space;
    state.fill = colour;
  }
  return true;
}
