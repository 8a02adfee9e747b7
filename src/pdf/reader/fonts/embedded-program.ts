import type { Dict } from '../syntax/objects.js';
import { ByteView } from './byte-view.js';
import { readCff } from './cff.js';
import type { FontProgram } from './font.js';
import { readTrueType, tableOf } from './true-type.js';
import { encodingNamed } from './encodings.js';

const openTypeWithCff = 0x4f54544f;

/**
 * The font program that a descriptor embeds; undefined without a readable one. Its kind is detected from the bytes,
 * because some producers use the wrong key.
 */
export function embeddedProgram(descriptor: Dict | undefined): FontProgram | undefined {
  for (const key of ['FontFile2', 'FontFile3', 'FontFile']) {
    try {
      const bytes = descriptor?.stream(key)?.bytes();
      if (bytes !== undefined) return readProgram(new ByteView(bytes));
    } catch {
      // The program is damaged or of an unsupported kind. The PDF's own data must be enough.
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

/** Glyph names from the CFF table, and the character map's information. */
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

/** The encoding in a Type1 program: `dup 65 /A put`, or the name of the standard encoding. */
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
    // An empty encoding was not understood. In other encodings, missing codes have no glyph.
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
