import type { CrossReferences, Place } from './cross-references.js';
import { Dict, NotUnderstood, Stream, type PdfObject } from './objects.js';
import type { Tokens } from './tokens.js';

/** More than any document has. A hostile file could name as many as it has bytes. */
const maxObjects = 1_000_000;

interface FileReader {
  tokensAt(offset: number): Tokens;
  objectAt(offset: number): PdfObject;
}

function numberBefore(bytes: Uint8Array, end: number): { value: number; from: number } | undefined {
  let from = end;
  while (from > 0 && isDigit(bytes[from - 1])) from--;
  if (from === end || end - from > 10) return undefined;
  let value = 0;
  for (let at = from; at < end; at++) value = value * 10 + (bytes[at] ?? 0) - 0x30;
  return { value, from };
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 0x30 && code <= 0x39;
}

function skipBack(bytes: Uint8Array, at: number): number {
  let to = at;
  while (to > 0 && (bytes[to - 1] ?? 0) <= 32) to--;
  return to;
}

/** Every `12 0 obj` of the file. Of equal numbers, the last one counts. */
function findObjects(bytes: Uint8Array): Map<number, Place> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places = new Map<number, Place>();
  for (let at = buffer.indexOf('obj'); at >= 0; at = buffer.indexOf('obj', at + 3)) {
    const gen = numberBefore(bytes, skipBack(bytes, at));
    const num = gen === undefined ? undefined : numberBefore(bytes, skipBack(bytes, gen.from));
    if (gen === undefined || num === undefined) continue;
    places.set(num.value, { offset: num.from, gen: gen.value });
    if (places.size > maxObjects) throw new NotUnderstood('more objects than a document has');
  }
  return places;
}

function tolerant(read: () => PdfObject): PdfObject {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

/** Rebuilds cross-references by searching the file for objects. Attackers may break them to hide content. */
export function rebuildReferences(bytes: Uint8Array, reader: FileReader): CrossReferences {
  const places = findObjects(bytes);
  let trailer: Dict | undefined;
  let catalog: Dict | undefined;
  for (const [num, place] of [...places]) {
    if (!('offset' in place)) continue;
    const object = tolerant(() => reader.objectAt(place.offset));
    const dict = object instanceof Stream ? object.dict : object;
    if (!(dict instanceof Dict)) continue;
    const type = dict.name('Type');
    if (type === 'XRef' && dict.entries.has('Root')) trailer = dict;
    if (type === 'Catalog') {
      catalog = new Dict(dict.resolver);
      catalog.entries.set('Root', dict);
    }
    if (type === 'ObjStm' && object instanceof Stream) addPacked(object, num, places);
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = buffer.indexOf('trailer'); at >= 0; at = buffer.indexOf('trailer', at + 7)) {
    const dict = tolerant(() => reader.tokensAt(at + 7).object());
    if (dict instanceof Dict && dict.entries.has('Root')) trailer = dict;
  }
  const found = trailer ?? catalog;
  if (found === undefined) throw new NotUnderstood('no catalog');
  return { places, trailer: found };
}

/** The objects of an object stream that do not occur outside it. Encrypted streams can't be read and are skipped. */
function addPacked(stream: Stream, container: number, places: Map<number, Place>): void {
  const count = stream.dict.number('N') ?? 0;
  const first = stream.dict.number('First') ?? 0;
  const head = Buffer.from(stream.bytes().subarray(0, first)).toString('latin1').split(/\s+/);
  const numbers = head.filter((word) => word !== '').map(Number);
  for (let index = 0; index < Math.min(count, numbers.length / 2); index++) {
    const num = numbers[2 * index];
    if (num === undefined || !Number.isInteger(num) || places.has(num)) continue;
    places.set(num, { container, index });
  }
}
