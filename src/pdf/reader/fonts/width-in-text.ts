/** Wider glyphs, in units of the size, are a mistake or an attack on the arithmetic of the page. */
const maxWidth = 100;

/** A width of a font's dictionary in text space at size 1. `unit` is the length of its own unit there. */
export function widthInText(width: number, unit: number): number {
  const scaled = width * unit;
  return Number.isFinite(scaled) ? Math.min(maxWidth, Math.max(-maxWidth, scaled)) : 0;
}
