/** Codes of one width in memory, in numbered rows, which are compared with an asked one. */
export interface CodeStore {
  /** Puts codes, one after the other, into the rows from one on. */
  write(row: number, codes: Int32Array): void;
  /** The codes of some rows, one after the other. */
  read(rows: readonly number[]): Int32Array;
  /** The bits in which each of `count` codes from a row on differs from the asked one. Valid until the next call. */
  differencesFrom(asked: Int32Array, row: number, count: number): Uint16Array;
  /** The same of some rows. */
  differencesOf(asked: Int32Array, rows: readonly number[]): Uint16Array;
}

/** Codes that are compared at once. */
export const codesAtOnce = 2048;
/** A code fills whole steps: the program compares 128 bits at once, for which JavaScript takes four times as long. */
export const wordsPerStep = 4;

/**
 * A store with so many rows, for codes of this many words, a multiple of `wordsPerStep`. Its memory never grows, because the
 * arrays that look into it would be lost. What was never written takes no room.
 */
export function createCodeStore(words: number, rows: number): CodeStore {
  const width = 4 * words;
  // In this order: the asked code, copies of some codes, differences, all codes.
  const copiesAt = width;
  const differencesAt = copiesAt + codesAtOnce * width;
  const storedAt = differencesAt + 2 * codesAtOnce;
  const pages = Math.ceil((storedAt + rows * width) / 65_536);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(compiled, { '': { '': memory } });
  const compare = exports[''] as Compare;
  const codesAt = (start: number, count: number) =>
    new Int32Array(memory.buffer, start, count * words);
  const asking = codesAt(0, 1);
  const copies = codesAt(copiesAt, codesAtOnce);
  const differences = new Uint16Array(memory.buffer, differencesAt, codesAtOnce);
  const stored = codesAt(storedAt, rows);
  const copyTo = (target: Int32Array, some: readonly number[]) => {
    for (const [at, row] of some.entries()) {
      target.set(stored.subarray(row * words, (row + 1) * words), at * words);
    }
    return target;
  };
  const compareAt = (asked: Int32Array, start: number, count: number) => {
    asking.set(asked);
    if (count > 0) compare(count, width, differencesAt, start);
    return differences.subarray(0, count);
  };
  return {
    write(row, codes) {
      stored.set(codes, row * words);
    },
    read: (some) => copyTo(new Int32Array(some.length * words), some),
    differencesFrom: (asked, row, count) => compareAt(asked, storedAt + row * width, count),
    differencesOf(asked, some) {
      copyTo(copies, some);
      return compareAt(asked, copiesAt, some.length);
    },
  };
}

type Compare = (count: number, width: number, to: number, code: number) => void;

/* The program, in the encoding of https://webassembly.github.io/spec/core/binary/. Locals 0 to 3 are its arguments. */
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
  ...[2, 1, i32, 1, v128],
  ...loop,
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
const compiled = new WebAssembly.Module(
  Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // One type: four numbers, no result. The memory is imported, the function exported, both without a name.
    ...[1, ...sized([1, 0x60, 4, i32, i32, i32, i32, 0])],
    ...[2, ...sized([1, 0, 0, 2, 0, 1])],
    ...[3, ...sized([1, 0])],
    ...[7, ...sized([1, 0, 0, 0])],
    ...[10, ...sized([1, ...sized(body)])],
  ]),
);
