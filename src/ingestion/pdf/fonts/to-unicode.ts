import { Stream, type Dict } from '../syntax/objects.js';
import { CMap } from './cmap.js';
import { parseCMap } from './parse-cmap.js';
import { predefinedCMap } from './predefined-cmaps.js';
import { characterOf, isPrivate, sensibleText } from './sensible-text.js';
import { symbolFontOf, textOfSymbol } from './symbol-fonts.js';
import type { Meaning } from './glyph-table.js';

/** Embedded CMaps may build upon others; no honest one does so this often. */
const maxDepth = 4;

/** An embedded CMap with those it builds upon. Undefined where its bytes can't be had. */
export function embeddedCMap(stream: Stream, depth = 0): CMap | undefined {
  let bytes: Uint8Array;
  try {
    bytes = stream.bytes();
  } catch {
    return undefined;
  }
  const map = parseCMap(bytes, (name) => predefinedCMap(name));
  map.vertical ||= stream.dict.number('WMode') === 1;
  const base = stream.dict.get('UseCMap');
  if (base instanceof Stream && depth < maxDepth) map.parent ??= embeddedCMap(base, depth + 1);
  return map;
}

/** What a font's ToUnicode says. */
export class ToUnicode {
  readonly #map: CMap | undefined;
  readonly #isIdentity: boolean;

  constructor(
    font: Dict,
    readonly fontName: string,
  ) {
    const stream = font.stream('ToUnicode');
    this.#map = stream === undefined ? undefined : embeddedCMap(stream);
    this.#isIdentity = font.name('ToUnicode')?.startsWith('Identity') === true;
  }

  get isThere(): boolean {
    return this.#isIdentity || this.#map?.hasTexts === true;
  }

  /** Unknown, too, where it says what is no sensible text. */
  meaningOf(code: number): { text: string; meaning: Meaning } {
    const raw = this.#isIdentity ? characterOf(code) : (this.#map?.textOf(code) ?? '');
    if (raw === '') return { text: '', meaning: 'unknown' };
    if (isPrivate(raw)) {
      // Symbol fonts of Windows have their codes in this place; what they draw is known by the font.
      const unit = raw.charCodeAt(0);
      const isSymbol = unit >= 0xf000 && unit < 0xf100;
      const text = isSymbol ? textOfSymbol(symbolFontOf(this.fontName), unit & 0xff) : '';
      return { text, meaning: text === '' ? 'icon' : 'text' };
    }
    const text = sensibleText(raw);
    return { text, meaning: text === '' ? 'unknown' : 'text' };
  }

  /** ASCII letters with codes that draw them, as far as they are found soon. */
  *letters(): Generator<[letter: string, code: number]> {
    for (const [code, text] of this.#map?.texts(2000) ?? []) {
      if (/^[A-Za-z]$/.test(text)) yield [text, code];
    }
  }
}
