import { tooMuch, ByteSink } from './bytes.js';
import { NotUnderstood, type Dict } from './objects.js';
import { undoPredictor } from './predictors.js';
import { decodeAscii85, decodeHex, decodeRunLength } from './text-filters.js';
import { workerData } from 'node:worker_threads';
import { constants, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';

/** A stream's filter with its entry of DecodeParms. */
export interface Filter {
  name: string;
  params: Dict | undefined;
}

/** No writer chains more filters, and each could unpack to the limit again. */
const mostFilters = 8;

/**
 * Removes the filters from a stream's bytes. For a damaged stream, returns the readable part. Refuses with
 * out_of_memory when a filter's output exceeds `maxBytes`. What is coded as a picture is empty: no text is in it, and a
 * small one may unpack to gigabytes. Throws NotUnderstood for unknown filters and invalid predictors.
 */
export function decodeFilters(
  encoded: Uint8Array,
  filters: readonly Filter[],
  maxBytes: number,
): Uint8Array {
  if (filters.length > mostFilters) throw new NotUnderstood(`${filters.length} filters`);
  let bytes = encoded;
  for (const filter of filters) {
    bytes = decode(bytes, filter, maxBytes);
    if (bytes.length > maxBytes) throw tooMuch(maxBytes);
  }
  return bytes;
}

function decode(bytes: Uint8Array, { name, params }: Filter, maxBytes: number): Uint8Array {
  switch (name) {
    case 'FlateDecode':
    case 'Fl':
      return undoPredictor(inflateStream(bytes, maxBytes), params);
    case 'LZWDecode':
    case 'LZW': {
      const earlyChange = params?.number('EarlyChange') === 0 ? 0 : 1;
      return undoPredictor(decodeLzw(bytes, earlyChange, maxBytes), params);
    }
    case 'ASCII85Decode':
    case 'A85':
      return decodeAscii85(bytes, maxBytes);
    case 'ASCIIHexDecode':
    case 'AHx':
      return decodeHex(bytes, maxBytes);
    case 'RunLengthDecode':
    case 'RL':
      return decodeRunLength(bytes, maxBytes);
    case 'Crypt':
      // The named crypt filter was already applied.
      return bytes;
    case 'DCTDecode':
    case 'DCT':
    case 'CCITTFaxDecode':
    case 'CCF':
    case 'JBIG2Decode':
    case 'JPXDecode':
      return new Uint8Array();
    default:
      throw new NotUnderstood(`filter ${name}`);
  }
}

const smallestChunk = 4 * 1024;
const largestChunk = 256 * 1024;

function optionsFor(encoded: Uint8Array, maxBytes: number): ZlibOptions {
  return {
    // A truncated stream returns the part that exists.
    finishFlush: constants.Z_SYNC_FLUSH,
    maxOutputLength: Math.max(1, maxBytes),
    chunkSize: Math.min(largestChunk, Math.max(smallestChunk, encoded.length * 4)),
  };
}

/** Set to 1 before this thread is ended. Undefined outside of a PDF thread. */
const { ending } = (workerData ?? {}) as { ending?: Int32Array };

/** Node ends the whole process when a thread is terminated while it creates a zlib stream. Such a thread waits here. */
function awaitEnd(): void {
  if (ending !== undefined) Atomics.wait(ending, 0, 1);
}

/** The output; undefined for damaged data. */
function attempt(
  inflate: typeof inflateSync,
  encoded: Uint8Array,
  maxBytes: number,
): Uint8Array | undefined {
  awaitEnd();
  try {
    return inflate(encoded, optionsFor(encoded, maxBytes));
  } catch (error) {
    // A RangeError means that the output is too long, or that there is no memory for it.
    if (error instanceof RangeError) throw tooMuch(maxBytes, error);
    return undefined;
  }
}

/**
 * The data before the damage. zlib returns nothing when it fails, but succeeds on a valid beginning. Bisection finds
 * the longest one, so a damaged stream costs at most about twenty times a sound one.
 */
function longestBeginning(deflated: Uint8Array, maxBytes: number): Uint8Array {
  let best: Uint8Array = new Uint8Array(0);
  let sound = 0;
  let damaged = deflated.length;
  while (damaged - sound > 1) {
    const middle = (sound + damaged) >> 1;
    const output = attempt(inflateRawSync, deflated.subarray(0, middle), maxBytes);
    if (output === undefined) damaged = middle;
    else {
      sound = middle;
      best = output;
    }
  }
  return best;
}

function inflateRaw(deflated: Uint8Array, maxBytes: number): Uint8Array {
  return attempt(inflateRawSync, deflated, maxBytes) ?? longestBeginning(deflated, maxBytes);
}

function hasHeader(encoded: Uint8Array): boolean {
  const [method = 0, flags = 0] = encoded;
  return (method & 15) === 8 && (method * 256 + flags) % 31 === 0;
}

/** FlateDecode: the whole stream, or the readable part of a damaged one. */
function inflateStream(encoded: Uint8Array, maxBytes: number): Uint8Array {
  if (encoded.length === 0) return encoded;
  const whole = attempt(inflateSync, encoded, maxBytes);
  if (whole !== undefined) return whole;
  // A wrong checksum does not matter, and some writers omit the header.
  const behindHeader = inflateRaw(encoded.subarray(2), maxBytes);
  if (hasHeader(encoded)) return behindHeader;
  const bare = inflateRaw(encoded, maxBytes);
  return bare.length > behindHeader.length ? bare : behindHeader;
}

const clearTable = 256;
const endOfData = 257;
const tableSize = 4096;

/**
 * LZWDecode (ISO 32000-1, 7.4.4). A table entry is the position and length of its bytes in the output. Data after an
 * invalid code is dropped.
 * @param earlyChange 1 when codes grow one code early (the usual case), else 0
 */
function decodeLzw(encoded: Uint8Array, earlyChange: number, maxBytes: number): Uint8Array {
  const sink = new ByteSink(encoded.length * 3, maxBytes);
  const starts = new Int32Array(tableSize);
  const lengths = new Int32Array(tableSize);
  let next = 258;
  let width = 9;
  let previousStart = -1;
  let previousLength = 0;
  let bits = 0;
  let held = 0;
  for (const byte of encoded) {
    bits = ((bits & 0xffff) << 8) | byte;
    held += 8;
    if (held < width) continue;
    held -= width;
    const code = (bits >>> held) & ((1 << width) - 1);
    if (code === endOfData) break;
    if (code === clearTable) {
      next = 258;
      width = 9;
      previousStart = -1;
      continue;
    }
    const start = sink.length;
    if (code < 256) sink.push(code);
    else if (code < next) sink.repeat(starts[code] ?? 0, lengths[code] ?? 0);
    // The only code that may be used before it is defined: the previous bytes plus their first byte.
    else if (code === next && previousStart >= 0) sink.repeat(previousStart, previousLength + 1);
    else break;
    if (previousStart >= 0 && next < tableSize) {
      starts[next] = previousStart;
      lengths[next++] = previousLength + 1;
    }
    previousStart = start;
    previousLength = sink.length - start;
    const largest = next + earlyChange;
    width = largest >= 2048 ? 12 : largest >= 1024 ? 11 : largest >= 512 ? 10 : 9;
  }
  return sink.take();
}
