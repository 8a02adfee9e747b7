import { mostLists, type TermList } from './segment.js';

interface CachedSegment {
  lists: (TermList | undefined)[];
  /** The bytes of each list; 0 for one that is not in memory. */
  bytes: Float32Array;
  /** How often each list was asked for, halved with each eviction; also for lists that are not in memory. */
  asked: Float32Array;
}

/** Bytes of a segment, and of a list besides its numbers. */
const bytesOf = { segment: 3 * 8 * mostLists, list: 600 };
/** An eviction leaves this share of the limit in use, so that not every search evicts. */
const keptShare = 7 / 8;

/**
 * The term lists that were read, by segment. Above its limit it drops the lists that were asked for least often. Each
 * search asks for a list of every segment: a cache that drops the oldest lists would keep none of the lists that the next
 * search needs.
 */
export class ListCache {
  readonly #segments = new Map<number, CachedSegment>();
  #bytes = 0;
  /** The limit in bytes. */
  most: number;

  constructor(most: number) {
    this.most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Those of the lists that are in memory, by number. Counts that they were asked for: a search asks for those of all
   * segments before it adds any. Otherwise those that it needs next would be dropped.
   */
  ask(segment: number, lists: readonly number[]): readonly (TermList | undefined)[] {
    const own = this.#segments.get(segment);
    if (own === undefined) return [];
    for (const list of lists) own.asked[list] = (own.asked[list] ?? 0) + 1;
    return own.lists;
  }

  /** `bytes`: those of the list's numbers. The limit holds after the next `evict`. */
  add(segment: number, list: number, terms: TermList, bytes: number): void {
    let own = this.#segments.get(segment);
    if (own === undefined) {
      const numbers = () => new Float32Array(mostLists);
      own = { lists: [], bytes: numbers(), asked: numbers() };
      this.#segments.set(segment, own);
      this.#bytes += bytesOf.segment;
    }
    if (own.lists[list] !== undefined) return;
    own.lists[list] = terms;
    own.bytes[list] = bytes + bytesOf.list;
    own.asked[list] = Math.max(1, own.asked[list] ?? 0);
    this.#bytes += bytes + bytesOf.list;
  }

  /** Drops lists if the limit is exceeded. */
  evict(): void {
    if (this.#bytes <= this.most) return;
    const held = [...this.#segments].flatMap(([segment, { lists, asked }]) =>
      lists.flatMap((terms, list) =>
        terms === undefined ? [] : [{ segment, list, asked: asked[list] ?? 0 }],
      ),
    );
    held.sort((one, other) => one.asked - other.asked);
    for (const { segment, list } of held) {
      if (this.#bytes <= this.most * keptShare) break;
      this.#drop(segment, list);
    }
    for (const [segment, { lists, asked }] of this.#segments) {
      for (let list = 0; list < asked.length; list++) asked[list] = (asked[list] ?? 0) / 2;
      if (lists.some((terms) => terms !== undefined)) continue;
      this.#segments.delete(segment);
      this.#bytes -= bytesOf.segment;
    }
  }

  #drop(segment: number, list: number): void {
    const own = this.#segments.get(segment);
    if (own === undefined) return;
    own.lists[list] = undefined;
    this.#bytes -= own.bytes[list] ?? 0;
    own.bytes[list] = 0;
  }
}
