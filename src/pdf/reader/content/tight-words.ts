/** In ems: gaps from here on part the words of a line that is set so tight that it has no wider ones. */
export const tightGap = 0.09;
/** In ems: the gaps of a justified line are alike; kerning is not. */
const alikeGaps = 0.015;
const fewestGaps = 2;
/** Shorter lines, and those of shorter words, are spaced-out letters or kerning. */
const leastLetters = 20;
const leastPerWord = 4;

/** A gap narrower than a space, behind so many letters of a run. */
export interface TightGap {
  at: number;
  gap: number;
}

/** The text with a space at each narrow gap if these are the only gaps between words, and alike. */
export function partTight(text: string, tight: readonly TightGap[]): string {
  if (tight.length < fewestGaps || text.length < leastLetters || text.includes(' ')) return text;
  const gaps = tight.map(({ gap }) => gap);
  const areAlike = Math.max(...gaps) - Math.min(...gaps) <= alikeGaps;
  if (!areAlike || text.length < leastPerWord * (tight.length + 1)) return text;
  const words = [0, ...tight.map(({ at }) => at)];
  return words.map((from, index) => text.slice(from, tight[index]?.at)).join(' ');
}
