import { Dict, Name, type PdfObject } from '../syntax/objects.js';
import { encodingNamed, isEncodingName, type Encoding } from './encodings.js';
import type { FontProgram } from './font-program.js';
import { textOfDingbat, textOfGlyphName } from './glyph-names.js';
import { symbolFontOf, textOfSymbol } from './symbol-fonts.js';

const symbolicFlag = 4;

/** Names of glyphs by code, from an array such as `[39 /quotesingle 96 /grave /a]`. */
function differencesOf(items: readonly PdfObject[] | undefined): Encoding {
  const names = new Map<number, string>();
  let code = 0;
  for (const item of items ?? []) {
    if (typeof item === 'number') code = item;
    else if (item instanceof Name) {
      if (code >= 0 && code < 256) names.set(code, item.text);
      code++;
    }
  }
  return names;
}

/** What the codes of a simple font stand for by its Encoding, or by the encoding of its program. */
export class SimpleEncoding {
  readonly #differences: Encoding;
  /** As the PDF names it. Undefined leaves it to the program. */
  readonly #named: Encoding | undefined;
  readonly #symbols;
  readonly #isSymbolic: boolean;
  readonly #isTrueType: boolean;

  constructor(
    font: Dict,
    readonly fontName: string,
    /** Read only where the PDF leaves a code's meaning open. */
    readonly program: () => FontProgram | undefined,
  ) {
    const value = font.get('Encoding');
    const dict = value instanceof Dict ? value : undefined;
    const base = value instanceof Name ? value.text : dict?.name('BaseEncoding');
    this.#differences = differencesOf(dict?.array('Differences'));
    this.#named = isEncodingName(base) ? encodingNamed(base) : undefined;
    this.#symbols = symbolFontOf(fontName);
    this.#isSymbolic = ((font.dict('FontDescriptor')?.number('Flags') ?? 0) & symbolicFlag) !== 0;
    this.#isTrueType = font.name('Subtype') === 'TrueType';
  }

  /** The name of a code's glyph as far as the PDF says it, for widths. */
  nameOf(code: number): string | undefined {
    const name = this.#differences.get(code) ?? this.#named?.get(code);
    if (name !== undefined) return name;
    if (this.#symbols === 'Symbol' || this.#symbols === 'ZapfDingbats') {
      return encodingNamed(this.#symbols).get(code);
    }
    return this.#named === undefined ? this.#usual(code) : undefined;
  }

  /** Undefined where a code has no glyph on purpose, empty where nobody says what it stands for. */
  textOf(code: number): string | undefined {
    const difference = this.#differences.get(code);
    if (difference === '.notdef') return undefined;
    if (difference !== undefined) return this.#textOfName(difference) || this.#programText(code);
    if (this.#symbols !== undefined) return textOfSymbol(this.#symbols, code);
    if (this.#named !== undefined) {
      const name = this.#named.get(code);
      return name === undefined ? this.#programText(code) : textOfGlyphName(name);
    }
    const own = this.program()?.nameOfCode(code);
    if (own === '.notdef') return undefined;
    const text = (own === undefined ? '' : this.#textOfName(own)) || this.#programText(code);
    if (text !== '' || (this.#isSymbolic && this.program() !== undefined)) return text;
    return textOfGlyphName(this.#usual(code) ?? '');
  }

  #textOfName(name: string): string {
    return this.#symbols === 'ZapfDingbats' ? textOfDingbat(name) : textOfGlyphName(name);
  }

  #programText(code: number): string {
    return this.program()?.textOfCode(code) ?? '';
  }

  /** What a font that says nothing is understood to be encoded in. */
  #usual(code: number): string | undefined {
    const name = this.#isTrueType ? 'WinAnsiEncoding' : 'StandardEncoding';
    return encodingNamed(name).get(code);
  }
}
