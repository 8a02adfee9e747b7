import type { App } from '../../platform/app.js';
import { buildSegment, mostSlots } from './segment.js';
import {
  countPassagesAfter,
  deleteSegments,
  insertSegment,
  lastSegmented,
  measureSegments,
  readTerms,
  type SegmentSize,
} from './segments.repository.js';

type Store = Pick<App, 'db'>;

/** New passages that make a segment. Fewer are read one by one by each process that searches. */
const leastNew = 64;
/** Neighbouring segments that become one. */
const merged = 4;
/** Passages of a segment as it is made: of new passages, and of so many smaller ones each. The largest first. */
const sizes = [mostSlots, mostSlots / merged, mostSlots / merged ** 2, leastNew];

/**
 * Stores an organization's new passages as segments when they are enough, and keeps the number of segments small. Runs
 * inside the transaction that added the passages.
 */
export async function writeSegments(app: Store, organizationId: number): Promise<void> {
  const last = await lastSegmented(app, organizationId);
  if ((await countPassagesAfter(app, organizationId, last)) < leastNew) return;
  for (let after = last, more = true; more;) {
    const passages = await readTerms(app, organizationId, after, { most: mostSlots });
    // Whole ones, so that neighbours fill a larger one: a search looks into each. The rest waits for more.
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
 * Neighbours of about one size that fit into one, so that each passage is written few times: small ones, and those that
 * lost passages. One that lost them all goes by itself.
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

/** Those that search by the segments of before notice that they are gone, and begin again. */
async function mergeSegments(
  app: Store,
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
