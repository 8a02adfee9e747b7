import { wordsFor } from './vector-code.js';

/**
 * Estimates the cosines of vectors with an asked one from their codes, on a scale of its own: for their order alone. The
 * asked vector counts with its numbers instead of its signs, which tells the nearest apart twice as well.
 */
export function cosineEstimates(asked: Float32Array): (codes: Int32Array) => Float32Array {
  const width = 4 * wordsFor(asked.length);
  const sums = sumsByByte(asked, width);
  return (codes) => {
    const bytes = new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength);
    const cosines = new Float32Array(bytes.length / width);
    for (let row = 0; row < cosines.length; row++) {
      let sum = 0;
      for (let at = 0; at < width; at++) {
        sum += sums[(at << 8) | (bytes[row * width + at] ?? 0)] ?? 0;
      }
      cosines[row] = sum;
    }
    return cosines;
  };
}

/** For each place of a byte in a code, and each byte: the sum of the asked numbers whose bits it has. */
function sumsByByte(asked: Float32Array, width: number): Float32Array {
  const sums = new Float32Array(width << 8);
  for (let at = 0; at < width; at++) {
    for (let byte = 1; byte < 256; byte++) {
      const lowest = 31 - Math.clz32(byte & -byte);
      const others = sums[(at << 8) | (byte & (byte - 1))] ?? 0;
      sums[(at << 8) | byte] = others + (asked[8 * at + lowest] ?? 0);
    }
  }
  return sums;
}
