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
