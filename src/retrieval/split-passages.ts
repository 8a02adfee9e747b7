import { sentencesIn } from '../platform/text/sentences.js';

/** Characters that a passage aims at: small enough to be one topic, large enough to hold an answer. */
const targetLength = 1000;
/** Characters of the previous passage that the next one repeats, so that no answer is cut in two. */
const overlapLength = 200;
/** What is longer than this is no sentence, but a table or a list without its signs. */
const longestSentence = 4000;

interface Stretch {
  start: number;
  end: number;
}

/** The passages of passagesIn, all at once. */
export function splitPassages(text: string): string[] {
  return [...passagesIn(text)];
}

/**
 * An entry's text in overlapping passages of whole sentences, in order, each found when it is asked for. A text that is
 * short enough stays in one piece; a sentence longer than a passage is a passage of its own.
 */
export function* passagesIn(text: string): Generator<string, void, undefined> {
  const whole = text.trim();
  if (whole.length <= targetLength + overlapLength) {
    if (whole !== '') yield whole;
    return;
  }
  let open: Stretch[] = [];
  for (const sentence of stretchesIn(whole)) {
    while (open[0] !== undefined && sentence.end - open[0].start > targetLength) {
      yield textOf(whole, open);
      open = tailOf(open);
    }
    open.push(sentence);
  }
  yield textOf(whole, open);
}

/** The sentences; those that are too long to be any in pieces that end between words, where there are words. */
function* stretchesIn(text: string): Generator<Stretch, void, undefined> {
  for (const { start, end } of sentencesIn(text)) {
    if (end - start <= longestSentence) {
      yield { start, end };
      continue;
    }
    let from = start;
    while (end - from > targetLength) {
      const blank = text.lastIndexOf(' ', from + targetLength);
      const to = blank > from ? blank + 1 : from + targetLength;
      yield { start: from, end: to };
      from = to;
    }
    yield { start: from, end };
  }
}

/** What the next passage repeats: the last sentences, never all of them. */
function tailOf(sentences: Stretch[]): Stretch[] {
  const tail = sentences.slice(1);
  while (tail.length > 0 && !fits(tail, overlapLength)) tail.shift();
  return tail;
}

function fits(sentences: readonly Stretch[], length: number): boolean {
  return (sentences.at(-1)?.end ?? 0) - (sentences[0]?.start ?? 0) <= length;
}

function textOf(whole: string, sentences: readonly Stretch[]): string {
  return whole.slice(sentences[0]?.start, sentences.at(-1)?.end).trim();
}
