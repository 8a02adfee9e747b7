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

/** New passages that make a segment. Fewer are read one by one by whoever searches. */
const leastNew = 1024;
/** Neighbouring segments that become one where it has room for them: small ones, and those that lost passages. */
const merged = mostSlots / leastNew;

/**
 * Stores an organization's new passages as segments when they are enough, and keeps the number of segments small. Runs
 * inside the transaction that added the passages.
 */
export async function writeSegments(app: Store, organizationId: number): Promise<void> {
  const last = await lastSegmented(app, organizationId);
  if ((await countPassagesAfter(app, organizationId, last)) < leastNew) return;
  const passages = await readTerms(app, organizationId, last);
  // Whole ones, so that neighbours fill a larger one: a search looks into each. The rest waits for more.
  for (let start = 0, size: number; passages.length - start >= leastNew; start += size) {
    size = passages.length - start >= mostSlots ? mostSlots : leastNew;
    const slice = passages.slice(start, start + size);
    await insertSegment(app, organizationId, buildSegment(slice));
  }
  for (;;) {
    const run = findMergeable(await measureSegments(app, organizationId));
    if (run === undefined) return;
    await mergeSegments(app, organizationId, run);
  }
}

function findMergeable(segments: readonly SegmentSize[]): SegmentSize[] | undefined {
  for (let start = 0; start + merged <= segments.length; start++) {
    const run = segments.slice(start, start + merged);
    if (run.reduce((sum, { passages }) => sum + passages, 0) <= mostSlots) return run;
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
  const passages = await readTerms(app, organizationId, from - 1, to);
  await deleteSegments(
    app,
    run.map(({ id }) => id),
  );
  if (passages.length > 0) await insertSegment(app, organizationId, buildSegment(passages));
}
