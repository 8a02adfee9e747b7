import { embeddedProgram } from './embedded-program.js';
import {
  bareFontName,
  type FontProgram,
  type Glyph,
  once,
  type PdfFont,
  traitsOfName,
  widthInText,
} from './font.js';
import { traitsOf } from './font-traits.js';
import { fewUnknown, GlyphTable, type MeantGlyph } from './glyph-table.js';
import { standardWidths, type WidthOfName } from './standard-widths.js';
import { ToUnicode } from './to-unicode.js';
import { Dict, Name, type PdfObject } from '../syntax/objects.js';
import { encodingNamed, isEncodingName, type Encoding } from './encodings.js';
import { textOfDingbat, textOfGlyphName } from './glyph-names.js';
import { symbolFontOf, textOfSymbol } from './symbol-fonts.js';

/** Codes of such a font that are tested before its first use. */
const judgedCodes = 256;

/** A font of single-byte codes: Type1, MMType1, TrueType or Type3. */
export class SimpleFont implements PdfFont {
  readonly name: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  readonly vertical = false;
  readonly #glyphs: GlyphTable;
  readonly #toUnicode: ToUnicode;
  readonly #encoding: SimpleEncoding;
  readonly #widths: readonly unknown[] | undefined;
  readonly #firstChar: number;
  readonly #unit: number;
  readonly #missingWidth: number;
  readonly #standard: () => WidthOfName;
  #isJudged = false;

  constructor(dict: Dict) {
    const descriptor = dict.dict('FontDescriptor');
    const isType3 = dict.name('Subtype') === 'Type3';
    this.name = bareFontName(
      dict.name('BaseFont') ?? descriptor?.name('FontName') ?? dict.name('Name') ?? '',
    );
    this.#widths = dict.array('Widths');
    this.#firstChar = dict.number('FirstChar') ?? 0;
    this.#unit = isType3 ? (dict.numbers('FontMatrix')?.[0] ?? 0.001) : 0.001;
    this.#missingWidth = descriptor?.number('MissingWidth') ?? 0;
    const named = traitsOfName(this.name);
    this.#standard = once(() => standardWidths(this.name, named));
    const program = once(() => (isType3 ? undefined : embeddedProgram(descriptor)));
    this.#toUnicode = new ToUnicode(dict, this.name);
    this.#encoding = new SimpleEncoding(dict, this.name, program);
    this.#glyphs = new GlyphTable((code) => this.#make(code));
    const traits = traitsOf(this.name, descriptor, this.#letters());
    this.bold = traits.bold;
    this.italic = traits.italic;
    this.mono = traits.mono;
  }

  get understood(): boolean {
    if (!this.#isJudged) {
      this.#isJudged = true;
      if (!this.#toUnicode.isThere && !this.#hasMeaning()) this.#glyphs.giveUp();
    }
    return this.#glyphs.isUnderstood;
  }

  decode(text: string): Glyph[] {
    const glyphs: Glyph[] = [];
    for (let at = 0; at < text.length; at++) {
      glyphs.push(this.#glyphs.get(text.charCodeAt(at) & 0xff));
    }
    return glyphs;
  }

  #make(code: number): MeantGlyph {
    const width = this.#widthOf(code);
    const isSpace = code === 32;
    const said = this.#toUnicode.meaningOf(code);
    if (said.meaning === 'text') {
      return { glyph: { unicode: said.text, width, isSpace }, meaning: 'text' };
    }
    const text = this.#encoding.textOf(code);
    const glyph = { unicode: text ?? '', width, isSpace };
    if (text === undefined || (text === '' && width === 0)) return { glyph, meaning: 'blank' };
    return { glyph, meaning: text === '' ? said.meaning : 'text' };
  }

  #widthOf(code: number): number {
    if (this.#widths !== undefined) {
      const width = this.#widths[code - this.#firstChar];
      return widthInText(typeof width === 'number' ? width : this.#missingWidth, this.#unit);
    }
    const name = this.#encoding.nameOf(code);
    const standard = name === undefined ? undefined : this.#standard()(name);
    return widthInText(standard ?? this.#missingWidth, 0.001);
  }

  /** True when all codes with glyphs have a meaning, or nearly all. */
  #hasMeaning(): boolean {
    let meant = 0;
    let unknown = 0;
    for (let code = 0; code < judgedCodes; code++) {
      if (this.#widthOf(code) === 0) continue;
      const text = this.#encoding.textOf(code);
      if (text === undefined) continue;
      if (text === '') unknown++;
      else meant++;
    }
    return meant >= unknown || unknown <= fewUnknown;
  }

  *#letters(): Generator<[letter: string, width: number]> {
    if (this.#widths === undefined) return;
    for (let code = 0; code < judgedCodes; code++) {
      if (this.#widthOf(code) === 0) continue;
      const said = this.#toUnicode.meaningOf(code).text;
      const letter = said === '' ? (this.#encoding.nameOf(code) ?? '') : said;
      if (/^[A-Za-z]$/.test(letter)) yield [letter, this.#widthOf(code)];
    }
  }
}

const symbolicFlag = 4;

/** Glyph names by code, from an array such as `[39 /quotesingle 96 /grave /a]`. */
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

/** The meaning of a simple font's codes, by its Encoding or by its program's encoding. */
class SimpleEncoding {
  readonly #differences: Encoding;
  /** As named in the PDF. Undefined leaves it to the program. */
  readonly #named: Encoding | undefined;
  readonly #symbols;
  readonly #isSymbolic: boolean;
  readonly #isTrueType: boolean;

  constructor(
    font: Dict,
    readonly fontName: string,
    /** Read only when the PDF leaves a code's meaning open. */
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

  /** The glyph name of a code according to the PDF, for widths. */
  nameOf(code: number): string | undefined {
    const name = this.#differences.get(code) ?? this.#named?.get(code);
    if (name !== undefined) return name;
    if (this.#symbols === 'Symbol' || this.#symbols === 'ZapfDingbats') {
      return encodingNamed(this.#symbols).get(code);
    }
    return this.#named === undefined ? this.#usual(code) : undefined;
  }

  /** Undefined for a code without a glyph on purpose; empty when its meaning is unknown. */
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

  /** The default encoding of a font without information. */
  #usual(code: number): string | undefined {
    const name = this.#isTrueType ? 'WinAnsiEncoding' : 'StandardEncoding';
    return encodingNamed(name).get(code);
  }
}
