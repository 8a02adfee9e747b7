/** A vector as it is stored: float32, little-endian. */
export function toBlob(vector: Float32Array): Buffer {
  const blob = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => blob.writeFloatLE(value, index * 4));
  return blob;
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
