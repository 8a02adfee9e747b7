import { sentencesIn } from '../../language/sentences.js';

/** The target length of a passage, as its reader sees it: small enough for one topic, large enough to hold an answer. */
const targetLength = 1000;
/** The length that a passage repeats from the previous one, so that no answer is cut in two. */
const overlapLength = 200;
/** In characters. A longer text is not a sentence, but a table or a list without marks. */
const longestSentence = 4000;

/** A sentence, or a part of a long one. */
interface Stretch {
  start: number;
  end: number;
  /** As its reader sees it. */
  length: number;
}

/**
 * Splits an entry's text into overlapping passages of whole sentences, in order and on demand. A short text stays in
 * one piece. A sentence longer than a passage becomes a passage of its own.
 */
export function* passagesIn(text: string): Generator<string, void, undefined> {
  const whole = text.trim();
  if (isShort(whole)) {
    if (whole !== '') yield whole;
    return;
  }
  let open: Stretch[] = [];
  for (const sentence of stretchesIn(whole)) {
    while (open.length > 0 && lengthOf([...open, sentence]) > targetLength) {
      yield textOf(whole, open);
      open = tailOf(open);
    }
    open.push(sentence);
  }
  yield textOf(whole, open);
}

function isShort(text: string): boolean {
  const most = targetLength + overlapLength;
  if (text.length <= most) return true;
  let length = 0;
  for (const sentence of stretchesIn(text)) {
    length += sentence.length + 1;
    if (length > most) return false;
  }
  return true;
}

/** The sentences. Those that are too long are split between words, if they have any. */
function* stretchesIn(text: string): Generator<Stretch, void, undefined> {
  for (const { start, end } of sentencesIn(text)) {
    const length = readLength(text.slice(start, end));
    if (length <= longestSentence) {
      yield { start, end, length };
      continue;
    }
    for (let from = start; from < end;) {
      const blank = text.lastIndexOf(' ', from + targetLength);
      const most = blank > from ? blank + 1 : from + targetLength;
      const to = end - from <= targetLength ? end : most;
      yield { start: from, end: to, length: readLength(text.slice(from, to)) };
      from = to;
    }
  }
}

/** What a reader does not see: where a link leads, lines around code and below a table's head, signs, and marks of lists. */
const unseen = /(?<=\])\([^\s()]*\)|^[ \t]*(?:(?:```|~~~).*|[-+•]\s)|^[|: \t-]+$|[`*_~|#>\\[\]]/gm;

/**
 * The length of a text as its reader sees it. Marks of Markdown do not count, so that a text is split at the same
 * places in whatever kind of document it stands.
 */
function readLength(text: string): number {
  return text.replaceAll(unseen, '').trim().replaceAll(/\s+/g, ' ').length;
}

/** The text that the next passage repeats: the last sentences, never all of them. */
function tailOf(sentences: Stretch[]): Stretch[] {
  const tail = sentences.slice(1);
  while (lengthOf(tail) > overlapLength) tail.shift();
  return tail;
}

function lengthOf(sentences: readonly Stretch[]): number {
  return sentences.reduce((sum, { length }) => sum + length + 1, -1);
}

function textOf(whole: string, sentences: readonly Stretch[]): string {
  return whole.slice(sentences[0]?.start, sentences.at(-1)?.end).trim();
}
