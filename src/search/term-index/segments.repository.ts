import type { Visibility } from '../../platform/actor.js';
import type { WithDb } from '../../platform/app.js';
import { decodeFeatures } from '../../language/term-features.js';
import {
  bytesOfSlot,
  decodeList,
  decodeSlots,
  encodeList,
  encodeSlots,
  type IndexedTerms,
  type Segment,
  type Slots,
  type TermList,
} from './segment.js';

/** A database trigger increases it with each change of an organization's passages; 0 before the first change. */
export async function readRevision(app: WithDb, organizationId: number): Promise<number> {
  const row: { revision: number } | undefined = await app.db
    .read('passage_revisions')
    .where({ organization_id: organizationId })
    .first('revision');
  return row?.revision ?? 0;
}

/** Tells other processes that the search data has changed while the passages have not. */
export async function increaseRevision(app: WithDb, organizationId: number): Promise<void> {
  await app.db
    .write('passage_revisions')
    .insert({ organization_id: organizationId, revision: 1 })
    .onConflict('organization_id')
    .merge({ revision: app.db.write.raw('passage_revisions.revision + 1') });
}

/** The ids of an organization's segments, in the order of their passages. */
export async function listSegments(app: WithDb, organizationId: number): Promise<number[]> {
  return (await app.db
    .read('term_segments')
    .where({ organization_id: organizationId })
    .orderBy('first_passage')
    .pluck('id')) as number[];
}

/** The slots of segments, by segment id. Deleted segments are left out. */
export async function readSlots(app: WithDb, ids: readonly number[]): Promise<Map<number, Slots>> {
  const rows: { id: number; slots: Uint8Array }[] = await app.db.dialect
    .rowsWithKey(app.db.read, 'term_segments', 'id', ids)
    .select('id', 'slots');
  return new Map(rows.map(({ id, slots }) => [id, decodeSlots(slots)]));
}

/** The existing term lists among the requested ones; an existing segment has all. */
export async function readLists(
  app: WithDb,
  segments: readonly number[],
  lists: readonly number[],
): Promise<{ segment: number; list: number; terms: TermList; bytes: number }[]> {
  const rows: { segment_id: number; list: number; terms: Uint8Array }[] = await app.db
    .read('term_lists')
    .whereIn('segment_id', segments)
    .whereIn('list', lists)
    .select('segment_id', 'list', 'terms');
  return rows.map(({ segment_id: segment, list, terms }) => {
    return { segment, list, terms: decodeList(terms), bytes: terms.length };
  });
}

/** The ids of an organization's passages after one id and up to another, ascending. */
export async function listPassagesAfter(
  app: WithDb,
  organizationId: number,
  after: number,
  last = Number.MAX_SAFE_INTEGER,
): Promise<Uint32Array> {
  const row: { ids: string | null } | undefined = await app.db
    .read('passages')
    .where({ organization_id: organizationId })
    .where('id', '>', after)
    .where('id', '<=', last)
    .first(app.db.read.raw(idsInOneText));
  return numbersIn(row?.ids ?? '').sort();
}

/** One row takes a tenth of the time of one row per passage. */
const idsInOneText = `string_agg(cast(id as text), ',') as ids`;

/** The terms of an organization's passages after one id and up to another; the first `most` of them. */
export async function readTerms(
  app: WithDb,
  organizationId: number,
  after: number,
  {
    last = Number.MAX_SAFE_INTEGER,
    most = Number.MAX_SAFE_INTEGER,
  }: { last?: number; most?: number } = {},
): Promise<IndexedTerms[]> {
  const rows: { id: number; features: Uint8Array }[] = await app.db
    .read('passages as p')
    .join('passage_features as f', 'f.passage_id', 'p.id')
    .where('p.organization_id', organizationId)
    .where('p.id', '>', after)
    .where('p.id', '<=', last)
    .orderBy('p.id')
    .limit(most)
    .select('p.id', 'f.features');
  return rows.map(({ id, features }) => ({ id, features: decodeFeatures(features) }));
}

