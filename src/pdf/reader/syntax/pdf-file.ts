import { readCrossReferences, type CrossReferences, type Place } from './cross-references.js';
import { decodeFilters, type Filter } from './filters.js';
import {
  Dict,
  isArray,
  Name,
  NotUnderstood,
  Ref,
  Stream,
  type PdfObject,
  type Resolver,
} from './objects.js';
import { rebuildReferences } from './rebuild-references.js';
import { createDecryptor, type Decryptor } from './security.js';
import { Keyword, Tokens } from './tokens.js';

/** The largest unpacked size of one stream: a thousand times more than a page's text needs. */
const maxStreamBytes = 128 << 20;
/** Chains of references are an attack; even one reference to a reference is unusual. */
const maxHops = 8;

interface ObjectStream {
  bytes: Uint8Array;
  index: { num: number; offset: number }[];
}

/**
 * The objects of one PDF file, read on demand and cached. Strict: throws NotUnderstood for an invalid file, and a
 * reader that repairs files may try.
 */
export class PdfFile implements Resolver {
  readonly trailer: Dict;
  readonly #references: CrossReferences;
  readonly #objects = new Map<number, PdfObject>();
  readonly #containers = new Map<number, ObjectStream>();
  readonly #base: number;
  #decryptor: Decryptor | undefined;

  /**
   * Throws NotUnderstood, encrypted and out_of_memory.
   * @param rebuild search the file for its objects, because its references are known to be broken
   */
  constructor(
    readonly bytes: Uint8Array,
    rebuild = false,
  ) {
    // Offsets count from the header. Mail gateways may put a few lines before it.
    const header = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(2048, bytes.byteLength));
    this.#base = Math.max(0, header.indexOf('%PDF-'));
    const body = bytes.subarray(this.#base);
    const reader = {
      tokensAt: (offset: number) => this.#tokensAt(offset),
      objectAt: (offset: number) => this.#objectAt(offset, undefined),
    };
    this.#references = rebuild
      ? rebuildReferences(body, reader)
      : readCrossReferences(body, reader);
    // Objects that were read earlier may be outdated now.
    this.#objects.clear();
    this.#containers.clear();
    this.trailer = this.#references.trailer;
    const encrypt = this.trailer.get('Encrypt');
    if (encrypt instanceof Dict) {
      const id = this.trailer.array('ID')?.[0];
      this.#objects.clear();
      this.#decryptor = createDecryptor(encrypt, typeof id === 'string' ? id : '');
      this.#objects.clear();
    }
  }

  resolve(ref: Ref): PdfObject {
    let value: PdfObject = ref;
    for (let hop = 0; value instanceof Ref; hop++) {
      if (hop > maxHops) return null;
      value = this.#object(value.num);
    }
    return value;
  }

