import { Stream, type Dict, isArray, Name, type PdfObject } from '../syntax/objects.js';
import { CMap } from './cmap.js';
import { predefinedCMap } from './predefined-cmaps.js';
import { characterOf, isPrivate, sensibleText, fromUtf16 } from './sensible-text.js';
import { drawsSigns, symbolFontOf, textOfSymbol } from './symbol-fonts.js';
import { once } from './font.js';
import { Keyword, Tokens } from '../syntax/tokens.js';
import { textOfGlyphName } from './glyph-names.js';

/** Embedded CMaps may build upon others. Honest files never nest this deep. */
const maxDepth = 4;

/** An embedded CMap, including those that it builds upon. Undefined when its bytes can't be read. */
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

/** What a map says of a code: a text, a sign without a text, or nothing. */
export type Meaning = 'text' | 'icon' | 'unknown';

/** More codes in the private area than this, and than others, are letters whose meaning was removed. */
const fewIcons = 12;
/** Codes of a map that are looked at when it is judged as a whole. */
const judgedTexts = 2000;

/** A font's ToUnicode map. */
export class ToUnicode {
  readonly #map: CMap | undefined;
  readonly #isIdentity: boolean;
  readonly #hasIcons: () => boolean;

  constructor(
    font: Dict,
    readonly fontName: string,
  ) {
    const stream = font.stream('ToUnicode');
    this.#map = stream === undefined ? undefined : embeddedCMap(stream);
    this.#isIdentity = font.name('ToUnicode')?.startsWith('Identity') === true;
    this.#hasIcons = once(() => drawsSigns(fontName) || this.#fewPrivate());
  }

  /** Also unknown when the map contains invalid text. */
  meaningOf(code: number): { text: string; meaning: Meaning } {
    const raw = this.#isIdentity ? characterOf(code) : (this.#map?.textOf(code) ?? '');
    if (raw === '') return { text: '', meaning: 'unknown' };
    if (isPrivate(raw)) {
      // Windows symbol fonts have their codes in this range. The font determines what they draw.
      const unit = raw.charCodeAt(0);
      const isSymbol = unit >= 0xf000 && unit < 0xf100;
      const text = isSymbol ? textOfSymbol(symbolFontOf(this.fontName), unit & 0xff) : '';
      if (text !== '') return { text, meaning: 'text' };
      return { text, meaning: this.#hasIcons() ? 'icon' : 'unknown' };
    }
    const text = sensibleText(raw);
    return { text, meaning: text === '' ? 'unknown' : 'text' };
  }

  /** ASCII letters with codes that draw them, as far as a short search finds them. */
  *letters(): Generator<[letter: string, code: number]> {
    for (const [code, text] of this.#map?.texts(judgedTexts) ?? []) {
      if (/^[A-Za-z]$/.test(text)) yield [text, code];
    }
  }

  #fewPrivate(): boolean {
    let icons = 0;
    let others = 0;
    for (const [, text] of this.#map?.texts(judgedTexts) ?? []) {
      if (isPrivate(text)) icons++;
      else others++;
    }
    return icons <= fewIcons || icons <= others;
  }
}

/** Longer ones repeat themselves. */
const maxBytes = 4_000_000;
/** By the standard, a CMap block has at most 100 entries of three operands. Some producers write longer ones. */
const maxOperands = 200_000;

/**
 * Reads a CMap in PostScript syntax (Adobe Technical Note 5014; ISO 32000-1, 9.7.5 and 9.10.3). Unreadable parts are
 * skipped. `named` finds the CMap that this one builds upon.
 */
function parseCMap(bytes: Uint8Array, named: (name: string) => CMap | undefined): CMap {
  const map = new CMap();
  const tokens = new Tokens(bytes.subarray(0, maxBytes), 0, undefined);
  let operands: PdfObject[] = [];
  try {
    for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
      if (!(token instanceof Keyword)) {
        if (operands.length < maxOperands) operands.push(token);
        continue;
      }
      apply(map, token.text, operands, named);
      if (operands.length > 0) operands = [];
    }
  } catch {
    // Entries before the error stay.
  }
  return map;
}

function apply(
  map: CMap,
  operator: string,
  operands: readonly PdfObject[],
  named: (name: string) => CMap | undefined,
): void {
  if (operator === 'endcodespacerange') {
    for (const [low, high] of inGroups(operands, 2)) {
      if (typeof low === 'string' && typeof high === 'string') map.addCodeSpace(low, high);
    }
  } else if (operator === 'endcidrange') {
    for (const [from, to, cid] of inGroups(operands, 3)) {
      if (typeof cid === 'number') map.addCids(codeOf(from), codeOf(to), cid);
    }
  } else if (operator === 'endcidchar') {
    for (const [code, cid] of inGroups(operands, 2)) {
      if (typeof cid === 'number') map.addCids(codeOf(code), codeOf(code), cid);
    }
  } else if (operator === 'endbfrange') {
    for (const [from, to, target] of inGroups(operands, 3)) addTexts(map, from, to, target);
  } else if (operator === 'endbfchar') {
    for (const [code, target] of inGroups(operands, 2)) addTexts(map, code, code, target);
  } else if (operator === 'usecmap') {
    const name = operands.at(-1);
    if (name instanceof Name) map.parent = named(name.text);
  } else if (operator === 'def') {
    const [key, value] = operands.slice(-2);
    if (key instanceof Name && key.text === 'WMode') map.vertical = value === 1;
  }
}

function* inGroups(operands: readonly PdfObject[], size: number): Generator<readonly PdfObject[]> {
  for (let at = 0; at + size <= operands.length; at += size) yield operands.slice(at, at + size);
}

function addTexts(
  map: CMap,
  from: PdfObject | undefined,
  to: PdfObject | undefined,
  target: PdfObject | undefined,
): void {
  const first = codeOf(from);
  if (target !== undefined && isArray(target)) {
    const count = Math.min(target.length, codeOf(to) - first + 1);
    for (let at = 0; at < count; at++) map.addText(first + at, first + at, textOf(target[at]));
  } else map.addText(first, codeOf(to), textOf(target));
}

/** NaN, which no range contains, for an invalid code. */
function codeOf(value: PdfObject | undefined): number {
  if (typeof value !== 'string' || value.length > 4) return NaN;
  let code = 0;
  for (let at = 0; at < value.length; at++) code = code * 256 + value.charCodeAt(at);
  return code;
}

function textOf(value: PdfObject | undefined): string {
  if (typeof value === 'string') return fromUtf16(value);
  return value instanceof Name ? textOfGlyphName(value.text) : '';
}
