import { constants, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { tooMuch } from './bytes.js';

const smallestChunk = 4 * 1024;
const largestChunk = 256 * 1024;

function optionsFor(encoded: Uint8Array, maxBytes: number): ZlibOptions {
  return {
    // A stream that was cut off gives what there is of it.
    finishFlush: constants.Z_SYNC_FLUSH,
    maxOutputLength: Math.max(1, maxBytes),
    chunkSize: Math.min(largestChunk, Math.max(smallestChunk, encoded.length * 4)),
  };
}

/** The output, or undefined where the data is damaged. */
function attempt(
  inflate: typeof inflateSync,
  encoded: Uint8Array,
  maxBytes: number,
): Uint8Array | undefined {
  try {
    return inflate(encoded, optionsFor(encoded, maxBytes));
  } catch (error) {
    // A RangeError says that the output is too long, or that there is no memory for it.
    if (error instanceof RangeError) throw tooMuch(maxBytes, error);
    return undefined;
  }
}

/**
 * What stands before the damage. zlib gives nothing when it fails, and any beginning that it does not fail on: the
 * longest is found by halving, so that a damaged stream costs some twenty times a sound one and no more.
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

/** FlateDecode: the whole stream, or as much of a damaged one as can be read. */
export function inflateStream(encoded: Uint8Array, maxBytes: number): Uint8Array {
  if (encoded.length === 0) return encoded;
  const whole = attempt(inflateSync, encoded, maxBytes);
  if (whole !== undefined) return whole;
  // A wrong checksum does not matter; and some writers leave out the header.
  const behindHeader = inflateRaw(encoded.subarray(2), maxBytes);
  if (hasHeader(encoded)) return behindHeader;
  const bare = inflateRaw(encoded, maxBytes);
  return bare.length > behindHeader.length ? bare : behindHeader;
}
