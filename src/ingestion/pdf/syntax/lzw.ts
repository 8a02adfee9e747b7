import { ByteSink } from './bytes.js';

const clearTable = 256;
const endOfData = 257;
const tableSize = 4096;

/**
 * LZWDecode (ISO 32000-1, 7.4.4). Each entry of the table is the place and length of its bytes in the output, where
 * they stand already. What follows a code that can't be is left out.
 * @param earlyChange 1 where codes grow one code early (the usual case), 0 where they don't.
 */
export function decodeLzw(encoded: Uint8Array, earlyChange: number, maxBytes: number): Uint8Array {
  const sink = new ByteSink(encoded.length * 3, maxBytes);
  const starts = new Int32Array(tableSize);
  const lengths = new Int32Array(tableSize);
  let next = 258;
  let width = 9;
  let previousStart = -1;
  let previousLength = 0;
  let bits = 0;
  let held = 0;
  for (const byte of encoded) {
    bits = ((bits & 0xffff) << 8) | byte;
    held += 8;
    if (held < width) continue;
    held -= width;
    const code = (bits >>> held) & ((1 << width) - 1);
    if (code === endOfData) break;
    if (code === clearTable) {
      next = 258;
      width = 9;
      previousStart = -1;
      continue;
    }
    const start = sink.length;
    if (code < 256) sink.push(code);
    else if (code < next) sink.repeat(starts[code] ?? 0, lengths[code] ?? 0);
    // The one code that may be used before it is known: the previous bytes and their first again.
    else if (code === next && previousStart >= 0) sink.repeat(previousStart, previousLength + 1);
    else break;
    if (previousStart >= 0 && next < tableSize) {
      starts[next] = previousStart;
      lengths[next++] = previousLength + 1;
    }
    previousStart = start;
    previousLength = sink.length - start;
    const largest = next + earlyChange;
    width = largest >= 2048 ? 12 : largest >= 1024 ? 11 : largest >= 512 ? 10 : 9;
  }
  return sink.take();
}
