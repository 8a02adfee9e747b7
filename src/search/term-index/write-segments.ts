import type { WithDb } from '../../platform/app.js';
import { joinLists, joinSlots, splitList, uniteLists } from './join-segments.js';
import {
  buildSegment,
  coarseLists,
  listsIn,
  mostBuilt,
  mostSlots,
  type TermList,
} from './segment.js';
import {
  countUnsegmented,
  deleteSegments,
  insertSegment,
  listPassagesAfter,
  measureSegments,
  readLists,
  readSlots,
  readTerms,
  type SegmentSize,
} from './segments.repository.js';

/** The new passages that justify a segment. Each searching process reads fewer ones individually. */
const leastNew = 64;
/**
 * The sizes in passages that smaller neighbours reach by being merged, the largest first. So a passage is rewritten at
 * most once for each size.
 */
const sizes = [mostSlots / 2, mostSlots / 4, 4096, 1024, 256];

/**
 * Stores an organization's new passages as segments when there are enough, and keeps the number of segments small: after
 * each new one at most one run of neighbours is merged, so that a writer never waits for more. Runs inside the
 * transaction that added the passages.
 */
export async function writeSegments(app: WithDb, organizationId: number): Promise<void> {
  const { last, passages } = await countUnsegmented(app, organizationId);
  if (passages < leastNew) return;
  for (let after = last, more = true; more;) {
    const passages = await readTerms(app, organizationId, after, { most: mostBuilt });
    if (passages.length < leastNew) return;
    await insertSegment(app, organizationId, buildSegment(passages));
    after = passages.at(-1)?.id ?? after;
    more = passages.length === mostBuilt;
    const segments = await measureSegments(app, organizationId);
    const run = findMergeable(segments) ?? (await findWorn(app, organizationId, segments, after));
    try {
      if (run !== undefined) await mergeSegments(app, organizationId, run);
    } catch (error) {
      // A list that can't be decoded. Nothing was changed yet.
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

/** Neighbours that are smaller than one of the sizes, and together reach it. */
export function findMergeable(segments: readonly SegmentSize[]): SegmentSize[] | undefined {
  for (const size of sizes) {
    let run: SegmentSize[] = [];
    let total = 0;
    for (const segment of segments) {
      const isSmall = segment.passages < size;
      // Small ones take at most half of a segment each, so those that fit into one reach the size.
      if (isSmall ? total + segment.passages > mostSlots : total >= size) break;
      run = isSmall ? [...run, segment] : [];
      total = isSmall ? total + segment.passages : 0;
    }
    if (total >= size) return run;
  }
  return undefined;
}

/**
 * One segment, if most of its passages were deleted. Counting them takes time, so each write looks at another segment:
 * `turn` is a number that grows by at least `leastNew`.
 */
async function findWorn(
  app: WithDb,
  organizationId: number,
  segments: readonly SegmentSize[],
  turn: number,
): Promise<SegmentSize[] | undefined> {
  const segment = segments[Math.floor(turn / leastNew) % segments.length];
  if (segment === undefined) return undefined;
  const present = await listPassagesAfter(app, organizationId, segment.first - 1, segment.last);
  return present.length < segment.passages / 2 ? [segment] : undefined;
}

/**
 * Merges the lists of segments without their deleted passages. A search that uses the old segments detects that they are
 * gone and restarts. Damaged segments stay as they are: `assistant doctor --repair` makes them anew.
 */
async function mergeSegments(
  app: WithDb,
  organizationId: number,
  run: readonly SegmentSize[],
): Promise<void> {
  const [from, to] = [run[0]?.first ?? 0, run.at(-1)?.last ?? 0];
  const ids = run.map(({ id }) => id);
  const present = await listPassagesAfter(app, organizationId, from - 1, to);
  const stored = await readSlots(app, ids);
  const parts = ids.flatMap((id) => stored.get(id) ?? []);
  const { slots, moved } = joinSlots(parts, present);
  const lists: TermList[] = [];
  for (let first = 0; first < coarseLists; first += listsAtOnce) {
    const own: TermList[][] = [];
    for (const [part, id] of ids.entries()) {
      const read = await readCoarse(app, id, parts[part]?.ids.length ?? 0, first);
      if (read === undefined) return;
      own.push(read);
    }
    for (let at = 0; at < listsAtOnce; at++) {
      const joined = joinLists(
        own.flatMap((part) => part[at] ?? []),
        moved,
      );
      lists.push(...splitList(joined, first + at, listsIn(slots.ids.length)));
    }
  }
  await deleteSegments(app, ids);
  if (slots.ids.length > 0)
    await insertSegment(app, organizationId, { id: undefined, slots, lists });
}

/** Coarse lists of each segment that are read at once: the event loop is held while they are decoded. */
const listsAtOnce = 16;

/** The next coarse lists of a segment of so many passages; undefined if one is missing. */
async function readCoarse(
  app: WithDb,
  segment: number,
  passages: number,
  first: number,
): Promise<TermList[] | undefined> {
  const split = listsIn(passages) / coarseLists;
  const wanted = Array.from({ length: listsAtOnce * split }, (_, at) => first * split + at);
  const rows = await readLists(app, [segment], wanted);
  if (rows.length < wanted.length) return undefined;
  const inOrder = rows.sort((one, other) => one.list - other.list).map(({ terms }) => terms);
  return Array.from({ length: listsAtOnce }, (_, at) =>
    uniteLists(inOrder.slice(at * split, (at + 1) * split)),
  );
}
