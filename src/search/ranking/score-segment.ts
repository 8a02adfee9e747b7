import { mostSlots, type HashPostings } from '../term-index/segment.js';
import type { VisibleSegment } from '../term-index/index-cache.js';
import { stemCeiling } from './score-passage.js';

/** The forms of one word of the question. The best matching form counts. */
export interface StemGroup {
  forms: readonly { hash: number; weight: number }[];
}

export interface RankedGroup extends StemGroup {
  /** The most that the group adds to a score, and the most that all later groups add. */
  ceiling: number;
  rest: number;
}

/** The postings of a group's forms in a segment. `at`: the first one that was not looked at yet. */
export interface OpenedGroup extends Pick<RankedGroup, 'ceiling' | 'rest'> {
  forms: { slots: Uint16Array; counts: Uint8Array; at: number; end: number; scale: number }[];
}

export function openPostings(
  groups: readonly RankedGroup[],
  postingsOf: (hash: number) => HashPostings | undefined,
): OpenedGroup[] {
  return groups.map(({ forms, ceiling, rest }) => {
    const opened = forms.flatMap(({ hash, weight }) => {
      const postings = postingsOf(hash);
      if (postings === undefined) return [];
      const { list, from, end } = postings;
      const { slots, counts } = list;
      return [{ slots, counts, at: from, end, scale: weight * stemCeiling }];
    });
    return { forms: opened, ceiling, rest };
  });
}

/** The slots that are scored at once: their scores and lengths stay in the processor's cache. */
export const block = 8192;
/** Looking at all slots of a block is faster than sorting more touched ones than this share. */
const manyTouched = 1 / 32;

export function createScorer(damping: { base: number; slope: number }) {
  // By slot, from the first one on that is scored.
  const scores = new Float64Array(mostSlots);
  /** The number of words with a form in the passage, at most 255. */
  const held = new Uint8Array(mostSlots);
  /** The contribution of the current word's best form. */
  const ofGroup = new Float64Array(mostSlots);
  /** The slots with a score. */
  const touched = new Uint16Array(mostSlots);
  let touchedNumber = 0;

  /** `isOnly`: the word has no other form. */
  const add = (at: number, gain: number, isOnly: boolean) => {
    const before = isOnly ? 0 : (ofGroup[at] ?? 0);
    if (gain <= before) return;
    if (before === 0) held[at] = Math.min(255, (held[at] ?? 0) + 1);
    if (!isOnly) ofGroup[at] = gain;
    scores[at] = (scores[at] ?? 0) + gain - before;
  };
  const gainOf = (count: number, scale: number, length: number) =>
    (scale * count) / (count + damping.base + damping.slope * length);
  /** Orders the touched slots with a higher score, and forgets the others. */
  const order = (number: number, score: number) => {
    if (touchedNumber < number * manyTouched) {
      keepAbove(score);
      touched.subarray(0, touchedNumber).sort();
      return;
    }
    touchedNumber = 0;
    for (let at = 0; at < number; at++)
      if ((scores[at] ?? 0) > score) touched[touchedNumber++] = at;
  };
  const keepAbove = (score: number) => {
    let kept = 0;
    for (let index = 0; index < touchedNumber; index++) {
      const at = touched[index] ?? 0;
      if ((scores[at] ?? 0) > score) touched[kept++] = at;
    }
    touchedNumber = kept;
  };

  return {
    /**
     * Scores slots from one to another, and visits the visible ones with a stem in their order: those of `only`
     * (ascending), or all but those that score at most `least`. Some of those are visited.
     */
    score(
      groups: readonly OpenedGroup[],
      { slots: { words }, visible }: VisibleSegment,
      { from, end, least, only }: { from: number; end: number; least: number; only?: number[] },
      visit: (slot: number, score: number, held: number) => void,
    ): void {
      scores.fill(0, 0, end - from);
      held.fill(0, 0, end - from);
      touched.set(only ?? []);
      touchedNumber = only?.length ?? 0;
      let isWithin = only !== undefined;
      for (const { forms, ceiling, rest } of groups) {
        if (!isWithin && ceiling + rest <= least) {
          // Passages without any earlier word can no longer be among the best.
          isWithin = true;
          order(end - from, Math.max(0, least - ceiling - rest));
        } else if (isWithin) keepAbove(least - ceiling - rest);
        const isOnly = forms.length === 1;
        for (const form of forms) {
          const { slots, counts, scale } = form;
          let { at } = form;
          if (isWithin) {
            for (let index = 0; index < touchedNumber && at < form.end; index++) {
              const slot = from + (touched[index] ?? 0);
              at = firstFrom(slots, at, form.end, slot);
              if (at === form.end || slots[at] !== slot) continue;
              add(slot - from, gainOf(counts[at] ?? 0, scale, words[slot] ?? 0), isOnly);
            }
          } else {
            at = firstFrom(slots, at, form.end, from);
            for (; at < form.end; at++) {
              const slot = slots[at] ?? 0;
              if (slot >= end) break;
              if (scores[slot - from] === 0) touched[touchedNumber++] = slot - from;
              add(slot - from, gainOf(counts[at] ?? 0, scale, words[slot] ?? 0), isOnly);
            }
          }
          form.at = at;
        }
        if (isOnly) continue;
        for (let index = 0; index < touchedNumber; index++) ofGroup[touched[index] ?? 0] = 0;
      }
      if (!isWithin) order(end - from, least);
      for (let index = 0; index < touchedNumber; index++) {
        const at = touched[index] ?? 0;
        const score = scores[at] ?? 0;
        if (score > 0 && visible[from + at] === 1) visit(from + at, score, held[at] ?? 0);
      }
    },
  };
}

/** The first posting from one on, before `end`, whose slot is at least this; near ones are found faster. */
function firstFrom(slots: Uint16Array, from: number, end: number, slot: number): number {
  let step = 1;
  let low = from;
  while (low + step < end && (slots[low + step] ?? 0) < slot) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, end);
  if (low >= end || (slots[low] ?? 0) >= slot) return low;
  // Of `low` the slot is smaller, of `high` it is not.
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if ((slots[middle] ?? 0) < slot) low = middle;
    else high = middle;
  }
  return high;
}
