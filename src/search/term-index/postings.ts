import type { WithDb } from '../../platform/app.js';
import { hashOf } from '../../language/term-features.js';
import { cacheOf, StaleIndexError, type PassageIndex } from './index-cache.js';
import {
  coarseLists,
  findPostings,
  listOf,
  listsIn,
  mostLists,
  type HashPostings,
  type TermList,
} from './segment.js';
import { readLists } from './segments.repository.js';

/** The postings of hashes: for each segment of the index, in order; undefined when no passage holds the hash. */
export type Postings = Map<number, (HashPostings | undefined)[]>;

/** The postings of hashes. Reads those that are not in memory. */
export async function readPostings(
  app: WithDb,
  { segments }: Pick<PassageIndex, 'segments'>,
  hashes: Iterable<number>,
): Promise<Postings> {
  const wanted = [...new Set(hashes)];
  const postings: Postings = new Map(wanted.map((hash) => [hash, []]));
  const neededOf = (number: number) => [...new Set(wanted.map((hash) => listOf(hash, number)))];
  const needed = new Map([coarseLists, mostLists].map((number) => [number, neededOf(number)]));
  const { lists: cached } = cacheOf(app);
  const find = (index: number, number: number, lists: readonly (TermList | undefined)[]) => {
    for (const hash of wanted) {
      const terms = lists[listOf(hash, number)];
      const own = postings.get(hash);
      if (own !== undefined) own[index] = terms && findPostings(terms, hash);
    }
  };
  const incomplete: { id: number; index: number; number: number }[] = [];
  for (const [index, { id, slots, lists }] of segments.entries()) {
    const number = lists?.length ?? listsIn(slots.ids.length);
    const own = needed.get(number) ?? [];
    const known = lists ?? (id === undefined ? [] : cached.ask(id, own));
    if (id !== undefined && own.some((list) => known[list] === undefined)) {
      incomplete.push({ id, index, number });
    } else find(index, number, known);
  }
  for (const { id, index, number } of incomplete) {
    const known = [...cached.ask(id, [])];
    const lacks = (needed.get(number) ?? []).filter((list) => known[list] === undefined);
    for (const { list, terms, bytes } of await readLists(app, [id], lacks)) {
      known[list] = terms;
      cached.add(id, list, terms, bytes);
    }
    if (lacks.some((list) => known[list] === undefined)) throw new StaleIndexError();
    find(index, number, known);
    cached.evict();
  }
  return postings;
}

/** The numbers of visible passages that hold terms. */
export interface TermCounts {
  /** Counts those that were not counted before. */
  lookUp: (terms: Iterable<string>) => Promise<void>;
  /** Only for terms that were looked up; 0 for others. */
  holding: (term: string) => number;
}

export function createTermCounts(app: WithDb, index: PassageIndex): TermCounts {
  const counts = new Map<string, number>();
  return {
    lookUp: async (terms) => {
      const unknown: string[] = [];
      for (const term of new Set(terms)) {
        const count = counts.get(term) ?? index.counts.get(term);
        if (count === undefined) unknown.push(term);
        else counts.set(term, count);
      }
      const postings = await readPostings(app, index, unknown.map(hashOf));
      for (const term of unknown) {
        const count = countVisible(index, postings, hashOf(term));
        counts.set(term, count);
        index.counts.set(term, count);
      }
    },
    holding: (term) => counts.get(term) ?? 0,
  };
}

/** The number of visible passages that hold a stem. */
function countVisible(
  { segments }: Pick<PassageIndex, 'segments'>,
  postings: Postings,
  hash: number,
): number {
  let count = 0;
  for (const [index, own] of (postings.get(hash) ?? []).entries()) {
    const visible = segments[index]?.visible;
    if (own === undefined || visible === undefined) continue;
    const { slots } = own.list;
    for (let at = own.from; at < own.end; at++) count += visible[slots[at] ?? 0] ?? 0;
  }
  return count;
}
