import { inflateRawSync } from 'node:zlib';
import { AppError } from '../platform/errors.js';
import { damagedZip, type Zip } from './zip.js';

/** In bytes: so much of one part is unpacked at most, whatever size it states. */
const largestPart = 128 * 1024 * 1024;

/**
 * The unpacked bytes of a part; undefined without such a part. Errors: `damaged`; `encrypted`; `out_of_memory` for a
 * part that becomes too large.
 */
export function unzip(zip: Zip, name: string): Uint8Array | undefined {
  const part = zip.find(name);
  return part?.isDeflated === true ? inflate(part.bytes) : part?.bytes;
}

function inflate(packed: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: largestPart });
  } catch (error) {
    if (!(error instanceof RangeError)) throw damagedZip(error);
    throw new AppError(
      'out_of_memory',
      `A part of the file unpacks to more than ${largestPart >> 20} MB.`,
    );
  }
}
