import type { WithDb } from '../../platform/app.js';
import { buildSegment, mostSlots } from './segment.js';
import {
  countUnsegmented,
  deleteSegments,
  insertSegment,
  measureSegments,
  readTerms,
  type SegmentSize,
} from './segments.repository.js';

/** The new passages that justify a segment. Each searching process reads fewer ones individually. */
const leastNew = 64;
/** Adjacent segments that are merged into one. */
const merged = 4;
/** The sizes of new segments in passages, the largest first. */
const sizes = [mostSlots, mostSlots / merged, mostSlots / merged ** 2, leastNew];

/**
 * Stores an organization's new passages as segments when there are enough, and keeps the number of segments small. Runs
 * inside the transaction that added the passages.
 */
export async function writeSegments(app: WithDb, organizationId: number): Promise<void> {
  const { last, passages } = await countUnsegmented(app, organizationId);
  if (passages < leastNew) return;
  for (let after = last, more = true; more;) {
    const passages = await readTerms(app, organizationId, after, { most: mostSlots });
    // Only full sizes, so that neighbours can be merged into a larger one: a search reads each segment. The rest waits.
    for (let start = 0; passages.length - start >= leastNew;) {
      const size = sizes.find((one) => one <= passages.length - start) ?? leastNew;
      await insertSegment(app, organizationId, buildSegment(passages.slice(start, start + size)));
      start += size;
    }
    after = passages.at(-1)?.id ?? after;
    more = passages.length === mostSlots;
  }
  for (;;) {
    const run = findMergeable(await measureSegments(app, organizationId));
    if (run === undefined) return;
    await mergeSegments(app, organizationId, run);
  }
}

/**
 * Adjacent segments of similar size that fit into one, so that each passage is rewritten rarely: small segments, and
 * those with deleted passages. A segment without passages is deleted by itself.
 */
function findMergeable(segments: readonly SegmentSize[]): SegmentSize[] | undefined {
  const empty = segments.find(({ passages }) => passages === 0);
  if (empty !== undefined) return [empty];
  for (let start = 0; start + merged <= segments.length; start++) {
    const run = segments.slice(start, start + merged);
    const numbers = run.map(({ passages }) => passages);
    const total = numbers.reduce((sum, number) => sum + number, 0);
    if (total <= mostSlots && Math.max(...numbers) < merged * Math.min(...numbers)) return run;
  }
  return undefined;
}

/** A search that uses the old segments detects that they are gone and restarts. */
async function mergeSegments(
  app: WithDb,
  organizationId: number,
  run: readonly SegmentSize[],
): Promise<void> {
  const [from, to] = [run[0]?.first ?? 0, run.at(-1)?.last ?? 0];
  const passages = await readTerms(app, organizationId, from - 1, { last: to });
  await deleteSegments(
    app,
    run.map(({ id }) => id),
  );
  if (passages.length > 0) await insertSegment(app, organizationId, buildSegment(passages));
}
