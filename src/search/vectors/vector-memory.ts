import type { App, WithDb } from '../../platform/app.js';
import { firstAtLeast } from '../../platform/first-at-least.js';
import type { Generation } from './generation.js';
import { codesAtOnce, createCodeStore, type CodeStore } from './code-store.js';
import { wordsFor } from './vector-code.js';
import { countVectors, readCodes, readCodesOf, type CodeBlock } from './vectors.repository.js';

type Store = Pick<App, 'db' | 'config'>;

/** Codes read at once; takes some milliseconds. */
const codesRead = 8192;
/** The rows of a store, a multiple of `codesRead`. */
const rowsInStore = 16 * codesRead;
/** Codes of deleted passages stay until they are more than this number and half of all. */
const mostStale = 10_000;

/** The memory in bytes for the codes of that many vectors, with their passage ids. */
function bytesInMemory(vectors: number, dimension: number): number {
  return vectors * (wordsFor(dimension) + 1) * 4;
}

/** True when the codes of a generation fit into the configured memory. */
export function fitsInMemory(app: Pick<App, 'config'>, vectors: number, dimension: number) {
  const budget = app.config.search.vector_memory_mb * 2 ** 20;
  return bytesInMemory(vectors, dimension) <= budget;
}

/** At most `codesAtOnce` codes, in the rows of a store from one on. */
export interface StoredCodes {
  ids: Uint32Array;
  store: CodeStore;
  row: number;
}

/** The codes of a generation, as they were at one moment. */
export interface Codes {
  /** In the order of the passages. */
  all(): Iterable<StoredCodes> | AsyncIterable<StoredCodes>;
  /** Those of some passages (ids, ascending) that have one. */
  among(ids: Uint32Array): Promise<CodeBlock[]>;
}

/** Codes in the first `count` rows of a store, and their passages. A search that is under way sees those of its start. */
interface Held {
  ids: Uint32Array;
  count: number;
  store: CodeStore;
}

/**
 * The codes of the live generation, read once and then extended: passages and their vectors never change, and their ids
 * only grow. Codes of deleted passages may be included.
 */
class VectorMemory {
  /** The generation that it is of, at one of its states of repair. */
  #generation: Pick<Generation, 'id' | 'mended'> = { id: 0, mended: 0 };
  #held: Held[] = [];
  /** Codes up to this passage were read, or found to be too many. */
  #readTo = 0;
  #isTooSmall = false;
  #reading: Promise<void> = Promise.resolve();

  /** All codes of a generation: in memory, or on the disk if they do not fit. */
  async codesOf(app: Store, generation: Generation): Promise<Codes> {
    while (!this.#isCurrent(generation)) {
      this.#reading = this.#reading
        .catch(() => undefined)
        .then(() => (this.#isCurrent(generation) ? undefined : this.#read(app, generation)));
      await this.#reading;
    }
    return this.#isTooSmall ? onDisk(app, generation) : inMemory(this.#held);
  }

  /** A mended generation is read anew once it is complete again: until then, the codes of before find more. */
  #isCurrent({ id, mended, embeddedTo }: Generation): boolean {
    if (this.#generation.id !== id || this.#readTo < embeddedTo) return false;
    return this.#generation.mended >= mended || this.#readTo > embeddedTo;
  }

  async #read(app: Store, generation: Generation): Promise<void> {
    const { id, mended, dimension, embeddedTo } = generation;
    const number = await countVectors(app, id);
    const isOther = this.#generation.id !== id || this.#generation.mended < mended;
    const isStale = this.#held.reduce((sum, { count }) => sum + count, 0) > 2 * number + mostStale;
    if (isOther || isStale || this.#isTooSmall) this.#forget(generation);
    this.#isTooSmall = !fitsInMemory(app, number, dimension);
    if (this.#isTooSmall) {
      this.#forget(generation);
    } else {
      for await (const block of readBlocks(app, generation, this.#readTo)) this.#add(block);
    }
    this.#readTo = embeddedTo;
  }

  #forget(generation: Generation): void {
    this.#generation = generation;
    this.#held = [];
    this.#readTo = 0;
  }

  #add({ ids, codes }: CodeBlock): void {
    let last = this.#held.at(-1);
    if (last === undefined || last.count + ids.length > rowsInStore) {
      const store = createCodeStore(codes.length / ids.length, rowsInStore);
      last = { ids: new Uint32Array(rowsInStore), count: 0, store };
      this.#held.push(last);
    }
    last.store.write(last.count, codes);
    last.ids.set(ids, last.count);
    last.count += ids.length;
    this.#readTo = ids.at(-1) ?? this.#readTo;
  }
}

function inMemory(held: Held[]): Codes {
  const stores = held.map(({ ids, count, store }) => ({ ids: ids.subarray(0, count), store }));
  return {
    *all() {
      for (const { ids, store } of stores) yield* parts(ids, store);
    },
    among(wanted) {
      const blocks = stores.map(({ ids, store }) => {
        const first = firstAtLeast(wanted, ids[0] ?? 0);
        const some = wanted.subarray(first, firstAtLeast(wanted, (ids.at(-1) ?? 0) + 1, first));
        const rows = Array.from(some, (id) => firstAtLeast(ids, id));
        return { ids: some, codes: store.read(rows) };
      });
      return Promise.resolve(blocks);
    },
  };
}

function onDisk(app: Store, generation: Generation): Codes {
  return {
    async *all() {
      const store = createCodeStore(wordsFor(generation.dimension), codesRead);
      for await (const { ids, codes } of readBlocks(app, generation, 0)) {
        store.write(0, codes);
        yield* parts(ids, store);
      }
    },
    among: async (ids) => [await readCodesOf(app, generation, [...ids])],
  };
}

function* parts(ids: Uint32Array, store: CodeStore): Generator<StoredCodes> {
  for (let row = 0; row < ids.length; row += codesAtOnce) {
    yield { ids: ids.subarray(row, row + codesAtOnce), store, row };
  }
}

async function* readBlocks(
  app: Store,
  generation: Generation,
  from: number,
): AsyncGenerator<CodeBlock> {
  for (let after = from, more = true; more;) {
    const block = await readCodes(app, generation, after, codesRead);
    if (block.ids.length > 0) yield block;
    after = block.ids.at(-1) ?? after;
    more = block.ids.length === codesRead;
  }
}

declare module '../../platform/db/database.js' {
  interface DatabaseMemory {
    vectors?: VectorMemory;
  }
}

export function vectorMemoryOf({ db }: WithDb): VectorMemory {
  return (db.memory.vectors ??= new VectorMemory());
}
