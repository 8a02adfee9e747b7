/** A part may be longer than the limit by this factor, where that keeps together what belongs together. */
export const slack = 1.2;
/** The cost of each tenth above the limit. A part of half the limit costs a quarter of 1, a full one nothing. */
const overTenth = 0.6;
/** Of a part that is shorter than the least length of a section. */
const tiny = 2;

/**
 * Cuts a sequence into parts of at most `slack` times `max`, where the sum of the costs of cuts and of bad lengths is
 * the least. Half-empty parts cost more than full ones, so parts become about equally long.
 * @param sizes in characters; one that is too long by itself becomes a part of its own
 * @param costs of a cut before each of them; the first one is not used
 * @returns where each part begins: 0, and the others in ascending order
 */
export function chooseCuts(
  sizes: readonly number[],
  costs: readonly number[],
  max: number,
  min = 0,
): number[] {
  // For each end: the least cost of all parts up to it, and the beginning of the last of these parts.
  const best = [{ cost: 0, from: 0 }];
  for (let end = 1; end <= sizes.length; end++) {
    let found = { cost: Infinity, from: end - 1 };
    let length = 0;
    for (let from = end - 1; from >= 0; from--) {
      length += sizes[from] ?? 0;
      if (length > slack * max && from < end - 1) break;
      const over = Math.max(0, length / max - 1);
      const bad = over > 0 ? over * 10 * overTenth : (1 - length / max) ** 2;
      const cut = from === 0 ? 0 : (costs[from] ?? 0);
      const cost = (best[from]?.cost ?? 0) + cut + bad + (length < min ? tiny : 0);
      if (cost < found.cost) found = { cost, from };
    }
    best.push(found);
  }
  const starts: number[] = [];
  for (let end = sizes.length; end > 0; end = best[end]?.from ?? 0) {
    starts.push(best[end]?.from ?? 0);
  }
  return starts.reverse();
}
