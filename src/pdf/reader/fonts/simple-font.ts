import { embeddedProgram } from './embedded-program.js';
import {
  bareFontName,
  type FontProgram,
  type Glyph,
  once,
  type PdfFont,
  traitsOfName,
  unreadable,
  widthInText,
} from './font.js';
import { traitsOf } from './font-traits.js';
import { GlyphTable } from './glyph-table.js';
import { standardWidths, type WidthOfName } from './standard-widths.js';
import { textsOfTexFont } from './tex-encodings.js';
import { ToUnicode } from './to-unicode.js';
import { Dict, Name, type PdfObject } from '../syntax/objects.js';
import { encodingNamed, isEncodingName, type Encoding } from './encodings.js';
import { textOfDingbat, textOfGlyphName } from './glyph-names.js';
import { areWidthsOfLetters } from './letter-widths.js';
import {
  drawsIcons,
  drawsSigns,
  isNameOfSign,
  symbolFontOf,
  textOfSymbol,
} from './symbol-fonts.js';

/** TeX's fonts of the signs of mathematics. */
const ofSigns = /^(?:CM(?:SY|BSY|MI|MIB|EX)|MS[AB]M)\d{1,2}$/;
/** Codes of such a font. */
const codeCount = 256;
/** Codes from the exclamation mark up to the small letters: a text with small letters has no use for all of them. */
const firstCounted = 33;
const mostCounted = 97;
const unsaid = { text: '', meaning: 'unknown' } as const;

/** A font of single-byte codes: Type1, MMType1, TrueType or Type3. */
export class SimpleFont implements PdfFont {
  readonly name: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  readonly em: number;
  readonly vertical = false;
  readonly #glyphs: GlyphTable;
  readonly #toUnicode: ToUnicode;
  readonly #encoding: SimpleEncoding;
  readonly #widths: readonly unknown[] | undefined;
  readonly #firstChar: number;
  readonly #unit: number;
  readonly #missingWidth: number;
  readonly #standard: () => WidthOfName;
  readonly #isCounted: boolean;

