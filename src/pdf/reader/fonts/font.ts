import type { FontTraits } from '../../layout/page.js';

/** The glyph of one character code. */
export interface Glyph {
  /**
   * The text that a reader sees: usually one character, several for a ligature. Empty for blanks and for signs that no
   * character stands for; U+FFFD where nothing tells the meaning.
   */
  unicode: string;
  /** The advance of the pen, in text space units at size 1 (so 0.5 is half an em). */
  width: number;
  /** True when word spacing applies: the single-byte code 32. */
  isSpace: boolean;
}

export interface PdfFont extends FontTraits {
  /** The PostScript name without a subset tag. */
  name: string;
  /** Written from top to bottom; `width` is then the distance downwards. */
  vertical: boolean;
  /** The height of an em at size 1, if that is not about 1: its glyphs are pictures that have a size of their own. */
  em?: number;
  /** The glyphs of a string in the content stream, in order. Glyphs are shared, not copied. */
  decode(text: string): Glyph[];
}

/** The text of a glyph that no table and no name explains. */
export const unreadable = '\ufffd';

/** A function that computes its value on the first call. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** In units of the size; wider glyphs are a mistake or an attack on the page's arithmetic. */
const maxWidth = 100;

/** A width from a font's dictionary, in text space at size 1. `unit` is the dictionary's unit. */
export function widthInText(width: number, unit: number): number {
  const scaled = width * unit;
  return Number.isFinite(scaled) ? Math.min(maxWidth, Math.max(-maxWidth, scaled)) : 0;
}

/** A PostScript font name without a subset tag, e.g. `LiberationSans-Bold` for `IVUZKL+LiberationSans-Bold`. */
export function bareFontName(name: string): string {
  return name.replace(/^[A-Z]{6}\+/, '');
}

/** Traits in a PostScript font name, e.g. `IVUZKL+LiberationSans-Bold`, `CMBX12`, `LMMonoLt10-Regular`. */
export function traitsOfName(name: string): FontTraits {
  const bare = bareFontName(name);
  return {
    bold: /bold|black|heavy|demi|semibd|-bd\b|medi(ital)?$|^cmbx|^cmb\d|^cmmib|^cmbsy|^cmssbx|^sfbx|^ecbx/i.test(
      bare,
    ),
    italic: /ital|obliq|slant|^cmti|^cmmi|^cmsl|^sfti/i.test(bare),
    mono: /mono|courier|consol|typewriter|fixed|menlo|inconsolata|sourcecode|firacode|lettergothic|^cmtt|^sftt|^ectt|^cm(?:i|sl)tt|nimbusmon/i.test(
      bare,
    ),
  };
}

/** The meaning of glyphs by a font program that is embedded in a PDF. */
export interface FontProgram {
  /** The glyph name of a code in the program's own encoding. */
  nameOfCode(code: number): string | undefined;
  /** The text of a code by the program's other tables; empty when unknown. */
  textOfCode(code: number): string;
  /** The text of a glyph by its index; empty when unknown. */
  textOfGlyph(glyph: number): string;
  knowsGlyphs: boolean;
}
