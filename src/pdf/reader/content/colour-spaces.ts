import { Dict, isArray, Name, Ref, Stream, type PdfObject } from '../syntax/objects.js';
import { black, cmyk, gray, rgb, type Colour } from './colours.js';

/** Converts the numbers of a colour space (ISO 32000-1, 8.6) to a colour. */
export interface ColourSpace {
  /** The colour when the space is selected. */
  initial: Colour;
  toColour(values: readonly number[]): Colour;
}

const at = (values: readonly number[], index: number) => values[index] ?? 0;

export const deviceGray: ColourSpace = { initial: black, toColour: (v) => gray(at(v, 0)) };
export const deviceRgb: ColourSpace = {
  initial: black,
  toColour: (v) => rgb(at(v, 0), at(v, 1), at(v, 2)),
};
export const deviceCmyk: ColourSpace = {
  initial: black,
  toColour: (v) => cmyk(at(v, 0), at(v, 1), at(v, 2), at(v, 3)),
};
/** Patterns, and spaces that are not worth computing: only drawing would show the colour. */
const unknown: ColourSpace = { initial: undefined, toColour: () => undefined };
const lab: ColourSpace = {
  initial: black,
  // Only lightness matters here, not the hue.
  toColour: (v) => gray((at(v, 0) / 100) ** (2.2 ** 0.5)),
};

const devices: Record<string, ColourSpace> = {
  DeviceGray: deviceGray,
  G: deviceGray,
  CalGray: deviceGray,
  DeviceRGB: deviceRgb,
  RGB: deviceRgb,
  CalRGB: deviceRgb,
  DeviceCMYK: deviceCmyk,
  CMYK: deviceCmyk,
  Lab: lab,
};
const maxDepth = 4;

export function colourSpaceOf(
  value: PdfObject,
  resources: Dict | undefined,
  depth = 0,
): ColourSpace {
  if (depth > maxDepth) return unknown;
  if (value instanceof Name) {
    const named = resources?.dict('ColorSpace')?.get(value.text) ?? null;
    return (
      devices[value.text] ?? (named === null ? unknown : colourSpaceOf(named, resources, depth + 1))
    );
  }
  if (!isArray(value)) return unknown;
  const resolve = (part: PdfObject | undefined): PdfObject =>
    part instanceof Ref ? (resources?.resolver.resolve(part) ?? null) : (part ?? null);
  const [family, second, third, fourth] = value.map(resolve);
  const name = family instanceof Name ? family.text : '';
  const inner = (part: PdfObject | undefined) => colourSpaceOf(part ?? null, resources, depth + 1);
  if (name === 'ICCBased') return iccBased(second);
  if (name === 'Indexed' || name === 'I') return indexed(inner(second), fourth ?? null);
  if (name === 'Separation') return spotColour(second, inner(third), fourth);
  return devices[name] ?? unknown;
}

function iccBased(profile: PdfObject | undefined): ColourSpace {
  const components = profile instanceof Stream ? profile.dict.number('N') : undefined;
  return components === 1
    ? deviceGray
    : components === 3
      ? deviceRgb
      : components === 4
        ? deviceCmyk
        : unknown;
}

function indexed(base: ColourSpace, lookup: PdfObject): ColourSpace {
  const table =
    typeof lookup === 'string'
      ? Buffer.from(lookup, 'latin1')
      : lookup instanceof Stream
        ? lookup.bytes()
        : new Uint8Array();
  const parts = base === deviceGray ? 1 : base === deviceRgb ? 3 : base === deviceCmyk ? 4 : 0;
  const toColour = (values: readonly number[]): Colour => {
    const from = Math.max(0, Math.floor(at(values, 0))) * parts;
    if (parts === 0 || from + parts > table.length) return undefined;
    return base.toColour(Array.from(table.subarray(from, from + parts), (byte) => byte / 255));
  };
  return { initial: toColour([0]), toColour };
}

/** A spot colour by its alternative on a screen, if a simple function defines it. */
function spotColour(
  name: PdfObject | undefined,
  alternate: ColourSpace,
  tint: PdfObject | undefined,
): ColourSpace {
  const dict = tint instanceof Stream ? tint.dict : tint instanceof Dict ? tint : undefined;
  const from = dict?.numbers('C0') ?? [0];
  const to = dict?.numbers('C1') ?? [1];
  const power = dict?.number('N') ?? 1;
  const isSimple = dict?.number('FunctionType') === 2;
  // "All" means every ink of the press, so it is never bare paper.
  const isAll = name instanceof Name && name.text === 'All';
  const toColour = (values: readonly number[]): Colour => {
    const ink = at(values, 0);
    if (isAll) return gray(1 - ink);
    if (!isSimple) return undefined;
    return alternate.toColour(from.map((low, index) => low + ink ** power * (at(to, index) - low)));
  };
  return { initial: toColour([1]), toColour };
}
