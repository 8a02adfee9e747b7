import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pdfjsFolder } from './pdfjs-folder.js';
import { CMap } from './cmap.js';
import { fromUtf16 } from './sensible-text.js';

/** The deepest chain of CMaps that build upon each other. */
const maxDepth = 6;

const known = new Map<string, CMap | undefined>();
let folder: string | undefined;

/**
 * A CMap by its PDF name (ISO 32000-1, table 118), e.g. `Identity-H` or `UniGB-UCS2-H`; undefined when there is none.
 * pdf.js contains them in packed form. Each is read once per thread, when a font first needs it.
 */
export function predefinedCMap(name: string, depth = 0): CMap | undefined {
  if (known.has(name)) return known.get(name);
  if (depth > maxDepth || !/^[A-Za-z0-9-]{1,40}$/.test(name)) return undefined;
  const map = name.startsWith('Identity-')
    ? CMap.identity(name === 'Identity-V')
    : read(name, depth);
  // Do not cache unknown names: hostile PDFs contain any number of them.
  if (map !== undefined) known.set(name, map);
  return map;
}

function read(name: string, depth: number): CMap | undefined {
  folder ??= join(pdfjsFolder(), 'cmaps');
  try {
    const bytes = readFileSync(join(folder, `${name}.bcmap`));
    return readBinaryCMap(bytes, (parent) => predefinedCMap(parent, depth + 1));
  } catch {
    return undefined;
  }
}

/** The character collections with known texts. */
const collections = ['GB1', 'CNS1', 'Japan1', 'Korea1'];

/** Maps the characters (CIDs) of an Adobe collection to text. */
export function collectionTexts(ordering: string | undefined): CMap | undefined {
  if (ordering === undefined || !collections.includes(ordering)) return undefined;
  return predefinedCMap(`Adobe-${ordering}-UCS2`);
}

/** The kinds of entries of a packed CMap. */
const codeSpaces = 0;
const noRanges = 1;
const cidChars = 2;
const cidRanges = 3;
const textChars = 4;
const textRanges = 5;
const comment = 7;

/** A text's code has two bytes. */
const textCodeSize = 2;

/** Numbers of seven bits per byte, the highest first. A set top bit means that more bytes follow. */
class PackedBytes {
  at = 0;

  constructor(readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError('a packed CMap ends early');
    return byte;
  }

  /** Up to 64 bits; no text of a packed CMap is longer. */
  big(): bigint {
    let value = 0n;
    for (let byte = 0x80; byte >= 0x80;) {
      byte = this.byte();
      value = BigInt.asUintN(64, (value << 7n) | BigInt(byte & 0x7f));
    }
    return value;
  }

  number(): number {
    let value = 0;
    for (let byte = 0x80; byte >= 0x80;) {
      byte = this.byte();
      value = ((value << 7) | (byte & 0x7f)) >>> 0;
    }
    return value;
  }

  signed(): number {
    const value = this.number();
    return value & 1 ? ~(value >>> 1) : value >>> 1;
  }

  bigSigned(): bigint {
    const value = this.big();
    return value & 1n ? -(value >> 1n) - 1n : value >> 1n;
  }

  /** `size` plain bytes. */
  fixed(size: number): bigint {
    let value = 0n;
    for (let count = 0; count < size; count++) value = (value << 8n) | BigInt(this.byte());
    return value;
  }

  text(): string {
    let text = '';
    for (let length = Math.min(this.number(), 100); length > 0; length--) {
      text += String.fromCharCode(this.number() & 0xffff);
    }
    return text;
  }
}

function bytesOf(value: bigint, size: number): string {
  const hex = BigInt.asUintN(size * 8, value).toString(16);
  return Buffer.from(hex.padStart(size * 2, '0'), 'hex').toString('latin1');
}

/**
 * Reads a CMap in the packed form of pdf.js (`.bcmap`): entries of one kind, each stored as the difference from the
 * previous one. Throws on an invalid form. `named` finds the CMap that this one builds upon.
 */
function readBinaryCMap(bytes: Uint8Array, named: (name: string) => CMap | undefined): CMap {
  const map = new CMap();
  const packed = new PackedBytes(bytes);
  map.vertical = (packed.byte() & 1) === 1;
  while (!packed.isAtEnd) {
    const head = packed.byte();
    const kind = head >> 5;
    if (kind === comment) {
      const text = packed.text();
      if ((head & 0x1f) === 1) map.parent = named(text);
    } else readEntries(map, packed, kind, (head & 0x10) !== 0, (head & 15) + 1);
  }
  return map;
}

function readEntries(
  map: CMap,
  packed: PackedBytes,
  kind: number,
  isSequence: boolean,
  size: number,
): void {
  if (kind > textRanges) throw new RangeError(`a packed CMap has no entries of kind ${kind}`);
  const isRange = kind !== cidChars && kind !== textChars;
  const codeSize = kind === textChars || kind === textRanges ? textCodeSize : size;
  const isFollowing = isSequence && kind !== codeSpaces && kind !== noRanges;
  const count = packed.number();
  /** The code after the last entry, where the next entry may begin. */
  let next = 0n;
  let cid = -1;
  let text = 0n;
  for (let entry = 0; entry < count; entry++) {
    const gap = entry === 0 ? packed.fixed(codeSize) : isFollowing ? 0n : packed.big();
    const from = BigInt.asUintN(codeSize * 8, next + gap);
    const to = isRange ? BigInt.asUintN(codeSize * 8, from + packed.big()) : from;
    next = to + 1n;
    if (kind === codeSpaces) map.addCodeSpace(bytesOf(from, size), bytesOf(to, size));
    else if (kind === noRanges) packed.number();
    else if (kind === cidChars) {
      cid = entry === 0 ? packed.number() : cid + 1 + packed.signed();
      map.addCids(Number(from), Number(to), cid);
    } else if (kind === cidRanges) map.addCids(Number(from), Number(to), packed.number());
    else {
      const isFirst = entry === 0 || kind === textRanges;
      text = isFirst ? packed.fixed(size) : text + 1n + packed.bigSigned();
      map.addText(Number(from), Number(to), fromUtf16(bytesOf(text, size)));
    }
  }
}
