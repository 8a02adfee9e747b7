import type { ByteView } from './byte-view.js';
import type { FontProgram } from './font.js';
import { textOfGlyphName } from './glyph-names.js';
import { macGlyphOrder } from './program-names.js';
import { characterOf } from './sensible-text.js';
const maxTables = 200;

/** A table of a TrueType or OpenType program, or of the first program in a collection. */
export function tableOf(view: ByteView, tag: string): ByteView | undefined {
  const start = view.text(0, 4) === 'ttcf' ? view.u32(12) : 0;
  const count = Math.min(maxTables, view.u16(start + 4));
  for (let index = 0; index < count; index++) {
    const at = start + 12 + index * 16;
    if (view.text(at, at + 4) === tag) return view.from(view.u32(at + 8), view.u32(at + 12));
  }
  return undefined;
}

interface Maps {
  unicode: CharacterMap | undefined;
  /** Maps the codes of a symbol font, which begin at 0xF000. */
  symbol: CharacterMap | undefined;
  /** Maps Macintosh codes; in subsets they are often arbitrary. */
  mac: CharacterMap | undefined;
}

function readMaps(cmap: ByteView | undefined): Maps {
  const maps: Maps = { unicode: undefined, symbol: undefined, mac: undefined };
  if (cmap === undefined) return maps;
  const count = Math.min(maxTables, cmap.u16(2));
  for (let index = 0; index < count; index++) {
    const at = 4 + index * 8;
    const platform = cmap.u16(at);
    const encoding = cmap.u16(at + 2);
    const read = () => readCharacterMap(cmap.from(cmap.u32(at + 4)));
    if (platform === 3 && encoding === 10) maps.unicode = read();
    else if (platform === 0 || (platform === 3 && encoding === 1)) maps.unicode ??= read();
    else if (platform === 3 && encoding === 0) maps.symbol ??= read();
    else if (platform === 1 && encoding === 0) maps.mac ??= read();
  }
  return maps;
}

/** Maps glyphs to text by the inverted Unicode map and by glyph names. Tables are read when needed. */
export function readTrueType(view: ByteView): FontProgram {
  const { unicode, symbol, mac } = readMaps(tableOf(view, 'cmap'));
  const texts = new Map<number, string>();
  for (const [point, glyph] of unicode ?? []) {
    const text = characterOf(point);
    // Of several characters with one glyph, the first is the usual one.
    if (text !== '' && !texts.has(glyph)) texts.set(glyph, text);
  }
  const names = readNames(tableOf(view, 'post'));
  const textOfGlyph = (glyph: number): string => {
    return texts.get(glyph) ?? textOfGlyphName(names(glyph) ?? '');
  };
  const glyphOfCode = (code: number): number | undefined => {
    for (const map of [symbol, mac, unicode]) {
      for (const base of map === symbol ? [0xf000, 0, 0xf100, 0xf200] : [0]) {
        const glyph = map?.get(base + code);
        if (glyph !== undefined && glyph !== 0) return glyph;
      }
    }
    return undefined;
  };
  return {
    nameOfCode: () => undefined,
    textOfCode: (code) => textOfGlyph(glyphOfCode(code) ?? 0),
    textOfGlyph,
    knowsGlyphs: texts.size > 0 || names(1) !== undefined,
  };
}

/** Glyph names from the post table, versions 1 and 2. */
function readNames(post: ByteView | undefined): (glyph: number) => string | undefined {
  const version = post?.u32(0);
  if (version === 0x00010000) return (glyph) => macGlyphOrder[glyph];
  if (post === undefined || version !== 0x00020000) return () => undefined;
  const count = post.u16(32);
  const own: string[] = [];
  for (let at = 34 + count * 2; at < post.length && own.length < 65_536;) {
    const end = at + 1 + post.u8(at);
    own.push(post.text(at + 1, end));
    at = end;
  }
  return (glyph) => {
    if (glyph >= count) return undefined;
    const index = post.u16(34 + glyph * 2);
    return index < macGlyphOrder.length ? macGlyphOrder[index] : own[index - macGlyphOrder.length];
  };
}

type CharacterMap = ReadonlyMap<number, number>;

/** No program has more glyphs. A larger map repeats itself or is an attack. */
const maxEntries = 65_536;
const maxSegments = 20_000;

/** Reads a subtable of a TrueType cmap in the formats 0, 4, 6, 10, 12 and 13. Other formats give an empty map. */
function readCharacterMap(view: ByteView): CharacterMap {
  const map = new Map<number, number>();
  const format = view.u16(0);
  if (format === 0) for (let code = 0; code < 256; code++) put(map, code, view.u8(6 + code));
  else if (format === 4) readSegments(view, map);
  else if (format === 6) readArray(view, map, view.u16(6), view.u16(8), 10);
  else if (format === 10) readArray(view, map, view.u32(12), view.u32(16), 20);
  else if (format === 12 || format === 13) readGroups(view, map, format === 12);
  return map;
}

function put(map: Map<number, number>, code: number, glyph: number): void {
  if (glyph !== 0 && map.size < maxEntries) map.set(code, glyph);
}

function readArray(
  view: ByteView,
  map: Map<number, number>,
  first: number,
  count: number,
  at: number,
): void {
  for (let index = 0; index < Math.min(count, maxEntries); index++) {
    put(map, first + index, view.u16(at + index * 2));
  }
}

function readSegments(view: ByteView, map: Map<number, number>): void {
  const twice = view.u16(6) & 0xfffe;
  let budget = maxEntries * 2;
  for (let at = 0; at < twice; at += 2) {
    const end = view.u16(14 + at);
    const start = view.u16(16 + twice + at);
    const delta = view.u16(16 + 2 * twice + at);
    const offsetAt = 16 + 3 * twice + at;
    const offset = view.u16(offsetAt);
    for (let code = start; code <= end && code !== 0xffff && budget-- > 0; code++) {
      let glyph = code;
      if (offset !== 0) {
        glyph = view.u16(offsetAt + offset + 2 * (code - start));
        if (glyph === 0) continue;
      }
      put(map, code, (glyph + delta) & 0xffff);
    }
  }
}

function readGroups(view: ByteView, map: Map<number, number>, counts: boolean): void {
  const groups = Math.min(maxSegments, view.u32(12));
  let budget = maxEntries * 2;
  for (let group = 0; group < groups; group++) {
    const at = 16 + group * 12;
    const start = view.u32(at);
    const end = view.u32(at + 4);
    const glyph = view.u32(at + 8);
    for (let code = start; code <= end && budget-- > 0; code++) {
      put(map, code, counts ? glyph + code - start : glyph);
    }
  }
}
