/**
 * Finds a question's hashes in those of many passages: each hash of a passage is looked up in a table of the few of the
 * question, which takes a fifth of the time of looking up each of the question's among the passage's.
 */
export interface HashFinder {
  /** The hashes that are looked for, each once. */
  hashes: readonly number[];
  /** Where each of them stands among `all`, from 1; 0 for one that does not. Valid until the next call. */
  placesIn: (all: Uint32Array) => Uint16Array;
}

export function createHashFinder(wanted: Iterable<number>): HashFinder {
  const hashes = [...new Set(wanted)];
  let size = 16;
  while (size < 4 * hashes.length) size *= 2;
  const keys = new Uint32Array(size);
  /** Which hash stands in a slot, from 1. */
  const which = new Uint32Array(size);
  for (const [index, hash] of hashes.entries()) {
    let slot = hash & (size - 1);
    while (which[slot] !== 0) slot = (slot + 1) & (size - 1);
    keys[slot] = hash;
    which[slot] = index + 1;
  }
  const places = new Uint16Array(hashes.length);
  return {
    hashes,
    placesIn(all) {
      places.fill(0);
      for (let at = 0; at < all.length; at++) {
        const hash = all[at] ?? 0;
        for (let slot = hash & (size - 1); which[slot] !== 0; slot = (slot + 1) & (size - 1)) {
          if (keys[slot] !== hash) continue;
          places[(which[slot] ?? 0) - 1] = at + 1;
          break;
        }
      }
      return places;
    },
  };
}
