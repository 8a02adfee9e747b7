/** The index of the first number that is not lower, in ascending ones between two places; `to` if all are. */
export function firstAtLeast(
  numbers: Uint32Array | Float64Array,
  least: number,
  from = 0,
  to = numbers.length,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
