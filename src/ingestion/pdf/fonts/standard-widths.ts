import { encodingNamed } from './encodings.js';
import { cffStandardStrings } from './program-names.js';
import { dingbatsMetrics, standardMetrics, symbolMetrics } from './standard-metrics.js';
import { symbolFontOf } from './symbol-fonts.js';

export type WidthOfName = (glyphName: string) => number | undefined;

const tables = new Map<string, ReadonlyMap<string, number>>();

function tableOf(packed: string, names: Iterable<string>): ReadonlyMap<string, number> {
  const known = tables.get(packed);
  if (known !== undefined) return known;
  const widths = packed.trim().split(/\s+/).map(Number);
  const table = new Map([...names].map((name, index) => [name, widths[index] ?? 0]));
  tables.set(packed, table);
  return table;
}

/**
 * Widths of the standard fonts and of those that look like them, for PDFs that leave the widths to the reader.
 * In thousandths of the size, by the names of glyphs; undefined for names that are not in the table.
 */
export function standardWidths(
  name: string,
  traits: { bold: boolean; italic: boolean; mono: boolean },
): WidthOfName {
  if (traits.mono) return () => 600;
  const symbol = symbolFontOf(name);
  if (symbol === 'Symbol' || symbol === 'ZapfDingbats') {
    const table = tableOf(
      symbol === 'Symbol' ? symbolMetrics : dingbatsMetrics,
      encodingNamed(symbol).values(),
    );
    return (glyph) => table.get(glyph);
  }
  const { helvetica, helveticaBold, times, timesBold, timesItalic, timesBoldItalic } =
    standardMetrics;
  const isSerif = /times|roman|serif|georgia|garamond|palatino|bookman|schoolbook|minion|cambria/i;
  const isSans = /sans|arial|helvetica/i;
  const upright = traits.bold ? timesBold : times;
  const serif = traits.italic ? (traits.bold ? timesBoldItalic : timesItalic) : upright;
  const sans = traits.bold ? helveticaBold : helvetica;
  const packed = isSerif.test(name) && !isSans.test(name) ? serif : sans;
  const table = tableOf(packed, cffStandardStrings.slice(1, 229));
  // A letter with an accent that the table lacks is as wide as the letter.
  return (glyph) => table.get(glyph) ?? table.get(glyph.slice(0, 1));
}
