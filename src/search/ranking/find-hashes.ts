/**
 * Finds a question's hashes in many passages. Each hash of a passage is looked up in a small table of the question's
 * hashes, which takes a fifth of the time of the opposite way.
 */
export interface HashFinder {
  /** The hashes to find, each once. */
  hashes: readonly number[];
  /** The position of each hash in `all`, from 1; 0 when it is missing. Valid until the next call. */
  placesIn: (all: Uint32Array) => Uint16Array;
}

export function createHashFinder(wanted: Iterable<number>): HashFinder {
  const hashes = [...new Set(wanted)];
  let size = 16;
  while (size < 4 * hashes.length) size *= 2;
  const keys = new Uint32Array(size);
  /** The hash in each slot, from 1. */
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
