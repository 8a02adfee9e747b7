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
  const forms = groups.flatMap(({ forms }, group) => forms.map((form) => ({ ...form, group })));
  const codes = Int32Array.from(forms, ({ hash }) => codeOf(hash));
  // Of each slot the first form, counted from 1, and the one after each. Nearly all stems of a passage are none of the
  // question's and end at an empty slot.
  const first = new Uint16Array(slots);
  const after = new Uint16Array(forms.length + 1);
  codes.forEach((code, index) => {
    after[index + 1] = first[slotOf(code)] ?? 0;
    first[slotOf(code)] = index + 1;
  });
  const best = new Float64Array(groups.length);

  return ({ data, start, end }) => {
    best.fill(0);
    let score = 0;
    const length = data[start] ?? 0;
    for (let at = start + 1; at < end; at++) {
      const stem = data[at] ?? 0;
      // Two words of a question may have a form in common: it counts for both.
      for (let one = first[slotOf(stem)] ?? 0; one > 0; one = after[one] ?? 0) {
        const form = forms[one - 1];
        if (form === undefined || codes[one - 1] !== codeOf(stem)) continue;
        const gain = form.weight * saturated(stem & 0xff, length, average);
        const before = best[form.group] ?? 0;
        if (gain <= before) continue;
        score += gain - before;
        best[form.group] = gain;
      }
    }
    return score;
  };
}

const slots = 4096;

/** Of the upper bits: the lowest hold the count. */
function slotOf(code: number): number {
  return (code >>> 8) & (slots - 1);
}
