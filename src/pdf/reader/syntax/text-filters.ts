import { ByteSink } from './bytes.js';

const tilde = 0x7e;
const greater = 0x3e;

function isSpace(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13) || byte === 0;
}

/** The value of a hexadecimal digit; -1 for anything else. */
function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** ASCIIHexDecode. Other characters are skipped, and 0 follows a single last digit. */
export function decodeHex(encoded: Uint8Array, maxBytes: number): Uint8Array {
  const sink = new ByteSink(encoded.length >> 1, maxBytes);
  let high = -1;
  for (const byte of encoded) {
    if (byte === greater) break;
    const digit = digitOf(byte);
    if (digit < 0) continue;
    if (high < 0) high = digit;
    else {
      sink.push(high * 16 + digit);
      high = -1;
    }
  }
  if (high >= 0) sink.push(high * 16);
  return sink.take();
}

/** ASCII85Decode, with or without the marks of the btoa program. */
export function decodeAscii85(encoded: Uint8Array, maxBytes: number): Uint8Array {
  const sink = new ByteSink(Math.ceil((encoded.length * 4) / 5), maxBytes);
  let start = 0;
  while (start < encoded.length && isSpace(encoded[start] ?? 0)) start++;
  if (encoded[start] === 0x3c && encoded[start + 1] === tilde) start += 2;
  let value = 0;
  let digits = 0;
  for (let at = start; at < encoded.length; at++) {
    const byte = encoded[at] ?? 0;
    if (byte === tilde) break;
    if (byte === 0x7a && digits === 0) {
      sink.fill(0, 4);
      continue;
    }
    if (byte < 0x21 || byte > 0x75) continue;
    value = value * 85 + (byte - 0x21);
    if (++digits < 5) continue;
    for (const shift of [24, 16, 8, 0]) sink.push((value >>> shift) & 255);
    value = 0;
    digits = 0;
  }
  // A last group of n digits holds n - 1 bytes. It is filled up with the highest digit.
  if (digits > 1) {
    for (let missing = digits; missing < 5; missing++) value = value * 85 + 84;
    for (let index = 0; index < digits - 1; index++) sink.push((value >>> (24 - 8 * index)) & 255);
  }
  return sink.take();
}

/** RunLengthDecode. A run beyond the end of the data ends with the data. */
export function decodeRunLength(encoded: Uint8Array, maxBytes: number): Uint8Array {
  const sink = new ByteSink(encoded.length * 2, maxBytes);
  for (let at = 0; at < encoded.length;) {
    const length = encoded[at++] ?? 128;
    if (length === 128) break;
    if (length < 128) {
      sink.append(encoded.subarray(at, at + length + 1));
      at += length + 1;
    } else if (at < encoded.length) {
      sink.fill(encoded[at++] ?? 0, 257 - length);
    }
  }
  return sink.take();
}
