import { AppError } from '../../../src/platform/errors.js';
import { deflateSync } from 'node:zlib';
import { decodeFilters } from '../../../src/pdf/reader/syntax/filters.js';
import { bomb } from './hostile-files.js';

/** Numbers from 0 to below `bound`, the same for the same seed (mulberry32). */
export type Random = (bound: number) => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * bound);
  };
}

type Mutation = (file: Buffer, random: Random, others: readonly Buffer[]) => Buffer;

interface Place {
  from: number;
  to: number;
}

/** The positions of the streams' bytes. */
function streamsOf(file: Buffer): Place[] {
  const places: Place[] = [];
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    if (file.toString('latin1', at - 3, at) === 'end') continue;
    const from = at + (file[at + 6] === 13 ? 8 : 7);
    const to = file.indexOf('endstream', from);
    if (to > from) places.push({ from, to });
  }
  return places;
}

function pick<T>(random: Random, items: readonly T[]): T | undefined {
  return items[random(items.length)];
}

/** Overwrites a place of the file with as much of `bytes` as fits. The rest of the place stays as it is. */
function write(file: Buffer, bytes: Uint8Array, { from, to }: Place): void {
  file.set(bytes.subarray(0, to - from), from);
}

function flipBytes(file: Buffer, random: Random): Buffer {
  for (let count = 1 + random(20); count > 0; count--) {
    const at = random(file.length);
    file[at] = random(2) === 0 ? random(256) : (file[at] ?? 0) ^ (1 << random(8));
  }
  return file;
}

function flipOutsideStreams(file: Buffer, random: Random): Buffer {
  const inside = streamsOf(file);
  for (let count = 1 + random(10); count > 0; count--) {
    const at = random(file.length);
    if (!inside.some(({ from, to }) => at >= from && at < to)) file[at] = 32 + random(95);
  }
  return file;
}

function cut(file: Buffer, random: Random): Buffer {
  const from = random(file.length);
  if (random(3) === 0) return file.subarray(0, from);
  const to = Math.min(file.length, from + 1 + random(random(2) === 0 ? 40 : 4000));
  return Buffer.concat([file.subarray(0, from), file.subarray(to)]);
}

function repeatPart(file: Buffer, random: Random): Buffer {
  const from = random(file.length);
  const part = file.subarray(from, from + random(3000));
  return Buffer.concat([file.subarray(0, from), part, part, file.subarray(from)]);
}

function splice(file: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  const other = pick(random, others) ?? file;
  if (random(2) === 0) {
    return Buffer.concat([
      file.subarray(0, random(file.length)),
      other.subarray(random(other.length)),
    ]);
  }
  // Replaces a stream of one file by a stream of the other, for example a page by a font.
  const to = pick(random, streamsOf(file));
  const from = pick(random, streamsOf(other));
  if (to !== undefined && from !== undefined) write(file, other.subarray(from.from, from.to), to);
  return file;
}

/** Changes numbers to 0, to 9s or to others. Their length stays, and so do the offsets. */
function changeNumbers(text: Buffer, random: Random, part = 50): Buffer {
  const numbers = [...text.toString('latin1').matchAll(/(?<=[\s[/A-Za-z<(])-?\d+/g)];
  for (let count = 1 + random(Math.ceil(numbers.length / part)); count > 0; count--) {
    const found = pick(random, numbers);
    if (found === undefined) continue;
    const length = found[0].length;
    const value =
      pick(random, ['0', '9'.repeat(length), '-9', String(random(10 ** Math.min(9, length)))]) ??
      '';
    text.write(value.slice(0, length).padStart(length, '0'), found.index, 'latin1');
  }
  return text;
}

function changeStructure(file: Buffer, random: Random): Buffer {
  const names = [...file.toString('latin1').matchAll(/\/[A-Za-z]{1,20}\b/g)];
  for (let count = random(4); count > 0; count--) {
    const found = pick(random, names);
    const other = pick(random, names)?.[0].slice(0, found?.[0].length) ?? '';
    if (found !== undefined) file.write(other.padEnd(found[0].length), found.index, 'latin1');
  }
  return changeNumbers(file, random, 500);
}

/** Empty for a bomb, which an earlier change may have put there: the file then stays as it is, bomb included. */
function unpack(packed: Uint8Array): Buffer {
  try {
    const filters = [{ name: 'FlateDecode', params: undefined }];
    return Buffer.from(decodeFilters(packed, filters, 30_000_000));
  } catch (error) {
    if (error instanceof AppError && error.code === 'out_of_memory') return Buffer.alloc(0);
    throw error;
  }
}

/** Changes the content of a stream, and compresses it again so that it fits into its place. */
function changeInside(file: Buffer, random: Random): Buffer {
  const place = pick(random, streamsOf(file));
  if (place === undefined) return file;
  const room = place.to - place.from;
  const plain = unpack(file.subarray(place.from, place.to));
  if (plain.length === 0) return file;
  const changed =
    pick(random, [changeNumbers, flipBytes, repeatPart, cut])?.(plain, random) ?? plain;
  for (let kept = changed.length; kept > 1; kept = Math.floor(kept * 0.8)) {
    const again = deflateSync(changed.subarray(0, kept), { level: 9 });
    if (again.length > room) continue;
    write(file, again, place);
    break;
  }
  return file;
}

const fillings = [
  ' ',
  '\0',
  'q ',
  '(a) Tj ',
  'BT ',
  '[',
  '<',
  '/A ',
  '1 0 0 1 0 0 cm ',
  '\xff',
  'Do ',
];

/** Replaces streams by decompression bombs, which expand almost a thousandfold. */
function bombStreams(file: Buffer, random: Random): Buffer {
  const streams = streamsOf(file);
  for (let count = 1 + random(3); count > 0; count--) {
    const place = pick(random, streams);
    if (place === undefined) continue;
    const room = place.to - place.from;
    const size = Math.min(room * 900, 200_000_000);
    write(file, bomb(pick(random, fillings) ?? ' ', size), place);
  }
  return file;
}

const mutations: readonly Mutation[] = [
  flipBytes,
  flipOutsideStreams,
  cut,
  repeatPart,
  splice,
  changeStructure,
  changeStructure,
  changeInside,
  changeInside,
  changeInside,
  bombStreams,
];

/** One of `files`, changed in one to three ways. */
export function mutate(files: readonly Buffer[], random: Random): Buffer {
  let file = Buffer.from(pick(random, files) ?? Buffer.alloc(0));
  for (let count = 1 + random(3); count > 0; count--) {
    if (file.length === 0) break;
    file = Buffer.from(pick(random, mutations)?.(file, random, files) ?? file);
  }
  return file;
}
