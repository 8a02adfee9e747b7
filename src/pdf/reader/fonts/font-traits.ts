import type { FontTraits } from '../../layout/page.js';
import type { Dict } from '../syntax/objects.js';
import { traitsOfName } from './font.js';

const fixedPitchFlag = 1;
const italicFlag = 64;
const forceBoldFlag = 262_144;
/** Wider stems are bold, when nothing else shows the weight. */
const boldStem = 140;
/** TeX's fonts, whose names say everything. Ghostscript writes wrong stems and flags for the few signs of a subset. */
const ofTex = /^(?:cm|ec|sf)[a-z]{1,6}\d{1,4}$/i;
/** Letters that are narrow in every font that is not monospaced. */
const narrowLetters = /[fijlrtI]/;

/** Fonts for Chinese, Japanese and Korean: all signs have one width, but their text is prose, not code. */
const eastAsian =
  /^(ms-?)?(p|ui)?-?(gothic|mincho)|simsun|simhei|fangsong|mingliu|batang|gulim|dotum|malgun|kozmin|kozgo|-(gb|b5|jis|ksc)\b/i;

export type LetterWidths = Iterable<readonly [letter: string, width: number]>;

/**
 * Whether a font is bold, italic or monospaced, by its dictionaries. Some producers set the flag of a fixed pitch for
 * every font, and names mislead (AmericanTypewriter, MonotypeCorsiva), so the widths of the letters take precedence.
 */
export function traitsOf(
  name: string,
  descriptor: Dict | undefined,
  letters: LetterWidths,
): FontTraits {
  const named = traitsOfName(name);
  const ofOneWidth = areOfOneWidth(letters);
  const flags = descriptor?.number('Flags') ?? 0;
  const weight = descriptor?.number('FontWeight');
  const stem = descriptor?.number('StemV') ?? 0;
  const slant = descriptor?.number('ItalicAngle') ?? 0;
  // Some producers write the same stem width for all fonts, so a weight in the name takes precedence.
  const isOfTex = ofTex.test(name);
  const isStemAllThatTells =
    weight === undefined && !isOfTex && !/regular|light|book|medium|roman/i.test(name);
  return {
    bold:
      named.bold ||
      hasFlag(flags, forceBoldFlag) ||
      (weight ?? 0) >= 600 ||
      (isStemAllThatTells && stem > boldStem),
    italic:
      named.italic || hasFlag(flags, italicFlag) || (Math.abs(slant) > 3 && Math.abs(slant) < 60),
    mono: named.mono
      ? ofOneWidth !== false
      : !eastAsian.test(name) && (ofOneWidth ?? (!isOfTex && hasFlag(flags, fixedPitchFlag))),
  };
}

function hasFlag(flags: number, flag: number): boolean {
  return (flags & flag) !== 0;
}

/** A subset may give all letters that it does not have the width of an empty box. */
const leastOfOneWidth = 0.9;

/**
 * Whether nearly all letters have one width; undefined when too few are known. Requires three letters including a narrow
 * one: in many fonts some letters happen to be equally wide.
 */
function areOfOneWidth(letters: LetterWidths): boolean | undefined {
  const byWidth = new Map<number, string[]>();
  let count = 0;
  for (const [letter, width] of letters) {
    if (width <= 0) continue;
    const key = Math.round(width * 500);
    const alike = byWidth.get(key);
    if (alike === undefined) byWidth.set(key, [letter]);
    else alike.push(letter);
    count++;
  }
  const isNarrow = (letter: string) => narrowLetters.test(letter);
  const [common = []] = [...byWidth.values()].sort((a, b) => b.length - a.length);
  const known = [...byWidth.values()].flat();
  if (!known.some(isNarrow) || new Set(known).size < 3) return undefined;
  return common.length >= leastOfOneWidth * count && common.some(isNarrow);
}
