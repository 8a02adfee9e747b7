import { coarseLists, listsIn, type Segment, type Slots, type TermList } from './segment.js';

/** Joins built segments, in the order of their passages, into one as it is stored. */
export function joinSegments(
  parts: readonly (Segment & { lists: TermList[] })[],
): Segment & { lists: TermList[] } {
  const { slots, moved } = joinSlots(parts.map((part) => part.slots));
  const lists = Array.from({ length: coarseLists }, (_, list) => {
    const own = parts.flatMap((part) => part.lists[list] ?? []);
    return splitList(joinLists(own, moved), list, listsIn(slots.ids.length));
  });
  return { id: undefined, slots, lists: lists.flat() };
}

/** One of the coarse lists as the lists of a segment that has so many. */
export function splitList(
  { hashes, ends, slots, counts }: TermList,
  list: number,
  lists: number,
): TermList[] {
  const split: TermList[] = [];
  const width = 2 ** 32 / lists;
  let [first, from] = [0, 0];
  for (let part = 0; part < lists / coarseLists; part++) {
    const beyond = list * (2 ** 32 / coarseLists) + (part + 1) * width;
    let after = first;
    while ((hashes[after] ?? Infinity) < beyond) after++;
    const end = after === first ? from : (ends[after - 1] ?? 0);
    const start = from;
    split.push({
      hashes: hashes.slice(first, after),
      ends: ends.slice(first, after).map((one) => one - start),
      slots: slots.slice(from, end),
      counts: counts.slice(from, end),
    });
    [first, from] = [after, end];
  }
  return split;
}

/** Lists of a segment, one after the other, as one. */
export function uniteLists(lists: readonly TermList[]): TermList {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  const numbers = { hashes: 0, postings: 0 };
  for (const { hashes, slots } of lists) {
    numbers.hashes += hashes.length;
    numbers.postings += slots.length;
  }
  const united: TermList = {
    hashes: new Uint32Array(numbers.hashes),
    ends: new Uint32Array(numbers.hashes),
    slots: new Uint16Array(numbers.postings),
    counts: new Uint8Array(numbers.postings),
  };
  let [first, from] = [0, 0];
  for (const { hashes, ends, slots, counts } of lists) {
    const start = from;
    united.hashes.set(hashes, first);
    united.ends.set(
      ends.map((one) => one + start),
      first,
    );
    united.slots.set(slots, from);
    united.counts.set(counts, from);
    first += hashes.length;
    from += slots.length;
  }
  return united;
}

/** The new slot of each old one, by part; -1 for a passage that is left out. */
type Moved = readonly Int32Array[];

/**
 * The slots of joined segments, in the order of their passages. Passages whose ids are not in `present` (ascending) are
 * left out.
 */
export function joinSlots(
  parts: readonly Slots[],
  present: Uint32Array = Uint32Array.from(parts.flatMap(({ ids }) => [...ids])),
): { slots: Slots; moved: Moved } {
  const slots = { ids: present.slice(), words: present.slice(), grams: present.slice() };
  let used = 0;
  let at = 0;
  const moved = parts.map(({ ids, words, grams }) =>
    Int32Array.from(ids, (id, slot) => {
      while ((present[at] ?? Infinity) < id) at++;
      if (present[at] !== id) return -1;
      slots.ids[used] = id;
      slots.words[used] = words[slot] ?? 0;
      slots.grams[used] = grams[slot] ?? 0;
      return used++;
    }),
  );
  const { ids, words, grams } = slots;
  return {
    slots: { ids: ids.slice(0, used), words: words.slice(0, used), grams: grams.slice(0, used) },
    moved,
  };
}

/** The same list of each part as one. Hashes that only left out passages hold are left out. */
export function joinLists(lists: readonly TermList[], moved: Moved): TermList {
  const total = lists.reduce((sum, one) => sum + one.slots.length, 0);
  const slots = new Uint16Array(total);
  const counts = new Uint8Array(total);
  const hashes: number[] = [];
  const ends: number[] = [];
  const next = lists.map(() => 0);
  let used = 0;
  for (const hash of hashesOf(lists)) {
    const before = used;
    for (const [part, list] of lists.entries()) {
      const at = next[part] ?? 0;
      if (list.hashes[at] !== hash) continue;
      next[part] = at + 1;
      const end = list.ends[at] ?? 0;
      for (let posting = list.ends[at - 1] ?? 0; posting < end; posting++) {
        const slot = moved[part]?.[list.slots[posting] ?? 0] ?? -1;
        if (slot === -1) continue;
        slots[used] = slot;
        counts[used++] = list.counts[posting] ?? 0;
      }
    }
    if (used === before) continue;
    hashes.push(hash);
    ends.push(used);
  }
  return {
    hashes: Uint32Array.from(hashes),
    ends: Uint32Array.from(ends),
    slots: slots.slice(0, used),
    counts: counts.slice(0, used),
  };
}

/** All hashes of the lists, ascending, each once. */
function hashesOf(lists: readonly TermList[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { hashes }) => sum + hashes.length, 0));
  let used = 0;
  for (const { hashes } of lists) {
    all.set(hashes, used);
    used += hashes.length;
  }
  return all.sort().filter((hash, at) => at === 0 || hash !== all[at - 1]);
}
