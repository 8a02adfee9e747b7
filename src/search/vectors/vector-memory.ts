import type { App } from '../../platform/app.js';
import type { Generation } from './generation.js';
import { wordsFor } from './vector-code.js';
import { countVectors, readCodes, type CodeBlock } from './vectors.repository.js';

type Store = Pick<App, 'db' | 'config'>;

/** Codes read at once: some milliseconds. */
const passagesInBlock = 8192;
/** Codes of deleted passages stay until they are half of all and more than these. */
const mostStale = 10_000;

/** Bytes that the codes of so many vectors take in memory, with the numbers of their passages. */
function bytesInMemory(vectors: number, dimension: number): number {
  return vectors * (wordsFor(dimension) + 1) * 4;
}

/** Whether the codes of a generation fit into the memory that the settings give them. */
export function fitsInMemory(app: Pick<App, 'config'>, vectors: number, dimension: number) {
  const budget = app.config.search.vector_memory_mb * 2 ** 20;
  return bytesInMemory(vectors, dimension) <= budget;
}

/**
 * The codes of the generation that searches use, read once and then as new ones come: passages and their vectors never
 * change, and their numbers only grow. Those of deleted passages may be among them.
 */
export class VectorMemory {
  #generation = 0;
  #blocks: CodeBlock[] = [];
  #held = 0;
  /** Codes of passages up to this one were read, or looked at and found to be too many. */
  #readTo = 0;
  #isTooSmall = false;
  #reading: Promise<void> = Promise.resolve();

  /** All codes of a generation, in order of their passages: from memory, or from the disk where they do not fit. */
  async *codesOf(app: Store, generation: Generation): AsyncGenerator<CodeBlock> {
    while (!this.#isCurrent(generation)) {
      this.#reading = this.#reading
        .catch(() => undefined)
        .then(() => (this.#isCurrent(generation) ? undefined : this.#read(app, generation)));
      await this.#reading;
    }
    if (this.#isTooSmall) yield* readBlocks(app, generation, 0);
    // A search sees what was there when it began: blocks are replaced, never changed.
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
    // Else there would be a block for each batch that is embedded.
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

/** The one memory of an app's process. */
export function vectorMemoryOf({ db }: Pick<App, 'db'>): VectorMemory {
  return (db.memory.vectors ??= new VectorMemory());
}
