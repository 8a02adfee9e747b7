import type { ByteView } from './byte-view.js';
import type { FontProgram } from './font-program.js';
import { textOfGlyphName } from './glyph-names.js';
import { macGlyphOrder } from './program-names.js';
import { characterOf } from './sensible-text.js';
import { readCharacterMap, type CharacterMap } from './character-map.js';

const maxTables = 200;

/** A table of a TrueType or OpenType program, or of the first one in a collection. */
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
  /** From Unicode. */
  unicode: CharacterMap | undefined;
  /** From the codes of a symbol font, which lie at 0xF000. */
  symbol: CharacterMap | undefined;
  /** From the codes of the Macintosh; those of a subset are often arbitrary. */
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

/** From glyphs to text by the Unicode map turned round and by the glyphs' names. Read when they are asked for. */
export function readTrueType(view: ByteView): FontProgram {
  const { unicode, symbol, mac } = readMaps(tableOf(view, 'cmap'));
  const texts = new Map<number, string>();
  for (const [point, glyph] of unicode ?? []) {
    const text = characterOf(point);
    // Of characters that share a glyph, the first is the usual one.
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

/** Names of glyphs from the table post; those of its versions 1 and 2. */
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
