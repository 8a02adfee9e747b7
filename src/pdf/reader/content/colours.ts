/** Red, green and blue from 0 to 1. Undefined is a colour that only drawing would show (a pattern, a spot colour). */
export type Colour = readonly [number, number, number] | undefined;

export const black: Colour = [0, 0, 0];
export const white: Colour = [1, 1, 1];

/** Below this contrast (WCAG 2.2: 1 is none, 21 is black on white) letters are illegible. */
const leastContrast = 1.24;

const clamp = (value: number) => Math.min(1, Math.max(0, value));

export function gray(level: number): Colour {
  const value = clamp(level);
  return [value, value, value];
}

export function rgb(red: number, green: number, blue: number): Colour {
  return [clamp(red), clamp(green), clamp(blue)];
}

/** Approximates printing inks on paper without a colour profile: enough to separate light from dark. */
export function cmyk(cyan: number, magenta: number, yellow: number, key: number): Colour {
  const light = 1 - clamp(key);
  return [(1 - clamp(cyan)) * light, (1 - clamp(magenta)) * light, (1 - clamp(yellow)) * light];
}

function luminance([red, green, blue]: readonly [number, number, number]): number {
  const linear = (part: number) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** True for a light colour other than white: the ground of dark letters. */
export function isTint(colour: Colour): boolean {
  return colour !== undefined && luminance(colour) > 0.4 && colour.some((part) => part < 0.99);
}

/** True when text of one colour is legible on the other. Unknown colours count as legible. */
export function stands(text: Colour, ground: Colour): boolean {
  if (text === undefined || ground === undefined) return true;
  const [a, b] = [luminance(text), luminance(ground)];
  if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) >= leastContrast) return true;
  // Red on green of equal lightness is hard to read, but visible.
  return Math.hypot(text[0] - ground[0], text[1] - ground[1], text[2] - ground[2]) > 0.3;
}

/** The colour that results from a colour over another. */
export function mix(colour: Colour, ground: Colour, alpha: number): Colour {
  if (alpha >= 1) return colour;
  if (colour === undefined || ground === undefined) return undefined;
  const part = (index: 0 | 1 | 2) => alpha * colour[index] + (1 - alpha) * ground[index];
  return [part(0), part(1), part(2)];
}