  constructor(dict: Dict) {
    const descriptor = dict.dict('FontDescriptor');
    const isType3 = dict.name('Subtype') === 'Type3';
    this.name = bareFontName(
      dict.name('BaseFont') ?? descriptor?.name('FontName') ?? dict.name('Name') ?? '',
    );
    this.#widths = dict.array('Widths');
    this.#firstChar = dict.number('FirstChar') ?? 0;
    this.#unit = isType3 ? (dict.numbers('FontMatrix')?.[0] ?? 0.001) : 0.001;
    this.em = isType3 ? emOf(this.#widths ?? [], this.#unit) : 1;
    this.#missingWidth = descriptor?.number('MissingWidth') ?? 0;
    const named = traitsOfName(this.name);
    this.#standard = once(() => standardWidths(this.name, named));
    const program = once(() => (isType3 ? undefined : embeddedProgram(descriptor)));
    this.#toUnicode = new ToUnicode(dict, this.name);
    const isSubset = /^[A-Z]{6}\+/.test(dict.name('BaseFont') ?? '');
    this.#isCounted = isSubset && this.#countsGlyphs(dict.number('LastChar') ?? 0);
    const widthAt = (code: number) => this.#widthAt(code);
    this.#encoding = new SimpleEncoding(dict, this.name, program, widthAt);
    this.#glyphs = new GlyphTable((code) => this.#make(code));
    const traits = traitsOf(this.name, descriptor, this.#letters());
    this.bold = traits.bold;
    this.italic = traits.italic;
    this.mono = traits.mono;
  }

  decode(text: string): Glyph[] {
    const glyphs: Glyph[] = [];
    for (let at = 0; at < text.length; at++) {
      glyphs.push(this.#glyphs.get(text.charCodeAt(at) & 0xff));
    }
    return glyphs;
  }

  #make(code: number): Glyph {
    const width = this.#widthOf(code);
    const isSpace = code === 32;
    if (drawsIcons(this.name)) return { unicode: '', width, isSpace };
    const said = this.#isCounted ? unsaid : this.#toUnicode.meaningOf(code);
    // A file that repeats the codes of TeX's signs says nothing of them. The names of their glyphs do.
    const isCode = said.text === String.fromCharCode(code) && ofSigns.test(this.name);
    const own = said.meaning === 'text' && !isCode ? said.text : this.#encoding.textOf(code);
    const text = isCode ? own || said.text : own;
    const isMeant = !this.#isCounted || text !== String.fromCharCode(code);
    if (text !== '' && isMeant) return { unicode: text ?? '', width, isSpace };
    const isBlank = width === 0 || said.meaning === 'icon' || this.#encoding.isSign(code);
    return { unicode: isBlank ? '' : unreadable, width, isSpace };
  }

  /**
   * True when the table of letters only repeats the numbers of the glyphs, which are counted from 33: `!"#$%&` for the
   * first six letters of a text, whatever they are. Quartz writes such tables for pictures of office programs.
   */
  #countsGlyphs(last: number): boolean {
    if (this.#firstChar !== firstCounted || last < firstCounted + 5 || last >= mostCounted)
      return false;
    for (let code = firstCounted; code <= last; code++) {
      const isNumber = this.#toUnicode.meaningOf(code).text === String.fromCharCode(code);
      if (!isNumber || (this.#widthAt(code) ?? 0) === 0) return false;
    }
    return true;
  }

  /** The width that the PDF states for a code, if it does. */
  #widthAt(code: number): number | undefined {
    const width = this.#widths?.[code - this.#firstChar];
    return typeof width === 'number' ? width : undefined;
  }

  #widthOf(code: number): number {
    if (this.#widths !== undefined) {
      return widthInText(this.#widthAt(code) ?? this.#missingWidth, this.#unit);
    }
    const name = this.#encoding.nameOf(code);
    const standard = name === undefined ? undefined : this.#standard()(name);
    return widthInText(standard ?? this.#missingWidth, 0.001);
  }

  *#letters(): Generator<[letter: string, width: number]> {
    if (this.#widths === undefined) return;
    for (let code = 0; code < codeCount; code++) {
      // Ghostscript states one width for all letters that a subset does not have: it says nothing of letters.
      const width = this.#widthAt(code) ?? 0;
      if (width === 0) continue;
      const said = this.#toUnicode.meaningOf(code).text;
      const letter = said === '' ? (this.#encoding.textOf(code) ?? '') : said;
      if (/^[A-Za-z]$/.test(letter)) yield [letter, widthInText(width, this.#unit)];
    }
  }
}

/** In ems: no letter is so wide. */
const widest = 1.5;

/** The em of glyphs that are pictures: ESP Ghostscript shows them at size 1, with all of their size in the font. */
function emOf(widths: readonly unknown[], unit: number): number {
  const most = widths.reduce<number>(
    (max, width) => (typeof width === 'number' ? Math.max(max, width) : max),
    0,
  );
  const width = widthInText(most, Math.abs(unit));
  return width > widest ? width : 1;
}

const symbolicFlag = 4;

/** The texts of a bitmap font as TeX's programs embed it: each glyph's name repeats its code (a65, a66), or is its sign. */
function textsOfBitmaps(
  names: Encoding,
  widthAt: (code: number) => number | undefined,
): ((code: number) => string) | undefined {
  const drawn = [...names].filter(([, name]) => name !== '.notdef');
  const areCodes = drawn.every(
    ([code, name]) =>
      Number(/^[A-Za-z]{1,2}(\d{1,3})$/.exec(name)?.[1]) === code ||
      name === String.fromCharCode(code),
  );
  if (!areCodes) return undefined;
  const isFixed = drawn.length > 1 && new Set(drawn.map(([code]) => widthAt(code))).size === 1;
  return textsOfTexFont(
    drawn.map(([code]) => code),
    isFixed,
  );
}

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
  /** The texts of codes that have no names but numbers, by what else the font shows of them. */
  readonly #numbered: () => ((code: number) => string) | undefined;

  constructor(
    font: Dict,
    readonly fontName: string,
    /** Read only when the PDF leaves a code's meaning open. */
    readonly program: () => FontProgram | undefined,
    widthAt: (code: number) => number | undefined,
  ) {
    const value = font.get('Encoding');
    const dict = value instanceof Dict ? value : undefined;
    const base = value instanceof Name ? value.text : dict?.name('BaseEncoding');
    this.#differences = differencesOf(dict?.array('Differences'));
    this.#named = isEncodingName(base) ? encodingNamed(base) : undefined;
    this.#symbols = symbolFontOf(fontName);
    this.#isSymbolic = ((font.dict('FontDescriptor')?.number('Flags') ?? 0) & symbolicFlag) !== 0;
    this.#isTrueType = font.name('Subtype') === 'TrueType';
    const isType3 = font.name('Subtype') === 'Type3';
    this.#numbered = once(() => {
      const bitmaps = isType3 ? textsOfBitmaps(this.#differences, widthAt) : undefined;
      if (bitmaps !== undefined || !areWidthsOfLetters(widthAt)) return bitmaps;
      return (code) => textOfGlyphName(encodingNamed('WinAnsiEncoding').get(code) ?? '');
    });
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
    if (difference !== undefined) {
      return this.#textOfName(difference) || this.#programText(code) || this.#letterAt(code);
    }
    if (this.#symbols !== undefined) return textOfSymbol(this.#symbols, code);
    if (this.#named !== undefined) {
      const name = this.#named.get(code);
      return name === undefined ? this.#programText(code) : textOfGlyphName(name);
    }
    const own = this.program()?.nameOfCode(code);
    if (own === '.notdef') return undefined;
    const text = (own === undefined ? '' : this.#textOfName(own)) || this.#programText(code);
    if (text !== '') return text;
    if (this.#isSymbolic && this.program() !== undefined) return this.#letterAt(code);
    return textOfGlyphName(this.#usual(code) ?? '');
  }

  /** True for a glyph that is no letter: its name or its font's says so. */
  isSign(code: number): boolean {
    if (drawsSigns(this.fontName)) return true;
    const name = this.#differences.get(code) ?? this.program()?.nameOfCode(code);
    return name !== undefined && isNameOfSign(name);
  }

  #letterAt(code: number): string {
    return this.#numbered()?.(code) ?? '';
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
