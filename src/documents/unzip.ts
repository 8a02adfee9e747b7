import { Inflate } from 'fflate';
import { AppError } from '../platform/errors.js';
import { damagedZip, type Zip } from './zip.js';

/** In bytes: so much of one part is unpacked at most, whatever size it states. */
const largestPart = 128 * 1024 * 1024;
/** In bytes, packed: the unpacked size is checked after each piece. */
const piece = 16_384;

/**
 * The unpacked bytes of a part; undefined without such a part. Errors: `damaged`; `encrypted`; `out_of_memory` for a
 * part that becomes too large.
 */
export function unzip(zip: Zip, name: string): Uint8Array | undefined {
  const part = zip.find(name);
  return part?.isDeflated === true ? inflate(part.bytes) : part?.bytes;
}

function inflate(packed: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  const stream = new Inflate((part) => {
    size += part.length;
    if (size > largestPart) {
      throw new AppError(
        'out_of_memory',
        `A part of the file unpacks to more than ${largestPart >> 20} MB.`,
      );
    }
    parts.push(part.slice());
  });
  try {
    for (let at = 0; at < packed.length; at += piece) {
      stream.push(packed.subarray(at, at + piece), at + piece >= packed.length);
    }
  } catch (error) {
    throw error instanceof AppError ? error : damagedZip(error);
  }
  return Buffer.concat(parts, size);
}
