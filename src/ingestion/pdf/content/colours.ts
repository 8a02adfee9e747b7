import { Dict, isArray, Name, Stream, type PdfObject } from '../syntax/objects.js';

/** Red, green and blue from 0 to 1; undefined is a colour that only drawing would tell (a pattern, a spot colour). */
export type Colour = readonly [number, number, number] | undefined;

export const black: Colour = [0, 0, 0];
export const white: Colour = [1, 1, 1];

/** Below this contrast (WCAG 2.2: 1 is none, 21 black on white) nobody makes out a letter. */
const leastContrast = 1.2;

const clamp = (value: number) => Math.min(1, Math.max(0, value));

export function gray(level: number): Colour {
  const value = clamp(level);
  return [value, value, value];
}

export function rgb(red: number, green: number, blue: number): Colour {
  return [clamp(red), clamp(green), clamp(blue)];
}

/** As printers' inks cover paper, without a colour profile: enough to tell light from dark. */
export function cmyk(cyan: number, magenta: number, yellow: number, key: number): Colour {
  const light = 1 - clamp(key);
  return [(1 - clamp(cyan)) * light, (1 - clamp(magenta)) * light, (1 - clamp(yellow)) * light];
}

function luminance([red, green, blue]: readonly [number, number, number]): number {
  const linear = (part: number) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Whether text of one colour can be read on the other. Unknown colours are taken to be readable. */
export function stands(text: Colour, ground: Colour): boolean {
  if (text === undefined || ground === undefined) return true;
  const [a, b] = [luminance(text), luminance(ground)];
  if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) >= leastContrast) return true;
  // Red on green of one lightness is hard to read, but it is seen.
  return Math.hypot(text[0] - ground[0], text[1] - ground[1], text[2] - ground[2]) > 0.3;
}

/** How many numbers a colour of this space has, and whether they mean grey, RGB or CMYK; undefined means neither. */
export type ColourSpace = 'gray' | 'rgb' | 'cmyk' | 'tint' | undefined;

export function colourSpaceOf(
  value: PdfObject,
  resources: Dict | undefined,
  depth = 0,
): ColourSpace {
  if (depth > 4) return undefined;
  if (value instanceof Name) {
    if (['DeviceGray', 'G', 'CalGray'].includes(value.text)) return 'gray';
    if (['DeviceRGB', 'RGB', 'CalRGB'].includes(value.text)) return 'rgb';
    if (['DeviceCMYK', 'CMYK'].includes(value.text)) return 'cmyk';
    const named = resources?.dict('ColorSpace')?.get(value.text) ?? null;
    return named === null ? undefined : colourSpaceOf(named, resources, depth + 1);
  }
  if (!isArray(value)) return undefined;
  const [family, second] = value;
  const name = family instanceof Name ? family.text : '';
  if (name === 'CalGray') return 'gray';
  if (name === 'CalRGB') return 'rgb';
  if (name === 'Separation') return 'tint';
  if (name !== 'ICCBased' || second === undefined) return undefined;
  const holder = resources?.resolver ?? undefined;
  const profile = 'num' in Object(second) ? holder?.resolve(second as never) : second;
  const components = profile instanceof Stream ? profile.dict.number('N') : undefined;
  return components === 1
    ? 'gray'
    : components === 3
      ? 'rgb'
      : components === 4
        ? 'cmyk'
        : undefined;
}

/** The colour that the numbers of a space mean. No ink of a spot colour is paper; any is unknown. */
export function colourIn(space: ColourSpace, values: readonly unknown[]): Colour {
  const numbers = values.filter((value) => typeof value === 'number');
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  if (space === 'gray') return gray(a);
  if (space === 'rgb') return rgb(a, b, c);
  if (space === 'cmyk') return cmyk(a, b, c, d);
  if (space === 'tint') return a === 0 ? white : undefined;
  return undefined;
}
