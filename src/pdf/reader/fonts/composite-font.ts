import { Dict, type Stream, isArray, Ref, type PdfObject } from '../syntax/objects.js';
import { CMap, CodeRanges } from './cmap.js';
import { embeddedProgram } from './embedded-program.js';
import { bareFontName, type Glyph, once, type PdfFont, unreadable, widthInText } from './font.js';
import { traitsOf } from './font-traits.js';
import { GlyphTable } from './glyph-table.js';
import { collectionTexts, predefinedCMap } from './predefined-cmaps.js';
import { sensibleText } from './sensible-text.js';
import { drawsIcons, drawsSigns } from './symbol-fonts.js';
import { embeddedCMap, ToUnicode } from './to-unicode.js';
import { AppError } from '../../../platform/errors.js';

/** A font with codes of one or more bytes (Type0), whose glyphs are in a descendant font. */
export class CompositeFont implements PdfFont {
  readonly name: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  readonly vertical: boolean;
  readonly #codes: CMap;
  /** Each code has two bytes, as in most fonts. */
  readonly #isPairs: boolean;
  readonly #toUnicode: ToUnicode;
  readonly #widthOf: WidthOfCid;
  readonly #textOfCid: () => ((cid: number) => string) | undefined;
  readonly #glyphs: GlyphTable;

  constructor(dict: Dict) {
    const descendant = dict.array('DescendantFonts')?.[0] ?? dict.get('DescendantFonts');
    const font = descendant instanceof Dict ? descendant : new Dict(dict.resolver);
    const descriptor = font.dict('FontDescriptor');
    this.name = bareFontName(dict.name('BaseFont') ?? font.name('BaseFont') ?? '');
    this.#codes = encodingOf(dict) ?? CMap.identity(false);
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
      // A one-byte and a two-byte code may be the same number. This matters only for 32.
      glyphs.push(this.#glyphs.get(code));
    }
    return glyphs;
  }

  #make(code: number): Glyph {
    const cid = this.#codes.cidOf(code) ?? 0;
    const width = this.#widthOf(cid);
    if (drawsIcons(this.name)) return { unicode: '', width, isSpace: false };
    const said = this.#toUnicode.meaningOf(code);
    const text = said.meaning === 'text' ? said.text : (this.#textOfCid()?.(cid) ?? '');
    if (text !== '') return { unicode: text, width, isSpace: code === 32 && !this.#isPairs };
    const isBlank = cid === 0 || width === 0 || said.meaning === 'icon' || drawsSigns(this.name);
    return { unicode: isBlank ? '' : unreadable, width, isSpace: false };
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

/** The texts of CIDs: by their collection, else by the embedded program. */
function textsOf(font: Dict): ((cid: number) => string) | undefined {
  let descriptor: Dict | undefined;
  let stream: Stream | undefined;
  let collection: CMap | undefined;
  try {
    collection = collectionTexts(font.dict('CIDSystemInfo')?.string('Ordering'));
    descriptor = font.dict('FontDescriptor');
    stream = font.stream('CIDToGIDMap');
  } catch {
    // An invalid reference gives no information.
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

/** The most elements of W or W2 that are read, including inner arrays. */
const maxElements = 200_000;

/**
 * No font has such a range. pdf.js would create an entry for each of its characters until V8 ends the whole process, so
 * it must never see such a file.
 */
const beyondAllFonts = 0x100000;

/** Widths by CID, in text space at size 1. */
type WidthOfCid = (cid: number) => number;

/** From W and DW, for horizontal text. */
function horizontalWidths(font: Dict): WidthOfCid {
  const usual = font.number('DW') ?? 1000;
  const table = readTable(font, 'W', 1);
  return (cid) => widthInText(table.find(cid) ?? usual, 0.001);
}

/** From W2 and DW2, for vertical text: the distance downwards, positive. */
function verticalWidths(font: Dict): WidthOfCid {
  const usual = font.numbers('DW2')?.[1] ?? -1000;
  const table = readTable(font, 'W2', 3);
  return (cid) => widthInText(-(table.find(cid) ?? usual), 0.001);
}

interface Table {
  find(cid: number): number | undefined;
}

/**
 * Reads both forms, `c [w …]` and `from to w`. Each w has `count` numbers: a width, or a vertical width and the
 * vertical origin, of which only the first is kept.
 */
function readTable(font: Dict, key: string, count: number): Table {
  const items = font.array(key) ?? [];
  const single = new Map<number, number>();
  const ranges = new CodeRanges<number>();
  let budget = maxElements;
  let at = 0;
  while (at + 1 < items.length && budget-- > 0) {
    const first = items[at];
    const second = items[at + 1];
    if (typeof first !== 'number') at++;
    else if (second !== undefined && isArray(second)) {
      const length = Math.min(second.length, budget);
      for (let index = 0; index < length; index += count) {
        const width = resolved(font, second[index]);
        if (typeof width === 'number') single.set(first + index / count, width);
      }
      budget -= length;
      at += 2;
    } else {
      const width = items[at + 2];
      if (typeof second === 'number' && typeof width === 'number') {
        if (second - first > beyondAllFonts) {
          throw new AppError(
            'damaged',
            'A font of the PDF has more characters than there can be. Print the PDF to a new PDF and upload that.',
          );
        }
        ranges.add(first, second, width);
      }
      at += 2 + count;
    }
  }
  return { find: (cid) => single.get(cid) ?? ranges.find(cid)?.value };
}

function resolved(font: Dict, value: PdfObject | undefined): PdfObject | undefined {
  return value instanceof Ref ? font.resolver.resolve(value) : value;
}
