import type { ByteView } from './byte-view.js';
import { encodingNamed, type Encoding } from './encodings.js';
import type { FontProgram } from './font.js';
import { textOfGlyphName } from './glyph-names.js';
import { cffStandardStrings } from './program-names.js';

/** Operators of a Top DICT. Two-byte operators begin with 12. */
const charsetOperator = 15;
const encodingOperator = 16;
const charStringsOperator = 17;
const rosOperator = 12 * 256 + 30;
const maxGlyphs = 65_535;

/** A sequence of items of different lengths: their number, their positions, and the position after them. */
interface Index {
  count: number;
  item(at: number): { from: number; to: number };
  end: number;
}

function readIndex(view: ByteView, at: number): Index {
  const count = view.u16(at);
  if (count === 0) return { count, item: () => ({ from: 0, to: 0 }), end: at + 2 };
  const size = Math.min(4, Math.max(1, view.u8(at + 2)));
  const base = at + 2 + (count + 1) * size;
  const offset = (index: number): number => {
    let value = 0;
    for (let byte = 0; byte < size; byte++)
      value = value * 256 + view.u8(at + 3 + index * size + byte);
    return base + value;
  };
  return {
    count,
    item: (index) => ({ from: offset(index), to: offset(index + 1) }),
    end: offset(count),
  };
}

/** The integers of a DICT by operator. */
function readDict(view: ByteView, from: number, to: number): Map<number, number[]> {
  const dict = new Map<number, number[]>();
  let operands: number[] = [];
  for (let at = from; at < to && at < view.length;) {
    const byte = view.u8(at++);
    if (byte <= 21) {
      dict.set(byte === 12 ? 12 * 256 + view.u8(at++) : byte, operands);
      operands = [];
    } else if (byte === 28) {
      operands.push((view.u16(at) << 16) >> 16);
      at += 2;
    } else if (byte === 29) {
      operands.push(view.u32(at) | 0);
      at += 4;
    } else if (byte === 30) {
      // A real number ends with a nibble of 15. No real number matters here.
      while (at < to && (view.u8(at) & 15) !== 15 && view.u8(at) >> 4 !== 15) at++;
      at++;
      operands.push(0);
    } else if (byte >= 32 && byte <= 246) operands.push(byte - 139);
    else if (byte >= 247 && byte <= 250) operands.push((byte - 247) * 256 + view.u8(at++) + 108);
    else if (byte >= 251 && byte <= 254) operands.push(-(byte - 251) * 256 - view.u8(at++) - 108);
  }
  return dict;
}

/** The glyph names and the encoding of a CFF program (Adobe Technical Note 5176). A program with CIDs has no names. */
export function readCff(view: ByteView): FontProgram | undefined {
  const names = readIndex(view, view.u8(2));
  const dicts = readIndex(view, names.end);
  const strings = readIndex(view, dicts.end);
  const { from, to } = dicts.item(0);
  const top = readDict(view, from, to);
  if (top.has(rosOperator)) return undefined;
  const stringOf = (sid: number): string => {
    if (sid < cffStandardStrings.length) return cffStandardStrings[sid] ?? '';
    const at = sid - cffStandardStrings.length;
    if (at >= strings.count) return '';
    const place = strings.item(at);
    return view.text(place.from, Math.min(place.to, place.from + 200));
  };
  const charStrings = top.get(charStringsOperator)?.[0] ?? 0;
  const count = Math.min(maxGlyphs, charStrings > 0 ? readIndex(view, charStrings).count : 0);
  const charset = readCharset(view, top.get(charsetOperator)?.[0] ?? 0, count);
  const nameOf = (glyph: number): string | undefined => {
    const sid = charset[glyph];
    return sid === undefined ? undefined : stringOf(sid);
  };
  const present = new Set(charset.map(stringOf));
  const encoding = new Map(
    [...readEncoding(view, top.get(encodingOperator)?.[0] ?? 0, nameOf, stringOf)].filter(
      ([, name]) => present.has(name),
    ),
  );
  return {
    // An empty encoding was not understood. In other encodings, missing codes have no glyph.
    nameOfCode: (code) => encoding.get(code) ?? (encoding.size > 0 ? '.notdef' : undefined),
    textOfCode: () => '',
    textOfGlyph: (glyph) => textOfGlyphName(nameOf(glyph) ?? ''),
    knowsGlyphs: charset.length > 1,
  };
}

/** The string numbers of the glyph names, from glyph 0 on. */
function readCharset(view: ByteView, at: number, count: number): number[] {
  const sids = [0];
  // ISOAdobe. The expert charsets do not occur in text.
  if (at === 0) for (let sid = 1; sid < Math.min(count, 229); sid++) sids.push(sid);
  if (at <= 2) return sids;
  const format = view.u8(at++);
  while (sids.length < count && at < view.length) {
    const sid = view.u16(at);
    at += 2;
    let more = 0;
    if (format === 1) more = view.u8(at++);
    else if (format === 2) {
      more = view.u16(at);
      at += 2;
    }
    for (let step = 0; step <= more && sids.length < count; step++) sids.push(sid + step);
  }
  return sids;
}

function readEncoding(
  view: ByteView,
  at: number,
  nameOf: (glyph: number) => string | undefined,
  stringOf: (sid: number) => string,
): Encoding {
  if (at <= 1) return encodingNamed(at === 1 ? 'Expert' : 'StandardEncoding');
  const names = new Map<number, string>();
  const put = (code: number, name: string | undefined) => {
    if (name !== undefined) names.set(code & 0xff, name);
  };
  const format = view.u8(at++);
  const count = view.u8(at++);
  let glyph = 1;
  for (let entry = 0; entry < count; entry++) {
    const code = view.u8(at++);
    const more = (format & 0x7f) === 1 ? view.u8(at++) : 0;
    for (let step = 0; step <= more && glyph <= maxGlyphs; step++)
      put(code + step, nameOf(glyph++));
  }
  if ((format & 0x80) !== 0) {
    const extra = view.u8(at++);
    for (let entry = 0; entry < extra; entry++, at += 3)
      put(view.u8(at), stringOf(view.u16(at + 1)));
  }
  return names;
}
