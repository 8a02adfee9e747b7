import type { App } from '../../platform/app.js';
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

type Store = Pick<App, 'db'>;

/** The postings of some hashes: for each segment of the index, in its order, undefined where no passage holds one. */
export type Postings = Map<number, (Uint16Array | undefined)[]>;

/** The postings of hashes, which those that are not in memory are read for. */
export async function readPostings(
  app: Store,
  { segments }: Pick<PassageIndex, 'segments'>,
  hashes: Iterable<number>,
): Promise<Postings> {
  const wanted = [...new Set(hashes)];
  const lists = [...new Set(wanted.map(listOf))];
  const read = await readTermLists(app, segments, lists);
  const ofSegment = (segment: Segment, list: number) =>
    segment.lists?.[list] ?? read.get(keyOf(segment.id, list));
  return new Map(
    wanted.map((hash) => [
      hash,
      segments.map((segment) => {
        const terms = ofSegment(segment, listOf(hash));
        return terms && findPostings(terms, hash);
      }),
    ]),
  );
}

/** The term lists of segments, by their key, those that are not in memory read for it. */
async function readTermLists(
  app: Store,
  segments: readonly Segment[],
  lists: readonly number[],
): Promise<Map<number, TermList>> {
  const { lists: cached } = cacheOf(app);
  const found = new Map<number, TermList>();
  const missing = new Map<number, number[]>();
  for (const { id, lists: own } of segments) {
    if (id === undefined || own !== undefined) continue;
    for (const list of lists) {
      const known = cached.get(keyOf(id, list));
      if (known !== undefined) found.set(keyOf(id, list), known.terms);
      else missing.set(list, [...(missing.get(list) ?? []), id]);
    }
  }
  if (missing.size === 0) return found;
  const ids = [...new Set([...missing.values()].flat())];
  const rows = await readLists(app, ids, [...missing.keys()]);
  for (const { segment, list, terms, bytes } of rows) {
    found.set(keyOf(segment, list), terms);
    cached.set(keyOf(segment, list), { terms, bytes });
  }
  for (const [list, of] of missing) {
    if (of.some((id) => !found.has(keyOf(id, list)))) throw new StaleIndexError();
  }
  return found;
}

function keyOf(segment: number | undefined, list: number): number {
  return (segment ?? 0) * listsOfSegment + list;
}

/** In how many passages that the scope sees a stem stands. */
export function countVisible(
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
