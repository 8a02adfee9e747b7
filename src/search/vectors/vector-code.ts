import { wordsPerStep } from './code-store.js';

/** The stored form of a vector: float32, little-endian. */
export function toBlob(vector: Float32Array): Buffer {
  const blob = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => blob.writeFloatLE(value, index * 4));
  return blob;
}

export function fromBlob(blob: Uint8Array): Float32Array {
  // The bytes of a database's row may be unaligned.
  const { buffer, byteOffset, byteLength } =
    blob.byteOffset % 4 === 0 ? blob : new Uint8Array(blob);
  return new Float32Array(buffer, byteOffset, byteLength / 4);
}

/** The signs of a vector, one bit each: similar vectors mostly share them. Padded with zeros to whole bytes. */
export function signsOf(vector: Float32Array): Buffer {
  const code = Buffer.alloc(Math.ceil(vector.length / 8));
  vector.forEach((value, index) => {
    if (value > 0) code[index >> 3] = (code[index >> 3] ?? 0) | (1 << (index & 7));
  });
  return code;
}

/** The 32-bit words of memory for a code of this dimension. */
export function wordsFor(dimension: number): number {
  return wordsPerStep * Math.ceil(dimension / (32 * wordsPerStep));
}

/** Consecutive codes of `signsOf`, each padded to whole words. */
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
