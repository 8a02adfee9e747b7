import type { FontTraits } from '../../layout/page.js';

/** What one character code of a font draws. */
export interface Glyph {
  /** What a reader sees, as text: often one character, more for a ligature, none for what has no meaning. */
  unicode: string;
  /** How far it moves the pen, in text space units at size 1 (so 0.5 is half an em). */
  width: number;
  /** Whether word spacing applies: the single-byte code 32. */
  isSpace: boolean;
}

export interface PdfFont extends FontTraits {
  /** Its PostScript name without the tag of a subset. */
  name: string;
  /** Written from top to bottom; `width` is then the way down. */
  vertical: boolean;
  /** The glyphs that a string of the content stream draws, in its order. Glyphs are shared, not copied. */
  decode(text: string): Glyph[];
  /**
   * Whether the codes' meaning is known (an encoding, a ToUnicode map, names of glyphs). Where it is not, decode's
   * text is a guess, and a page that draws with the font is better read by someone else. It turns false, too, once
   * most of the codes that were decoded had no meaning; those glyphs then say U+FFFD. A few without a meaning, such as
   * icons, draw nothing and leave it true.
   */
  understood: boolean;
}

/** A function that makes its value when it is asked for it first. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Wider glyphs, in units of the size, are a mistake or an attack on the arithmetic of the page. */
const maxWidth = 100;

/** A width of a font's dictionary in text space at size 1. `unit` is the length of its own unit there. */
export function widthInText(width: number, unit: number): number {
  const scaled = width * unit;
  return Number.isFinite(scaled) ? Math.min(maxWidth, Math.max(-maxWidth, scaled)) : 0;
}

/** A PostScript font name without the tag of a subset, e.g. `LiberationSans-Bold` for `IVUZKL+LiberationSans-Bold`. */
export function bareFontName(name: string): string {
  return name.replace(/^[A-Z]{6}\+/, '');
}

/** Traits as a PostScript font name spells them, e.g. `IVUZKL+LiberationSans-Bold`, `CMBX12`, `LMMonoLt10-Regular`. */
export function traitsOfName(name: string): FontTraits {
  const bare = bareFontName(name);
  return {
    bold: /bold|black|heavy|demi|semibd|-bd\b|^cmbx|^cmb\d|^cmssbx|^sfbx|^ecbx/i.test(bare),
    italic: /ital|obliq|slant|^cmti|^cmsl|^sfti/i.test(bare),
    mono: /mono|courier|consol|typewriter|fixed|menlo|inconsolata|sourcecode|firacode|lettergothic|^cmtt|^sftt|^ectt|^cmsltt|nimbusmon/i.test(
      bare,
    ),
  };
}

/** What a font program, embedded in a PDF, tells of the meaning of its glyphs. */
export interface FontProgram {
  /** The name of the glyph that a code draws by the program's own encoding. */
  nameOfCode(code: number): string | undefined;
  /** What a code draws by the program's other tables; empty where they don't say. */
  textOfCode(code: number): string;
  /** What a glyph stands for by its place in the program; empty where that is not known. */
  textOfGlyph(glyph: number): string;
  /** Whether textOfGlyph knows any. */
  knowsGlyphs: boolean;
}
