import type { Dict } from '../syntax/objects.js';
import { ByteView } from './byte-view.js';
import { readCff } from './cff.js';
import type { FontProgram } from './font.js';
import { readTrueType, tableOf } from './true-type.js';
import { encodingNamed } from './encodings.js';

const openTypeWithCff = 0x4f54544f;

/**
 * The font program that a descriptor embeds; undefined where there is none that can be read. What the bytes are is
 * taken from themselves: producers put programs of one kind under the key of another.
 */
export function embeddedProgram(descriptor: Dict | undefined): FontProgram | undefined {
  for (const key of ['FontFile2', 'FontFile3', 'FontFile']) {
    try {
      const bytes = descriptor?.stream(key)?.bytes();
      if (bytes !== undefined) return readProgram(new ByteView(bytes));
    } catch {
      // Damaged, or of a kind that no filter reads: the PDF's own words have to do.
    }
  }
  return undefined;
}

function readProgram(view: ByteView): FontProgram | undefined {
  const head = view.u32(0);
  if (head === openTypeWithCff) return readOpenType(view);
  if (head === 0x00010000 || head === 0x74727565 || head === 0x74746366) return readTrueType(view);
  if (view.u8(0) === 1 && view.u8(1) <= 1 && view.u8(2) >= 4) return readCff(view);
  return readType1(view);
}

/** Names of glyphs from the CFF table, and what the character map knows besides. */
function readOpenType(view: ByteView): FontProgram {
  const table = tableOf(view, 'CFF ');
  const names = table === undefined ? undefined : readCff(table);
  const maps = readTrueType(view);
  if (names === undefined) return maps;
  return {
    nameOfCode: (code) => names.nameOfCode(code),
    textOfCode: (code) => maps.textOfCode(code),
    textOfGlyph: (glyph) => names.textOfGlyph(glyph) || maps.textOfGlyph(glyph),
    knowsGlyphs: names.knowsGlyphs || maps.knowsGlyphs,
  };
}

/** The clear text of a Type1 program, before its encrypted part, is shorter. */
const maxClearText = 100_000;

/** The encoding that a Type1 program spells out: `dup 65 /A put`, or the name of the standard one. */
function readType1(view: ByteView): FontProgram | undefined {
  const text = view.text(0, Math.min(view.length, maxClearText));
  const clear = text.slice(0, text.indexOf('eexec') >>> 0);
  const start = clear.indexOf('/Encoding');
  if (start < 0) return undefined;
  const body = clear.slice(start + '/Encoding'.length);
  const encoding = /^\s*StandardEncoding\b/.test(body)
    ? encodingNamed('StandardEncoding')
    : spelledOut(body);
  return {
    // An empty encoding was not understood; in others, codes that are left out have no glyph.
    nameOfCode: (code) => encoding.get(code) ?? (encoding.size > 0 ? '.notdef' : undefined),
    textOfCode: () => '',
    textOfGlyph: () => '',
    knowsGlyphs: false,
  };
}

function spelledOut(body: string): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const match of body.matchAll(
    /\bdup\s+(?:(\d{1,2})#)?([0-9a-fA-F]{1,4})\s*\/([^\s/[\]{}()<>%]{1,100})\s+put\b/g,
  )) {
    const [, radix, digits, name] = match;
    const code = parseInt(digits ?? '', Number(radix ?? 10));
    if (name !== undefined && code >= 0 && code < 256) names.set(code, name);
  }
  return names;
}
