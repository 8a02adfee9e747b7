import { unpackNames, encodingNamed } from './encodings.js';
import { textOfDingbat, textOfGlyphName } from './glyph-names.js';

/** The Wingdings signs that occur in texts: bullets, ticks, arrows. The character follows its code. */
const wingdings = `
21:✏ 22:✂ 28:☎ 2A:✉ 6C:● 6D:❍ 6E:■ 6F:□ 71:❑ 72:❒ 73:⬧ 74:⧫ 75:◆ 76:❖ 77:⬥ 78:⌧ 7B:❀ 9E:· 9F:• A0:▪ A1:○
A4:◉ A7:▪ A8:◻ AA:✦ AB:★ D5:⌫ D6:⌦ D8:➢ DC:➲ DF:← E0:→ E1:↑ E2:↓ E8:➔ EF:⇦ F0:⇨ FA:▫ FB:✗ FC:✓ FD:☒ FE:☑
`;

/** The same of Wingdings 2 and 3: ticks, boxes and arrows. */
const wingdings2 = `
4F:✗ 50:✓ 51:☒ 52:☑ 53:☒ 95:• 96:● 97:● A2:■ A3:□
`;
const wingdings3 = `
21:← 22:→ 23:↑ 24:↓ 70:▲ 71:▼ 74:◄ 75:► 7D:►
`;

export type SymbolFont = 'Symbol' | 'ZapfDingbats' | keyof typeof tables;

const tables = {
  Wingdings: wingdings,
  Wingdings2: wingdings2,
  Wingdings3: wingdings3,
};

/** The symbol font with this name, whose codes are its own signs, whatever its encoding claims. */
export function symbolFontOf(name: string): SymbolFont | undefined {
  if (/^Symbol(MT|PS|Neu)?\b/i.test(name)) return 'Symbol';
  if (/Dingbats/i.test(name)) return 'ZapfDingbats';
  const wingdings = /^Wingdings *([23]?)(-|,|$|Regular)/i.exec(name);
  return wingdings === null ? undefined : `Wingdings${wingdings[1] as '' | '2' | '3'}`;
}

const signFonts =
  /symbol|dingbat|wingding|webding|awesome|icon|glyphicon|fontello|entypo|emmentaler|parmesan|musi[ckx]|opus|bravura|marvosym|barcode|^feta|^lasy|^lcircle|^line[w\d]|^xy(?:atip|btip|line|circ|dash|bsql)/i;

/** True for a font that draws nothing but icons, whatever letters its codes claim to be. */
export function drawsIcons(name: string): boolean {
  return /awesome|glyphicon|fontello|entypo|octicon|material-?icon/i.test(name);
}

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

const signs = new Map<SymbolFont, Map<number, string[]>>();

/** The text of a code from 0 to 255 in a symbol font. For an unknown font, only common signs are known. */
export function textOfSymbol(font: SymbolFont | undefined, code: number): string {
  if (font === undefined) return commonBullets[code] ?? '';
  if (font === 'Symbol') return textOfGlyphName(encodingNamed(font).get(code) ?? '');
  if (font === 'ZapfDingbats') return textOfDingbat(encodingNamed(font).get(code) ?? '');
  const known = signs.get(font) ?? unpackNames(tables[font]);
  signs.set(font, known);
  return code === 32 ? ' ' : (known.get(code)?.[0] ?? '');
}
