import { encodingNamed } from './encodings.js';
import { textOfGlyphName } from './glyph-names.js';

/** Texts by code, from the first code of each row on; "_" where a code has none that stands alone. */
type Rows = readonly [first: number, texts: string][];

function textsIn(rows: Rows): Map<number, string> {
  const texts = new Map<number, string>();
  for (const [first, row] of rows) {
    for (const [index, text] of row.split(' ').entries()) {
      if (text !== '_') texts.set(first + index, text);
    }
  }
  return texts;
}

/**
 * OT1, TeX's first encoding of text: accents stand alone, before or after their letter. At 3, 21 and 22, the tilde and
 * the dashes of T1 are more frequent than its own signs.
 */
const ot1: Rows = [
  [0, 'Γ Δ Θ ~ Ξ Π Σ Υ Φ Ψ Ω ff fi fl ffi ffl ı ȷ ` ´ ˇ – — ˚ ¸ ß æ œ ø Æ Œ Ø'],
  [34, '”'],
  [39, '’'],
  [60, '¡'],
  [62, '¿'],
  [92, '“'],
  [94, 'ˆ'],
  [96, '‘'],
  [123, '– — ˝ ˜ ¨'],
];

/** T1, with letters that carry their accents. */
const t1: Rows = [
  [0, '` ´ ˆ ˜ ¨ ˝ ˚ ˇ ˘ ¯ ˙ ¸ ˛ ‚ ‹ › “ ” „ « » – — _ ₀ ı ȷ ff fi fl ffi ffl'],
  [39, '’'],
  [96, '‘'],
  [127, '-'],
  [128, 'Ă Ą Ć Č Ď Ě Ę Ğ Ĺ Ľ Ł Ń Ň Ŋ Ő Ŕ Ř Ś Š Ş Ť Ţ Ű Ů Ÿ Ź Ž Ż Ĳ İ đ §'],
  [160, 'ă ą ć č ď ě ę ğ ĺ ľ ł ń ň ŋ ő ŕ ř ś š ş ť ţ ű ů ÿ ź ž ż ĳ ¡ ¿ £'],
  [192, 'À Á Â Ã Ä Å Æ Ç È É Ê Ë Ì Í Î Ï Ð Ñ Ò Ó Ô Õ Ö Œ Ø Ù Ú Û Ü Ý Þ SS'],
  [224, 'à á â ã ä å æ ç è é ê ë ì í î ï ð ñ ò ó ô õ ö œ ø ù ú û ü ý þ ß'],
];

/** OMS: the signs of mathematics. */
const oms: Rows = [
  [0, '− · × ∗ ÷ ⋄ ± ∓ ⊕ ⊖ ⊗ ⊘ ⊙ ○ ∘ • ≍ ≡ ⊆ ⊇ ≤ ≥ ⪯ ⪰ ∼ ≈ ⊂ ⊃ ≪ ≫ ≺ ≻'],
  [32, '← → ↑ ↓ ↔ ↗ ↘ ≃ ⇐ ⇒ ⇑ ⇓ ⇔ ↖ ↙ ∝ ′ ∞ ∈ ∋ △ ▽ / _ ∀ ∃ ¬ ∅ ℜ ℑ ⊤ ⊥ ℵ'],
  [91, '∪ ∩ ⊎ ∧ ∨ ⊢ ⊣ ⌊ ⌋ ⌈ ⌉ { } ⟨ ⟩ | ‖ ↕ ⇕ \\ ≀ √ ⨿ ∇ ∫ ⊔ ⊓ ⊑ ⊒ § † ‡ ¶ ♣ ♢ ♡ ♠'],
];

/** TS1, signs that go with T1: bullets, currencies, fractions. */
const ts1: Rows = [
  [132, '† ‡ ‖ ‰ • ℃'],
  [151, '™'],
  [162, '¢ £ ¤ ¥ ¦ § ¨ © ª « ¬ _ ® ¯ ° ± ² ³ ´ µ ¶ · ※ ¹ º √ ¼ ½ ¾ €'],
  [214, '×'],
  [246, '÷'],
];

/** A font of text has more small letters. */
const fewLetters = 6;
const digits = [48, 57] as const;
const small = [97, 122] as const;
/** Brackets and bars of OMS, where other fonts have small letters. */
const brackets = [102, 106] as const;
const ligaturesOfT1 = [27, 31] as const;
const quotesOfT1 = [16, 17];
const ligaturesOfOt1 = [11, 15] as const;
/** Of OT1: where OMS has signs that are seldom used. At 15, its bullet is used more often than a ligature. */
const shortLigatures = [11, 14] as const;
const accented = [128, 255] as const;

/**
 * The texts of a TeX font whose glyphs are named by their codes alone, as in bitmap fonts. Which of TeX's encodings it
 * has shows in the codes that have glyphs.
 *
 * @param isFixed all glyphs have one width, as on a typewriter: such fonts have ASCII's own signs
 */
export function textsOfTexFont(
  codes: readonly number[],
  isFixed: boolean,
): (code: number) => string {
  const has = (range: readonly [number, number]) => codes.some((code) => isIn(range, code));
  const isText = has(digits) || codes.some((code) => isIn(small, code) && !isIn(brackets, code));
  const isT1 =
    has(accented) ||
    (has(ligaturesOfT1) && !has(ligaturesOfOt1)) ||
    quotesOfT1.every((code) => codes.includes(code));
  const own = textsIn(isText ? (isT1 ? t1 : ot1) : rowsOfSigns(codes));
  // In a font of few letters, these codes may as well be Greek letters of a formula.
  const letters = codes.filter((code) => isIn(small, code)).length;
  if (isText && !isT1 && letters < fewLetters) {
    for (let code = 0; code <= ligaturesOfOt1[1]; code++) own.set(code, '');
  }
  const ascii = encodingNamed('WinAnsiEncoding');
  return (code) =>
    (isFixed && code >= 32 && code < 127 ? undefined : own.get(code)) ??
    textOfGlyphName(ascii.get(code) ?? '');
}

/** The encoding of a font without digits and small letters. */
function rowsOfSigns(codes: readonly number[]): Rows {
  if (codes.some((code) => isIn(accented, code))) return ts1;
  if (codes.every((code) => isIn(brackets, code))) return oms;
  return codes.some((code) => code < 32 && !isIn(shortLigatures, code)) ? oms : ot1;
}

function isIn([from, to]: readonly [number, number], code: number): boolean {
  return code >= from && code <= to;
}
