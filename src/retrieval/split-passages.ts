import { splitSentences } from '../platform/text/sentences.js';

/** Characters that a passage aims at: small enough to be one topic, large enough to hold an answer. */
const targetLength = 1000;
/** Characters of the previous passage that the next one repeats, so that no answer is cut in two. */
const overlapLength = 200;

/**
 * An entry's text in overlapping passages of whole sentences, in order. A text that is short enough stays in
 * one piece; a sentence longer than a passage is a passage of its own.
 */
export function splitPassages(text: string): string[] {
  const whole = text.trim();
  if (whole.length <= targetLength + overlapLength) return whole === '' ? [] : [whole];
  const sentences = splitSentences(whole);
  const passages: string[] = [];
  let first = 0;
  while (first < sentences.length) {
    const start = sentences[first]?.start ?? 0;
    let last = first;
    while (last + 1 < sentences.length && (sentences[last + 1]?.end ?? 0) - start <= targetLength)
      last++;
    passages.push(whole.slice(start, sentences[last]?.end).trim());
    if (last + 1 >= sentences.length) break;
    first = Math.max(first + 1, firstWithin(sentences, last, overlapLength));
  }
  return passages;
}

/** The earliest sentence from which to the end of `last` there are at most `length` characters. */
function firstWithin(
  sentences: readonly { start: number; end: number }[],
  last: number,
  length: number,
): number {
  const end = sentences[last]?.end ?? 0;
  let first = last + 1;
  while (first > 0 && end - (sentences[first - 1]?.start ?? 0) <= length) first--;
  return first;
}
