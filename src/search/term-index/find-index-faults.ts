import { vocabularyOf } from '../../language/vocabulary.js';
import type { WithDb } from '../../platform/app.js';
import { analysePassage } from '../passages/analyse-texts.js';
import {
  listWithoutFeatures,
  readFeatures,
  readStoredTexts,
} from '../passages/passages.repository.js';
import { findWords } from '../passages/vocabulary.repository.js';
import { joinSegments, uniteLists } from './join-segments.js';
import {
  buildSegment,
  coarseLists,
  listsIn,
  mostBuilt,
  type Segment,
  type TermList,
} from './segment.js';
import {
  listPassagesAfter,
  listSegments,
  readLists,
  readSlots,
  readTerms,
} from './segments.repository.js';

const passagesAtOnce = 500;

/**
 * Compares an organization's search data with the passages from which it is made. Returns what differs, in sentences;
 * empty when a search finds what is stored. `most`: the passages that are analysed again, spread evenly; it takes a
 * millisecond each. Everything else is compared completely.
 */
export async function findIndexFaults(
  app: WithDb,
  organizationId: number,
  most = Infinity,
): Promise<string[]> {
  const faults: string[] = [];
  const bare = await listWithoutFeatures(app, organizationId);
  if (bare.length > 0) faults.push(`${bare.length} passages have no search data`);
  try {
    const texts = await compareTexts(app, organizationId, most);
    if (texts.features > 0) {
      faults.push(`the search data of ${texts.features} passages is of other texts`);
    }
    if (texts.words > 0) faults.push(`the vocabulary lacks ${texts.words} words`);
    const segments = await countWrongSegments(app, organizationId);
    if (segments > 0) faults.push(`${segments} parts of the term index differ from the passages`);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    faults.push(`search data can’t be read (${error.message})`);
  }
  return faults;
}

/** The passages whose stored features are not those of their text, and the words that the vocabulary lacks. */
async function compareTexts(
  app: WithDb,
  organizationId: number,
  most: number,
): Promise<{ features: number; words: number }> {
  const all = await listPassagesAfter(app, organizationId, 0);
  const step = Math.max(1, Math.ceil(all.length / most));
  const found = { features: 0, words: 0 };
  for (let last = 0, more = true; more;) {
    const texts = await readStoredTexts(app, organizationId, last, passagesAtOnce);
    const chosen = texts.filter((_, index) => index % step === 0);
    const stored = await readFeatures(
      app,
      chosen.map(({ id }) => id),
    );
    const terms: string[] = [];
    for (const text of chosen) {
      const { titleTerms, bodyTerms, features } = analysePassage(text);
      terms.push(...titleTerms, ...bodyTerms);
      const own = stored.get(text.id);
      if (own !== undefined && Buffer.compare(own, features) !== 0) found.features += 1;
    }
    const words = vocabularyOf(terms).map(({ term }) => term);
    const { present } = await findWords(app, organizationId, [], { words });
    found.words += words.length - new Set(present).size;
    last = texts.at(-1)?.id ?? last;
    more = texts.length === passagesAtOnce;
  }
  return found;
}

/** The stored segments from which a search would read other stems than the passages have. */
async function countWrongSegments(app: WithDb, organizationId: number): Promise<number> {
  const ids = await listSegments(app, organizationId);
  const slots = await readSlots(app, ids);
  let wrong = 0;
  let after = 0;
  for (const id of ids) {
    const own = slots.get(id);
    if (own === undefined || own.ids.length === 0) {
      wrong += 1;
      continue;
    }
    const number = listsIn(own.ids.length);
    const last = own.ids.at(-1) ?? after;
    // From the end of the previous segment on: between the two there must be no passage.
    const lists = await readLists(
      app,
      [id],
      Array.from({ length: number }, (_, list) => list),
    );
    const inOrder = lists.toSorted((one, other) => one.list - other.list);
    const stored = { id, slots: own, lists: inOrder.map(({ terms }) => terms) };
    if (
      lists.length < number ||
      !isSame(stored, await buildAnew(app, organizationId, after, last))
    ) {
      wrong += 1;
    }
    after = last;
  }
  return wrong;
}

/** A segment of all passages after one id and up to another. */
async function buildAnew(
  app: WithDb,
  organizationId: number,
  after: number,
  last: number,
): Promise<Segment & { lists: TermList[] }> {
  const parts = [];
  for (let from = after, more = true; more;) {
    const passages = await readTerms(app, organizationId, from, { last, most: mostBuilt });
    parts.push(buildSegment(passages));
    from = passages.at(-1)?.id ?? from;
    more = passages.length === mostBuilt;
  }
  return joinSegments(parts);
}

/** Compares a stored segment with one that is built anew. Deleted passages may be left in the stored one. */
function isSame(
  stored: Segment & { lists: TermList[] },
  fresh: Segment & { lists: TermList[] },
): boolean {
  const slotOfId = new Map(Array.from(stored.slots.ids, (id, slot) => [id, slot]));
  const kept = new Set<number>();
  for (const [slot, id] of fresh.slots.ids.entries()) {
    const at = slotOfId.get(id);
    if (at === undefined) return false;
    if (stored.slots.words[at] !== fresh.slots.words[slot]) return false;
    if (stored.slots.grams[at] !== fresh.slots.grams[slot]) return false;
    kept.add(at);
  }
  // Without its deleted passages, a segment may have fewer lists.
  const coarse = ({ lists }: { lists: TermList[] }, index: number) => {
    const split = lists.length / coarseLists;
    return uniteLists(lists.slice(index * split, (index + 1) * split));
  };
  return Array.from({ length: coarseLists }, (_, index) => index).every((index) => {
    const left = postingsOf(coarse(stored, index), stored.slots.ids, kept);
    const right = postingsOf(coarse(fresh, index), fresh.slots.ids);
    return left.length === right.length && left.every((item, at) => item === right[at]);
  });
}

/** Hash, passage and count of each posting, in order. */
function postingsOf(
  { hashes, ends, slots: slotsOf, counts }: TermList,
  ids: Uint32Array,
  kept?: ReadonlySet<number>,
): number[] {
  const found: number[] = [];
  for (const [index, hash] of hashes.entries()) {
    for (let at = ends[index - 1] ?? 0; at < (ends[index] ?? 0); at++) {
      const slot = slotsOf[at] ?? 0;
      if (kept?.has(slot) === false) continue;
      found.push(hash, ids[slot] ?? 0, counts[at] ?? 0);
    }
  }
  return found;
}
