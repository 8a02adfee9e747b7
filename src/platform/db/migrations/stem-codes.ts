import type { TermCounts } from '../../../language/term-features.js';

/** The stems of a passage in the format of 0015: the length in terms, then 24 bits of each hash with its count. */
export function encodeStems({ length, hashes, counts }: TermCounts): Buffer {
  const bytes = Buffer.alloc(4 * (1 + hashes.length));
  bytes.writeUInt32LE(length, 0);
  hashes.forEach((hash, index) => {
    const code = (hash & 0xffffff00) | (counts[index] ?? 0);
    bytes.writeUInt32LE(code >>> 0, 4 * (1 + index));
  });
  return bytes;
}
