import { codeOf } from '../platform/text/stem-codes.js';
import { saturated } from './score-passage.js';
import type { Stems } from './stem-memory.js';

/** Forms of which the best counts: those of one word of the question. */
export interface StemGroup {
  forms: { hash: number; weight: number }[];
}

/**
 * Scores passages by stems alone, as the scorer of passages does, thousands of them in a few milliseconds: each stem of
 * a passage is looked up among those of the question.
 */
export function createStemScorer(
  groups: readonly StemGroup[],
  average: number,
): (stems: Stems) => number {
  const forms = groups.flatMap((group, index) => group.forms.map((form) => ({ ...form, index })));
  // So sparse that a stem of another word seldom meets one of the question.
  const size = 2 ** Math.ceil(Math.log2(32 * forms.length + 1024));
  const codes = new Int32Array(size);
  const weights = new Float64Array(size);
  const groupOf = new Int32Array(size).fill(nothing);
  for (const { hash, weight, index } of forms) {
    let slot = slotOf(codeOf(hash), size);
    while (groupOf[slot] !== nothing) slot = (slot + 1) & (size - 1);
    codes[slot] = codeOf(hash);
    weights[slot] = weight;
    groupOf[slot] = index;
  }
  const best = new Float64Array(groups.length);

  return ({ data, start, end }) => {
    best.fill(0);
    let score = 0;
    const length = data[start] ?? 0;
    for (let at = start + 1; at < end; at++) {
      const stem = data[at] ?? 0;
      const code = codeOf(stem);
      let slot = slotOf(code, size);
      let group = groupOf[slot] ?? nothing;
      // Two words of a question may have a form in common: it counts for both.
      while (group !== nothing) {
        if (codes[slot] === code) {
          const gain = (weights[slot] ?? 0) * saturated(stem & 0xff, length, average);
          const before = best[group] ?? 0;
          if (gain > before) {
            score += gain - before;
            best[group] = gain;
          }
        }
        slot = (slot + 1) & (size - 1);
        group = groupOf[slot] ?? nothing;
      }
    }
    return score;
  };
}

/** What stands in a slot without a form. */
const nothing = -1;

function slotOf(code: number, size: number): number {
  return (code >>> 8) & (size - 1);
}
