/** Red, green and blue, 0 to 255. */
export type Rgb = readonly number[];

export interface Palette {
  dark: boolean;
  background: Rgb;
  text: Rgb;
  accent: Rgb;
  /** The colour of text on the accent. */
  onAccent: Rgb;
}

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

/** Relative luminance by WCAG 2, from 0 to 1. */
export function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Mixes `share` of `one` with the rest of `other`. */
export function mixed(one: Rgb, other: Rgb, share: number): Rgb {
  return one.map((value, index) => Math.round(value * share + (other[index] ?? 0) * (1 - share)));
}

/** The first colour on the way from `color` to `end` that satisfies `willDo`; `end` when none does. */
function towards(color: Rgb, end: Rgb, willDo: (color: Rgb) => boolean): Rgb {
  let share = 0;
  while (share < 1 && !willDo(mixed(end, color, share))) share += 0.05;
  return mixed(end, color, Math.min(share, 1));
}

/**
 * Changes a page's colours as little as needed to make them legible. Text on the background, the accent on the
 * background, and text on the accent have a contrast of 4.5 : 1. Text has it even at the strength of a note (70 %). A
 * medium background, on which neither black nor white is legible, moves to its nearer end, or to the one that `dark`
 * names.
 */
export function legible(
  background: Rgb,
  text: Rgb,
  accent: Rgb,
  dark = luminance(background) < 0.179,
): Palette {
  const end = dark ? white : black;
  // Move the background until the red of an error is legible on it too.
  const ground = towards(background, dark ? black : white, (color) =>
    dark ? luminance(color) < 0.06 : luminance(color) > 0.66,
  );
  const reads = (color: Rgb): boolean => contrast(color, ground) >= 4.5;
  return {
    dark,
    background: ground,
    text: towards(text, end, (color) => reads(color) && reads(mixed(color, ground, 0.7))),
    accent: towards(accent, end, reads),
    // Text that is legible on the background is more legible on black or white.
    onAccent: dark ? black : white,
  };
}

/** Parses the usual computed styles, `rgb(…)` and `rgba(…)`; undefined for another notation or a transparent colour. */
export function parseRgb(css: string): Rgb | undefined {
  const [match, ...parts] =
    /^rgba?\((\d+),? (\d+),? (\d+)(?:(?:,| \/) ([\d.]+))?\)$/.exec(css) ?? [];
  const [red, green, blue, opacity = 1] = parts.map((part: string | undefined) =>
    part === undefined ? undefined : Number(part),
  );
  return match && opacity > 0.9 ? [red ?? 0, green ?? 0, blue ?? 0] : undefined;
}

export function hex(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