  #object(num: number): PdfObject {
    const known = this.#objects.get(num);
    if (known !== undefined) return known;
    const place = this.#references.places.get(num);
    // While an object is being read, it is null: it may refer to itself (a Length in its own stream).
    this.#objects.set(num, null);
    const object = place === undefined ? null : this.#read(num, place);
    this.#objects.set(num, object);
    return object;
  }

  #read(num: number, place: Place): PdfObject {
    if ('offset' in place) {
      if (place.offset === 0) return null;
      return this.#objectAt(place.offset, num);
    }
    const container = this.#container(place.container);
    const entry =
      container.index[place.index]?.num === num
        ? container.index[place.index]
        : container.index.find((each) => each.num === num);
    return entry === undefined ? null : new Tokens(container.bytes, entry.offset, this).object();
  }

  #container(num: number): ObjectStream {
    const known = this.#containers.get(num);
    if (known !== undefined) return known;
    const place = this.#references.places.get(num);
    const stream = place !== undefined && 'offset' in place ? this.#object(num) : null;
    if (!(stream instanceof Stream)) throw new NotUnderstood(`object stream ${num} is missing`);
    const bytes = stream.bytes();
    const first = stream.dict.number('First') ?? 0;
    const count = Math.min(stream.dict.number('N') ?? 0, bytes.length);
    const tokens = new Tokens(bytes, 0, undefined);
    const index: ObjectStream['index'] = [];
    for (let entry = 0; entry < count; entry++) {
      const [own, offset] = [tokens.next(), tokens.next()];
      if (typeof own !== 'number' || typeof offset !== 'number') break;
      index.push({ num: own, offset: first + offset });
    }
    const container = { bytes, index };
    this.#containers.set(num, container);
    return container;
  }

  #tokensAt(offset: number, decryptString?: (text: string) => string): Tokens {
    return new Tokens(this.bytes, this.#base + offset, this, decryptString);
  }

  /** @param expected the number that the object must have, if known */
  #objectAt(offset: number, expected: number | undefined): PdfObject {
    const head = this.#tokensAt(offset);
    const [num, gen, obj] = [head.next(), head.next(), head.next()];
    const isObject = obj instanceof Keyword && obj.text === 'obj';
    if (typeof num !== 'number' || typeof gen !== 'number' || !isObject) {
      throw new NotUnderstood(`no object at byte ${offset}`);
    }
    if (expected !== undefined && num !== expected) {
      throw new NotUnderstood(`object ${num} stands where ${expected} should`);
    }
    const decryptor = this.#decryptor;
    const tokens = this.#tokensAt(
      head.at - this.#base,
      decryptor === undefined ? undefined : (text) => decryptor.decryptString(num, gen, text),
    );
    const first = tokens.next();
    if (first instanceof Keyword || first === undefined) return null;
    if (!(first instanceof Dict)) return first;
    const after = tokens.next();
    if (!(after instanceof Keyword) || after.text !== 'stream') return first;
    return this.#stream(first, tokens.at, num, gen);
  }

  #stream(dict: Dict, keywordEnd: number, num: number, gen: number): Stream {
    const { bytes } = this;
    let from = keywordEnd;
    if (bytes[from] === 13) from++;
    if (bytes[from] === 10) from++;
    const decryptor = dict.name('Type') === 'XRef' ? undefined : this.#decryptor;
    const encoded = () => {
      const raw = bytes.subarray(from, this.#endOfStream(dict, from));
      return decryptor === undefined
        ? raw
        : decryptor.decryptStream(num, gen, raw, cryptFilterOf(dict));
    };
    return new Stream(dict, encoded, decodeStream);
  }

  #endOfStream(dict: Dict, from: number): number {
    const { bytes } = this;
    const length = dict.number('Length');
    if (length !== undefined && length >= 0 && from + length <= bytes.length) {
      const tokens = new Tokens(bytes, from + length, undefined);
      tokens.skipWhite();
      const next = tokens.next();
      if (next instanceof Keyword && next.text.startsWith('endstream')) return from + length;
    }
    // Wrong lengths are the most common error in PDF files.
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = buffer.indexOf('endstream', from);
    if (end < 0) throw new NotUnderstood('a stream without an end');
    const lineEnd = bytes[end - 1] === 10 ? (bytes[end - 2] === 13 ? 2 : 1) : 0;
    return Math.max(from, end - lineEnd);
  }
}

export function filtersOf(dict: Dict): Filter[] {
  const value = dict.get('Filter') ?? dict.get('F');
  const names = isArray(value) ? (dict.array('Filter') ?? []) : [value];
  const parameters = dict.get('DecodeParms') ?? dict.get('DP');
  const all = isArray(parameters) ? (dict.array('DecodeParms') ?? []) : [parameters];
  return names.flatMap((name, index) => {
    const params = all[index];
    return name instanceof Name
      ? [{ name: name.text, params: params instanceof Dict ? params : undefined }]
      : [];
  });
}

function cryptFilterOf(dict: Dict): string | undefined {
  const crypt = filtersOf(dict).find((filter) => filter.name === 'Crypt');
  return crypt === undefined ? undefined : (crypt.params?.name('Name') ?? 'Identity');
}

function decodeStream(stream: Stream): Uint8Array {
  const filters = filtersOf(stream.dict);
  const encoded = stream.encoded();
  return filters.length === 0 ? encoded : decodeFilters(encoded, filters, maxStreamBytes);
}
