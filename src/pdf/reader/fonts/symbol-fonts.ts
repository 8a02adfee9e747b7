import { unpackNames, encodingNamed } from './encodings.js';
import { textOfDingbat, textOfGlyphName } from './glyph-names.js';

/** The Wingdings signs that occur in texts: bullets, ticks, arrows. The character follows its code. */
const wingdings = `
21:✏ 22:✂ 28:☎ 2A:✉ 6C:● 6D:❍ 6E:■ 6F:□ 71:❑ 72:❒ 73:⬧ 74:⧫ 75:◆ 76:❖ 77:⬥ 78:⌧ 7B:❀ 9F:• A0:▪ A1:○
A4:◉ A7:▪ A8:◻ AA:✦ AB:★ D5:⌫ D6:⌦ D8:➢ DC:➲ DF:← E0:→ E1:↑ E2:↓ E8:➔ EF:⇦ F0:⇨ FB:✗ FC:✓ FD:☒ FE:☑
`;

export type SymbolFont = 'Symbol' | 'ZapfDingbats' | 'Wingdings';

/** The symbol font with this name, whose codes are its own signs, whatever its encoding claims. */
export function symbolFontOf(name: string): SymbolFont | undefined {
  if (/^Symbol(MT|PS|Neu)?\b/i.test(name)) return 'Symbol';
  if (/Dingbats/i.test(name)) return 'ZapfDingbats';
  return /^Wingdings(-|,|$|Regular)/i.test(name) ? 'Wingdings' : undefined;
}

const signFonts =
  /symbol|dingbat|wingding|webding|awesome|icon|glyphicon|fontello|entypo|emmentaler|parmesan|musi[ckx]|opus|bravura|marvosym|barcode|^feta|^lasy|^lcircle|^line[w\d]|^xy(?:atip|btip|line|circ|dash|bsql)/i;

/** True for a font that draws pictures, notes or parts of drawings: what has no text there needs none. */
export function drawsSigns(name: string): boolean {
  return signFonts.test(name);
}

/** Names that producers give to all glyphs alike, letters included: g12, C65, glyph_7, uniE123. */
const numberedName = /^(?:[a-z]{0,2}|glyph|index|cid|char|gid|uni|ord|id)[-_.]?[0-9a-f]*$/i;

/** True for a name that says what a glyph draws, but names no character: `noteheads.s2`, `arrowhead`. */
export function isNameOfSign(name: string): boolean {
  return !numberedName.test(name) && /[a-z]{3}/i.test(name);
}

/** Bullets and ticks of Wingdings and Symbol. Fonts with other names use the same codes. */
const commonBullets: Record<number, string> = {
  0x9f: '•',
  0xa7: '▪',
  0xa8: '◻',
  0xb7: '•',
  0xd8: '➢',
  0xfc: '✓',
};

let signs: Map<number, string[]> | undefined;

/** The text of a code from 0 to 255 in a symbol font. For an unknown font, only common signs are known. */
export function textOfSymbol(font: SymbolFont | undefined, code: number): string {
  if (font === undefined) return commonBullets[code] ?? '';
  if (font === 'Wingdings') {
    signs ??= unpackNames(wingdings);
    return code === 32 ? ' ' : (signs.get(code)?.[0] ?? '');
  }
  const name = encodingNamed(font).get(code) ?? '';
  return font === 'Symbol' ? textOfGlyphName(name) : textOfDingbat(name);
}
