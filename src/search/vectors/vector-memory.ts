import type { App, WithDb } from '../../platform/app.js';
import type { Generation } from './generation.js';
import { createCodeMeter, type CodeMeter } from './code-meter.js';
import { wordsFor } from './vector-code.js';
import { countVectors, readCodes, type CodeBlock } from './vectors.repository.js';

type Store = Pick<App, 'db' | 'config'>;

/** Codes read at once; takes some milliseconds. */
const passagesInBlock = 8192;
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

/**
 * The codes of the live generation, read once and then extended: passages and their vectors never change, and their ids
 * only grow. Codes of deleted passages may be included.
 */
class VectorMemory {
  #generation = 0;
  #blocks: CodeBlock[] = [];
  #held = 0;
  /** Codes up to this passage were read, or found to be too many. */
  #readTo = 0;
  #isTooSmall = false;
  #reading: Promise<void> = Promise.resolve();
  #meter: CodeMeter | undefined;

  /** The same one for all searches: a new one would be slow until it is optimized. */
  meterFor(dimension: number): CodeMeter {
    const words = wordsFor(dimension);
    if (this.#meter?.asked.length !== words) this.#meter = createCodeMeter(words);
    return this.#meter;
  }

  /** All codes of a generation, in the order of their passages: from memory, or from the disk if they do not fit. */
  async *codesOf(app: Store, generation: Generation): AsyncGenerator<CodeBlock> {
    while (!this.#isCurrent(generation)) {
      this.#reading = this.#reading
        .catch(() => undefined)
        .then(() => (this.#isCurrent(generation) ? undefined : this.#read(app, generation)));
      await this.#reading;
    }
    if (this.#isTooSmall) yield* readBlocks(app, generation, 0);
    // A search sees the state at its start: blocks are replaced, never changed.
    else yield* [...this.#blocks];
  }

  #isCurrent({ id, embeddedTo }: Generation): boolean {
    return this.#generation === id && this.#readTo >= embeddedTo;
  }

  async #read(app: Store, generation: Generation): Promise<void> {
    const { id, dimension, embeddedTo } = generation;
    const number = await countVectors(app, id);
    const isOther = this.#generation !== id;
    const isStale = this.#held > 2 * number + mostStale;
    if (isOther || isStale || this.#isTooSmall) this.#forget(id);
    this.#isTooSmall = !fitsInMemory(app, number, dimension);
    if (this.#isTooSmall) {
      this.#forget(id);
    } else {
      for await (const block of readBlocks(app, generation, this.#readTo)) this.#add(block);
    }
    this.#readTo = embeddedTo;
  }

  #forget(generation: number): void {
    this.#generation = generation;
    this.#blocks = [];
    this.#held = 0;
    this.#readTo = 0;
  }

  #add(block: CodeBlock): void {
    const last = this.#blocks.at(-1);
    // Otherwise each embedded batch would create a block.
    const joins = last !== undefined && last.ids.length + block.ids.length <= passagesInBlock;
    this.#blocks = joins
      ? [...this.#blocks.slice(0, -1), joined(last, block)]
      : [...this.#blocks, block];
    this.#held += block.ids.length;
    this.#readTo = block.ids.at(-1) ?? this.#readTo;
  }
}

async function* readBlocks(
  app: Store,
  generation: Generation,
  from: number,
): AsyncGenerator<CodeBlock> {
  for (let after = from, more = true; more;) {
    const block = await readCodes(app, generation, after, passagesInBlock);
    if (block.ids.length > 0) yield block;
    after = block.ids.at(-1) ?? after;
    more = block.ids.length === passagesInBlock;
  }
}

function joined(first: CodeBlock, second: CodeBlock): CodeBlock {
  return {
    ids: append(new Uint32Array(first.ids.length + second.ids.length), first.ids, second.ids),
    codes: append(
      new Int32Array(first.codes.length + second.codes.length),
      first.codes,
      second.codes,
    ),
  };
}

function append<A extends Uint32Array | Int32Array>(all: A, first: A, second: A): A {
  all.set(first);
  all.set(second, first.length);
  return all;
}

declare module '../../platform/db/database.js' {
  interface DatabaseMemory {
    vectors?: VectorMemory;
  }
}

export function vectorMemoryOf({ db }: WithDb): VectorMemory {
  return (db.memory.vectors ??= new VectorMemory());
}
