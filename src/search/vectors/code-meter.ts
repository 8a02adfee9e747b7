/** Counts the bits in which codes differ from an asked one. */
export interface CodeMeter {
  /** The words of the asked code. */
  asked: Int32Array;
  /** Where codes are put, one after the other: `codesAtOnce` of them. */
  codes: Int32Array;
  /** The differences of the first `count` codes. Valid until the next call. */
  measure(count: number): Uint16Array;
}

/** Codes that are measured at once: they stay in the processor's cache. */
export const codesAtOnce = 2048;
/** A code fills whole steps: the program compares 128 bits at once, for which JavaScript takes four times as long. */
export const wordsPerStep = 4;

/** For codes of this many words, a multiple of `wordsPerStep`. */
export function createCodeMeter(words: number): CodeMeter {
  const width = 4 * words;
  const codesAt = width;
  const countsAt = codesAt + codesAtOnce * width;
  const pages = Math.ceil((countsAt + 2 * codesAtOnce) / 65_536);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(program), {
    '': { '': memory },
  });
  const run = instance.exports[''] as (count: number, width: number, countsAt: number) => void;
  const counts = new Uint16Array(memory.buffer, countsAt, codesAtOnce);
  return {
    asked: new Int32Array(memory.buffer, 0, words),
    codes: new Int32Array(memory.buffer, codesAt, codesAtOnce * words),
    measure(count) {
      if (count > 0) run(count, width, countsAt);
      return counts.subarray(0, count);
    },
  };
}

/* The program, in the encoding of https://webassembly.github.io/spec/core/binary/. Locals 0 to 2 are its arguments. */
const [count, width, to, code, at, sum] = [0, 1, 2, 3, 4, 5] as const;
const [i32, v128] = [0x7f, 0x7b] as const;
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const keep = (local: number) => [0x22, local];
const number = (value: number) => [0x41, value];
const [add, subtract, isLess] = [0x6a, 0x6b, 0x49] as const;
const [loop, end, again] = [[0x03, 0x40], 0x0b, [0x0d, 0]] as const;
const load128 = [0xfd, 0x00, 0, 0];
const zero128 = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
const [xor128, onesPerByte] = [
  [0xfd, 0x51],
  [0xfd, 0x62],
] as const;
/** Sums of neighbours: of bytes as 8 numbers, of these as 4. */
const [pairsOf16, pairsOf8, add8] = [
  [0xfd, 0x7d],
  [0xfd, 0x7f],
  [0xfd, 0x8e, 0x01],
] as const;
const lane = (index: number) => [0xfd, 0x1b, index];
const store16 = [0x3b, 1, 0];

const body = [
  ...[2, 2, i32, 1, v128],
  // code = width; loop
  ...[...get(width), ...set(code), ...loop],
  // sum = 0; at = 0; loop
  ...[...zero128, ...set(sum), ...number(0), ...set(at), ...loop],
  // sum += the bits of codes[code + at] ^ asked[at]
  ...[...get(sum), ...get(code), ...get(at), add, ...load128, ...get(at), ...load128],
  ...[...xor128, ...onesPerByte, ...pairsOf16, ...add8, ...set(sum)],
  // at += 16; again if at < width
  ...[...get(at), ...number(16), add, ...keep(at), ...get(width), isLess, ...again, end],
  // counts[to] = the sum of its 4 parts
  ...[...get(to), ...get(sum), ...pairsOf8, ...set(sum)],
  ...[0, 1, 2, 3].flatMap((part) => [...get(sum), ...lane(part), ...(part === 0 ? [] : [add])]),
  ...store16,
  // to += 2; code += width; count -= 1; again if any is left
  ...[...get(to), ...number(2), add, ...set(to)],
  ...[...get(code), ...get(width), add, ...set(code)],
  ...[...get(count), ...number(1), subtract, ...keep(count), ...again, end, end],
];

/** Its length must fit into seven bits for each byte that states it. */
const sized = (content: readonly number[]) => {
  const { length } = content;
  return [...(length < 128 ? [length] : [(length & 127) | 128, length >> 7]), ...content];
};
const program = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  // One type: three numbers, no result. The memory is imported, the function exported, both without a name.
  ...[1, ...sized([1, 0x60, 3, i32, i32, i32, 0])],
  ...[2, ...sized([1, 0, 0, 2, 0, 1])],
  ...[3, ...sized([1, 0])],
  ...[7, ...sized([1, 0, 0, 0])],
  ...[10, ...sized([1, ...sized(body)])],
]);
