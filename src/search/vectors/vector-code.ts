/** A vector as it is stored: float32, little-endian. */
export function toBlob(vector: Float32Array): Buffer {
  const blob = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => blob.writeFloatLE(value, index * 4));
  return blob;
}

/** Reads what `toBlob` wrote. */
export function fromBlob(blob: Uint8Array): Float32Array {
  // A copy: the bytes of a database row may begin anywhere, and numbers may not.
  return new Float32Array(new Uint8Array(blob).buffer);
}

/**
 * The signs of a vector, a bit each: the more of them two vectors share, the nearer they mostly are. Filled up to
 * whole bytes with zeros, which are the same in all.
 */
export function signsOf(vector: Float32Array): Buffer {
  const code = Buffer.alloc(Math.ceil(vector.length / 8));
  vector.forEach((value, index) => {
    if (value > 0) code[index >> 3] = (code[index >> 3] ?? 0) | (1 << (index & 7));
  });
  return code;
}

/** Words of 32 bits that a code of so many signs takes in memory. */
export function wordsFor(dimension: number): number {
  return Math.ceil(dimension / 32);
}

/** Codes that stand one after the other as `signsOf` made them, each filled up to whole words. */
export function toWords(codes: Uint8Array, dimension: number): Int32Array {
  const width = Math.ceil(dimension / 8);
  const wide = wordsFor(dimension) * 4;
  const count = codes.length / width;
  const bytes = new Uint8Array(count * wide);
  for (let row = 0; row < count; row++) {
    bytes.set(codes.subarray(row * width, (row + 1) * width), row * wide);
  }
  return new Int32Array(bytes.buffer);
}

/** Bits that are set (Hacker's Delight, figure 5-2). */
export function countOnes(bits: number): number {
  let sum = bits - ((bits >>> 1) & 0x55555555);
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
