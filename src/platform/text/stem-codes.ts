import type { TermCounts } from './term-features.js';

/**
 * The stems of a passage so short that those of thousands of passages can be remembered and gone through in a
 * millisecond: its length in terms, then for each stem the upper 24 bits of its hash and its count, each a uint32.
 */
export function encodeStems({ length, hashes, counts }: TermCounts): Buffer {
  const bytes = Buffer.alloc(4 * (1 + hashes.length));
  bytes.writeUInt32LE(length, 0);
  hashes.forEach((hash, index) => {
    bytes.writeUInt32LE((codeOf(hash) | (counts[index] ?? 0)) >>> 0, 4 * (1 + index));
  });
  return bytes;
}

/** The length and the stems of `encodeStems`, copied, so that they start where a Uint32Array may. */
export function decodeStems(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer);
}

/** The part of a stem's hash that is kept, and that of a code without its count, both signed: a processor's own. */
export function codeOf(hash: number): number {
  return hash & 0xffffff00;
}
