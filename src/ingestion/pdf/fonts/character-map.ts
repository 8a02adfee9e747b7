import type { ByteView } from './byte-view.js';

/** From characters, or codes, to glyphs. */
export type CharacterMap = ReadonlyMap<number, number>;

/** A program has no more glyphs; a map with more characters repeats itself, or bombs. */
const maxEntries = 65_536;
const maxSegments = 20_000;

/** Reads a subtable of a TrueType cmap in the formats 0, 4, 6, 10, 12 and 13; others are empty. */
export function readCharacterMap(view: ByteView): CharacterMap {
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
