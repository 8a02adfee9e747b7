import type { WithDb } from '../../platform/app.js';
import { hashOf } from '../../language/term-features.js';
import { cacheOf, StaleIndexError, type PassageIndex } from './index-cache.js';
import {
  findPostings,
  listOf,
  listsOfSegment,
  slotOf,
  type Segment,
  type TermList,
} from './segment.js';
import { readLists } from './segments.repository.js';

/** The postings of hashes: for each segment of the index, in order; undefined when no passage holds the hash. */
export type Postings = Map<number, (Uint16Array | undefined)[]>;

/** The postings of hashes. Reads those that are not in memory. */
export async function readPostings(
  app: WithDb,
  { segments }: Pick<PassageIndex, 'segments'>,
  hashes: Iterable<number>,
): Promise<Postings> {
  const wanted = [...new Set(hashes)];
  const lists = await readTermLists(app, segments, [...new Set(wanted.map(listOf))]);
  return new Map(
    wanted.map((hash) => [
      hash,
      lists.map((own) => {
        const terms = own[listOf(hash)];
        return terms && findPostings(terms, hash);
      }),
    ]),
  );
}

/** For each segment its term lists. Reads the wanted ones that are not in memory. */
async function readTermLists(
  app: WithDb,
  segments: readonly Segment[],
  wanted: readonly number[],
): Promise<(TermList | undefined)[][]> {
  const { lists: cached } = cacheOf(app);
  const known = segments.map(({ id, lists }) => {
    return lists ?? (id === undefined ? undefined : cached.get(id)?.lists) ?? [];
  });
  const incomplete = segments.flatMap(({ id }, index) => {
    const lacks = wanted.filter((list) => known[index]?.[list] === undefined);
    return id === undefined || lacks.length === 0 ? [] : [{ id, index, lacks }];
  });
  if (incomplete.length === 0) return known;
  for (let start = 0; start < incomplete.length; start += segmentsAtOnce) {
    const some = incomplete.slice(start, start + segmentsAtOnce);
    const rows = await readLists(
      app,
      some.map(({ id }) => id),
      [...new Set(some.flatMap(({ lacks }) => lacks))],
    );
    for (const { id, index, lacks } of some) {
      const { lists: before = [], bytes: held = bytesOfSegment } = cached.get(id) ?? {};
      const lists = [...before];
      let bytes = held;
      for (const row of rows) {
        if (row.segment !== id || lists[row.list] !== undefined) continue;
        lists[row.list] = row.terms;
        bytes += row.bytes + bytesOfList;
      }
      if (lacks.some((list) => lists[list] === undefined)) throw new StaleIndexError();
      cached.set(id, { lists, bytes });
      known[index] = lists;
    }
  }
  return known;
}

/**
 * Segments whose lists are read by one query. The event loop is held while its rows are decoded, and each segment looks
 * for its own among them.
 */
const segmentsAtOnce = 32;
/** Bytes of memory besides the numbers. */
const bytesOfList = 300;
const bytesOfSegment = 8 * listsOfSegment;

/** The postings of terms, and the number of visible passages that hold each. */
export interface TermCounts {
  postings: Postings;
  /** Reads the missing ones. */
  lookUp: (terms: Iterable<string>) => Promise<void>;
  /** Only for terms that were looked up; 0 for others. */
  holding: (term: string) => number;
}

export function createTermCounts(app: WithDb, index: PassageIndex): TermCounts {
  const postings: Postings = new Map();
  const counts = new Map<string, number>();
  return {
    postings,
    lookUp: async (terms) => {
      const missing = [...new Set(terms)].filter((term) => !counts.has(term));
      const found = await readPostings(app, index, missing.map(hashOf));
      for (const [hash, own] of found) postings.set(hash, own);
      for (const term of missing) counts.set(term, countVisible(index, postings, hashOf(term)));
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
    for (let at = 0; at < own.length; at++) count += visible[slotOf(own[at] ?? 0)] ?? 0;
  }
  return count;
}
