import { AppError } from '../../../platform/errors.js';
import { Dict, NotUnderstood, Stream, type PdfObject } from './objects.js';
import { Keyword, type Tokens } from './tokens.js';

/** The position of an object: a byte offset in the file, or an index in an object stream. */
export type Place = { offset: number; gen: number } | { container: number; index: number };

export interface CrossReferences {
  places: Map<number, Place>;
  trailer: Dict;
}

/** A file with more cross-reference sections was made to keep readers busy. */
const maxSections = 1000;
const maxObjects = 8_000_000;

interface FileReader {
  /** Tokens of the file's body from an offset, not decrypted. */
  tokensAt(offset: number): Tokens;
  /** The indirect object at an offset, not decrypted. */
  objectAt(offset: number): PdfObject;
}

/**
 * Follows the chain of cross-reference tables and streams (ISO 32000-1, 7.5.4 and 7.5.8) from the last one. Throws
 * NotUnderstood for a broken chain; the caller may rebuild it.
 */
export function readCrossReferences(bytes: Uint8Array, reader: FileReader): CrossReferences {
  const places = new Map<number, Place>();
  const free = new Set<number>();
  let trailer: Dict | undefined;
  const seen = new Set<number>();
  const pending = [startOf(bytes)];
  for (let offset = pending.shift(); offset !== undefined; offset = pending.shift()) {
    if (seen.has(offset)) continue;
    seen.add(offset);
    if (seen.size > maxSections) throw new NotUnderstood('too many cross-reference sections');
    const own = readSection(offset, reader, places, free);
    trailer ??= own;
    const hybrid = own.number('XRefStm');
    if (hybrid !== undefined) pending.push(hybrid);
    const previous = own.number('Prev');
    if (previous !== undefined) pending.push(previous);
  }
  if (trailer === undefined) throw new NotUnderstood('no trailer');
  return { places, trailer };
}

function startOf(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = buffer.lastIndexOf('startxref');
  const found = at < 0 ? null : /^startxref\s+(\d+)/.exec(buffer.toString('latin1', at, at + 40));
  if (found === null) throw new NotUnderstood('no startxref');
  return Number(found[1]);
}

function readSection(
  offset: number,
  reader: FileReader,
  places: Map<number, Place>,
  free: Set<number>,
): Dict {
  const tokens = reader.tokensAt(offset);
  const first = tokens.next();
  if (first instanceof Keyword && first.text === 'xref') return readTable(tokens, places, free);
  const object = reader.objectAt(offset);
  if (!(object instanceof Stream) || object.dict.name('Type') !== 'XRef') {
    throw new NotUnderstood(`no cross-references at byte ${offset}`);
  }
  readStream(object, places, free);
  return object.dict;
}

function readTable(tokens: Tokens, places: Map<number, Place>, free: Set<number>): Dict {
  for (;;) {
    const first = tokens.next();
    if (first instanceof Keyword && first.text === 'trailer') break;
    const count = tokens.next();
    if (typeof first !== 'number' || typeof count !== 'number' || count > maxObjects) {
      throw new NotUnderstood('a broken cross-reference table');
    }
    for (let index = 0; index < count; index++) {
      const [offset, gen, kind] = [tokens.next(), tokens.next(), tokens.next()];
      if (typeof offset !== 'number' || typeof gen !== 'number' || !(kind instanceof Keyword)) {
        throw new NotUnderstood('a broken cross-reference table');
      }
      note(places, free, first + index, kind.text === 'n' ? { offset, gen } : undefined);
    }
  }
  const trailer = tokens.object();
  if (!(trailer instanceof Dict)) throw new NotUnderstood('no trailer');
  return trailer;
}

/** The newest section is read first, so a known object is already up to date. */
function note(
  places: Map<number, Place>,
  free: Set<number>,
  num: number,
  place: Place | undefined,
): void {
  if (places.has(num) || free.has(num)) return;
  if (place === undefined) free.add(num);
  else places.set(num, place);
}

function readStream(stream: Stream, places: Map<number, Place>, free: Set<number>): void {
  const { dict } = stream;
  const widths = dict.numbers('W');
  const size = dict.number('Size') ?? 0;
  const index = dict.numbers('Index') ?? [0, size];
  const [kindWidth = 0, firstWidth = 0, secondWidth = 0] = widths ?? [];
  const width = kindWidth + firstWidth + secondWidth;
  const sane = [kindWidth, firstWidth, secondWidth].every((each) => each >= 0 && each <= 8);
  // Rows without bytes would loop for ever, also in pdf.js.
  if (width === 0 && widths !== undefined) {
    throw new AppError(
      'damaged',
      'The list of objects in the PDF is damaged. Print the PDF to a new PDF and upload that.',
    );
  }
  if (!sane || firstWidth === 0 || !Number.isInteger(width)) {
    throw new NotUnderstood('a broken cross-reference stream');
  }
  const bytes = stream.bytes();
  let at = 0;
  const field = (length: number, absent: number) => {
    if (length === 0) return absent;
    let value = 0;
    const end = at + length;
    for (; at < end; at++) value = value * 256 + (bytes[at] ?? 0);
    return value;
  };
  for (let pair = 0; pair + 1 < index.length; pair += 2) {
    const from = index[pair] ?? 0;
    const to = from + (index[pair + 1] ?? 0);
    for (let num = from; num < to && at + width <= bytes.length; num++) {
      const kind = field(kindWidth, 1);
      const first = field(firstWidth, 0);
      const second = field(secondWidth, 0);
      if (kind === 1) note(places, free, num, { offset: first, gen: second });
      else if (kind === 2) note(places, free, num, { container: first, index: second });
      else note(places, free, num, undefined);
    }
  }
}
