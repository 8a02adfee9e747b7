import type { ByteView } from './byte-view.js';
import { encodingNamed } from './encodings.js';
import type { FontProgram } from './font-program.js';

/** The clear text of a Type1 program, before its encrypted part, is shorter. */
const maxClearText = 100_000;

/** The encoding that a Type1 program spells out: `dup 65 /A put`, or the name of the standard one. */
export function readType1(view: ByteView): FontProgram | undefined {
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
