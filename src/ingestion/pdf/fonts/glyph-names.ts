import { dingbatsGlyphNames } from './encodings-symbols.js';
import { latinGlyphNames } from './glyph-names-latin.js';
import { otherGlyphNames } from './glyph-names-other.js';
import { unpackNames } from './packed-names.js';
import { characterOf, fromUtf16, sensibleText } from './sensible-text.js';

/** Small capitals and raised or lowered letters of fonts that have them under names of their own, e.g. Asmall. */
const styledName = /^(.+?)(small|oldstyle|superior|inferior|fitted)$/;
/** Parts and sizes of the brackets and signs of TeX, e.g. parenleftBigg, summationdisplay. */
const sizedName = /^(.+?)(?:bigg|Bigg|big|Big|display|text|wider|widest|wide)$/;
/** Longer names are no names of glyphs. */
const maxLength = 200;

function characters(packed: string): Map<string, string> {
  const table = new Map<string, string>();
  for (const [point, names] of unpackNames(packed)) {
    for (const name of names) table.set(name, String.fromCodePoint(point));
  }
  return table;
}

let list: Map<string, string> | undefined;
let dingbats: Map<string, string> | undefined;

function listed(name: string): string | undefined {
  list ??= new Map([...characters(latinGlyphNames), ...characters(otherGlyphNames)]);
  return list.get(name);
}

/** uni20AC, uni00660069, u1F600: characters by their numbers. */
function byNumber(name: string): string | undefined {
  const units = /^uni((?:[0-9A-F]{4})+)$/.exec(name)?.[1];
  if (units !== undefined) {
    return sensibleText(fromUtf16(Buffer.from(units, 'hex').toString('latin1')));
  }
  const point = /^u([0-9A-F]{4,6})$/.exec(name)?.[1];
  return point === undefined ? undefined : characterOf(parseInt(point, 16));
}

function ofComponent(name: string): string {
  const known = listed(name) ?? byNumber(name);
  if (known !== undefined) return known;
  const styled = styledName.exec(name);
  if (styled?.[1] !== undefined) {
    const plain = listed(styled[1]) ?? '';
    return styled[2] === 'small' ? plain.toLowerCase() : plain;
  }
  const sized = sizedName.exec(name)?.[1];
  return (sized === undefined ? undefined : listed(sized)) ?? '';
}

/**
 * The text that a glyph's name stands for by the Adobe Glyph List and its rules: `f_f_i` is three letters, what follows
 * a dot is a variant of what stands before it. Empty for names that mean nothing in themselves (g12, C65, .notdef).
 */
export function textOfGlyphName(name: string): string {
  const known = listed(name);
  if (known !== undefined) return known;
  if (name.length > maxLength) return '';
  const bare = name.split('.', 1)[0] ?? '';
  return bare.split('_').map(ofComponent).join('');
}

/** What a name of ZapfDingbats stands for (a1 to a206). */
export function textOfDingbat(name: string): string {
  dingbats ??= characters(dingbatsGlyphNames);
  return dingbats.get(name) ?? textOfGlyphName(name);
}
