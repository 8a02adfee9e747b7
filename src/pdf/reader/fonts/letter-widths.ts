/** Letters by how much room they take in nearly all fonts that are not monospaced. */
const narrow = 'ijltf';
const usual = 'abdeghnopqu';
const wide = 'mw';

/** So many comparisons show that it is no accident. */
const leastCompared = 12;
const leastRight = 0.95;

/**
 * True when the codes of ASCII have the widths of its letters: an i is narrower than an n, an n than an m. Some fonts of
 * a PDF say nothing else about their codes.
 *
 * @param widthAt the width of a code, in any unit; undefined or 0 where the font has no glyph
 */
export function areWidthsOfLetters(widthAt: (code: number) => number | undefined): boolean {
  const widths = (letters: string) =>
    Array.from(letters, (letter) => widthAt(letter.charCodeAt(0)) ?? 0).filter(
      (width) => width > 0,
    );
  const [thin, middle, broad] = [widths(narrow), widths(usual), widths(wide)];
  let compared = 0;
  let right = 0;
  for (const [smaller, larger] of [
    [thin, middle],
    [middle, broad],
  ] as const) {
    for (const small of smaller) {
      for (const large of larger) {
        compared++;
        if (small < 0.95 * large) right++;
      }
    }
  }
  return compared >= leastCompared && right >= leastRight * compared;
}
