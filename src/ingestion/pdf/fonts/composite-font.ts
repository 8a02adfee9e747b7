import { Dict, type Stream } from '../syntax/objects.js';
import { horizontalWidths, verticalWidths, type WidthOfCid } from './cid-widths.js';
import { CMap } from './cmap.js';
import { embeddedProgram } from './embedded-program.js';
import type { Glyph, PdfFont } from './font.js';
import { bareFontName } from './font-name.js';
import { traitsOf } from './font-traits.js';
import { GlyphTable, type MeantGlyph } from './glyph-table.js';
import { once } from './once.js';
import { collectionTexts, predefinedCMap } from './predefined-cmaps.js';
import { sensibleText } from './sensible-text.js';
import { embeddedCMap, ToUnicode } from './to-unicode.js';

/** A font of codes with one byte or more (Type0), whose glyphs lie in a descendant font. */
export class CompositeFont implements PdfFont {
  readonly name: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  readonly vertical: boolean;
  readonly #codes: CMap;
  /** Whether codes are known to be cut as they should be: not where the encoding has a name that nobody knows. */
  readonly #isCut: boolean;
  /** Each code has two bytes, as in most fonts. */
  readonly #isPairs: boolean;
  readonly #toUnicode: ToUnicode;
  readonly #widthOf: WidthOfCid;
  readonly #textOfCid: () => ((cid: number) => string) | undefined;
  readonly #glyphs: GlyphTable;
  #isJudged = false;

  constructor(dict: Dict) {
    const descendant = dict.array('DescendantFonts')?.[0] ?? dict.get('DescendantFonts');
    const font = descendant instanceof Dict ? descendant : new Dict(dict.resolver);
    const descriptor = font.dict('FontDescriptor');
    this.name = bareFontName(dict.name('BaseFont') ?? font.name('BaseFont') ?? '');
    const codes = encodingOf(dict);
    this.#isCut = codes !== undefined;
    this.#codes = codes ?? CMap.identity(false);
    this.#isPairs = this.#codes.isPairs;
    this.vertical = this.#codes.vertical;
    this.#toUnicode = new ToUnicode(dict, this.name);
    this.#widthOf = this.vertical ? verticalWidths(font) : horizontalWidths(font);
    this.#textOfCid = once(() => textsOf(font));
    this.#glyphs = new GlyphTable((code) => this.#make(code));
    const traits = traitsOf(this.name, descriptor, this.vertical ? [] : this.#letters());
    this.bold = traits.bold;
    this.italic = traits.italic;
    this.mono = traits.mono;
  }

  get understood(): boolean {
    if (!this.#isJudged) {
      this.#isJudged = true;
      const isMeant = this.#toUnicode.isThere || this.#textOfCid() !== undefined;
      if (!this.#isCut || !isMeant) this.#glyphs.giveUp();
    }
    return this.#glyphs.isUnderstood;
  }

  decode(text: string): Glyph[] {
    const glyphs: Glyph[] = [];
    if (this.#isPairs) {
      for (let at = 0; at + 1 < text.length; at += 2) {
        glyphs.push(this.#glyphs.get((text.charCodeAt(at) << 8) | text.charCodeAt(at + 1)));
      }
      return glyphs;
    }
    for (let at = 0; at < text.length;) {
      const end = at + this.#codes.lengthAt(text, at);
      let code = 0;
      for (; at < end; at++) code = code * 256 + (text.charCodeAt(at) & 0xff);
      // A code of one byte and one of two may be the same number; only for 32 does it matter.
      glyphs.push(this.#glyphs.get(code));
    }
    return glyphs;
  }

  #make(code: number): MeantGlyph {
    const cid = this.#codes.cidOf(code) ?? 0;
    const glyph: Glyph = { unicode: '', width: this.#widthOf(cid), isSpace: false };
    const said = this.#toUnicode.meaningOf(code);
    glyph.unicode = said.meaning === 'text' ? said.text : (this.#textOfCid()?.(cid) ?? '');
    if (glyph.unicode !== '') {
      glyph.isSpace = code === 32 && !this.#isPairs;
      return { glyph, meaning: 'text' };
    }
    const isBlank = cid === 0 || glyph.width === 0;
    return { glyph, meaning: isBlank ? 'blank' : said.meaning };
  }

  *#letters(): Generator<[letter: string, width: number]> {
    for (const [letter, code] of this.#toUnicode.letters()) {
      yield [letter, this.#widthOf(this.#codes.cidOf(code) ?? 0)];
    }
  }
}

function encodingOf(dict: Dict): CMap | undefined {
  const stream = dict.stream('Encoding');
  if (stream !== undefined) return embeddedCMap(stream);
  const name = dict.name('Encoding');
  return name === undefined ? CMap.identity(false) : predefinedCMap(name);
}

/** What the CIDs stand for: by their collection, else by the embedded program. */
function textsOf(font: Dict): ((cid: number) => string) | undefined {
  let descriptor: Dict | undefined;
  let stream: Stream | undefined;
  let collection: CMap | undefined;
  try {
    collection = collectionTexts(font.dict('CIDSystemInfo')?.string('Ordering'));
    descriptor = font.dict('FontDescriptor');
    stream = font.stream('CIDToGIDMap');
  } catch {
    // A reference that leads nowhere tells nothing.
    return undefined;
  }
  if (collection !== undefined) return (cid) => sensibleText(collection.textOf(cid));
  const program = embeddedProgram(descriptor);
  if (program?.knowsGlyphs !== true) return undefined;
  const glyphs = glyphsOf(stream);
  return (cid) => program.textOfGlyph(glyphs(cid));
}

function glyphsOf(stream: Stream | undefined): (cid: number) => number {
  let map: Uint8Array | undefined;
  try {
    map = stream?.bytes();
  } catch {
    map = undefined;
  }
  if (map === undefined) return (cid) => cid;
  const bytes = map;
  return (cid) => ((bytes[cid * 2] ?? 0) << 8) | (bytes[cid * 2 + 1] ?? 0);
}