/** An organization's published passages with the same rights; ids ascending. */
export interface VisibleGroup {
  appId: number;
  visibility: Visibility;
  ids: Uint32Array;
}

/** All groups. */
export async function readVisible(app: WithDb, organizationId: number): Promise<VisibleGroup[]> {
  const rows: { app_id: number; visibility: Visibility; ids: string }[] = await app.db
    .read('passages')
    .where({ organization_id: organizationId, published: true })
    .whereNotNull('app_id')
    .groupBy('visibility', 'app_id')
    .select('app_id', 'visibility', app.db.read.raw(idsInOneText));
  return rows.map(({ app_id: appId, visibility, ids }) => {
    return { appId, visibility, ids: numbersIn(ids).sort() };
  });
}

/** Parses numbers separated by commas. `split` takes five times as long. */
function numbersIn(text: string): Uint32Array {
  const numbers = new Uint32Array(Math.ceil(text.length / 2));
  let used = 0;
  let number = 0;
  for (let at = 0; at <= text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0) number = number * 10 + digit;
    else {
      numbers[used++] = number;
      number = 0;
    }
  }
  return numbers.slice(0, used);
}

export async function insertSegment(
  app: WithDb,
  organizationId: number,
  { slots, lists }: Segment & { lists: TermList[] },
): Promise<void> {
  const rows: { id: number }[] = await app.db
    .write('term_segments')
    .insert({
      organization_id: organizationId,
      first_passage: slots.ids[0],
      last_passage: slots.ids.at(-1),
      slots: encodeSlots(slots),
    })
    .returning('id');
  const segment_id = rows[0]?.id;
  // Encoding all of a large segment at once would hold the event loop, and 20 MB.
  for (let from = 0; from < lists.length; from += listsPerInsert) {
    const some = lists.slice(from, from + listsPerInsert);
    const rows = some.map((terms, at) => ({
      segment_id,
      list: from + at,
      terms: encodeList(terms),
    }));
    await app.db.write('term_lists').insert(rows);
  }
}

const listsPerInsert = 64;

export async function deleteSegments(app: WithDb, ids: readonly number[]): Promise<void> {
  await app.db.write('term_segments').whereIn('id', ids).delete();
}

export async function deleteSegmentsOf(app: WithDb, organizationId: number): Promise<void> {
  await app.db.write('term_segments').where({ organization_id: organizationId }).delete();
}

/** A segment's first and last passage, and the number of its passages, with those deleted since. */
export interface SegmentSize {
  id: number;
  first: number;
  last: number;
  passages: number;
}

/** All segments of an organization, in the order of their passages. */
export async function measureSegments(app: WithDb, organizationId: number): Promise<SegmentSize[]> {
  const rows: (Omit<SegmentSize, 'passages'> & { bytes: number })[] = await app.db
    .read('term_segments')
    .where({ organization_id: organizationId })
    .orderBy('first_passage')
    .select('id', 'first_passage as first', 'last_passage as last')
    .select(app.db.read.raw('length(slots) as bytes'));
  return rows.map(({ bytes, ...segment }) => ({ ...segment, passages: bytes / bytesOfSlot }));
}

/** An organization's last passage that is in a segment (0 without any), and how many it has after that one. */
export async function countUnsegmented(
  app: WithDb,
  organizationId: number,
): Promise<{ last: number; passages: number }> {
  const { read } = app.db;
  const own = { organization_id: organizationId };
  const last = read('term_segments').where(own).select(read.raw('coalesce(max(last_passage), 0)'));
  const after = read('passages')
    .where(own)
    .where('id', '>', read.ref('segmented.last'))
    .count('id');
  const [counted]: { last: number; passages: number }[] = await read
    .from(read.select({ last }).as('segmented'))
    .select({ last: 'segmented.last', passages: after });
  return counted ?? { last: 0, passages: 0 };
}
