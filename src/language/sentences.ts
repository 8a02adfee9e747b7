import { languagePacks, wordsOfAll } from './packs.js';

/** A sentence, or a line that counts as one. `start` and `end` are offsets into the text, in UTF-16 units. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
}

const abbreviations = wordsOfAll((pack) => pack.sentences.abbreviations);
const beforeNumbers = wordsOfAll((pack) => pack.sentences.beforeNumbers);
const ordinals = languagePacks.flatMap(({ sentences }) => sentences.ordinal ?? []);
/** Sentence ends, and the quotes and brackets that may close after them. */
const closing = /[.!?…。！？"'”’»)\]]/;

/**
 * Splits a text into sentences, without the white space between them. A paragraph ends a sentence. Each list item,
 * table row and Markdown heading is a unit, and so is a fenced code block.
 */
export function splitSentences(text: string): Sentence[] {
  return [...sentencesIn(text)];
}

/** As splitSentences, on demand: a long text need not be read at once. */
export function* sentencesIn(text: string): Generator<Sentence, void, undefined> {
  for (const block of blocksIn(text)) {
    yield* block.whole ? trimmed(text, block) : splitBlock(text, block);
  }
}

interface Block {
  start: number;
  end: number;
  /** True when it is not split. */
  whole: boolean;
}

const structural = /^\s*(?:[-*+•‣◦–]\s|\d{1,3}[.)]\s|[a-z]\)\s|#{1,6}\s|\||>)/i;
const whole = /^\s*(?:#{1,6}\s|\|)/;
const fence = /^\s*(?:```|~~~)/;

/** Splits a text into paragraphs, and lines with a meaning of their own. */
function* blocksIn(text: string): Generator<Block, void, undefined> {
  let open: Block | undefined;
  let code = false;
  const close = function* (): Generator<Block, void, undefined> {
    if (open !== undefined) yield open;
    open = undefined;
  };
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    if (code) {
      if (open !== undefined) open.end = end;
      if (fence.test(line)) {
        code = false;
        yield* close();
      }
    } else if (fence.test(line)) {
      yield* close();
      code = true;
      open = { start, end, whole: true };
    } else if (line.trim() === '') {
      yield* close();
    } else if (open === undefined || structural.test(line)) {
      yield* close();
      open = { start, end, whole: whole.test(line) };
      if (open.whole) yield* close();
    } else {
      open.end = end;
    }
    start = end + 1;
  }
  yield* close();
}

function splitBlock(text: string, { start, end }: Block): Sentence[] {
  const sentences: Sentence[] = [];
  // The mark of a numbered item ("1. ") ends no sentence.
  const mark =
    /^\s*\d{1,3}[.)]\s+/.exec(text.slice(start, Math.min(end, start + 40)))?.[0].length ?? 0;
  let from = start;
  for (let at = start + mark; at < end; at += 1) {
    const sign = text[at] ?? '';
    if (!'.!?…。！？'.includes(sign)) continue;
    let after = at + 1;
    while (after < end && closing.test(text[after] ?? '')) after += 1;
    if (isEnd(text, { from, at, after, end })) {
      sentences.push(...trimmed(text, { start: from, end: after }));
      from = after;
    }
    // Continue after all of "?!)", so that no character is examined twice.
    at = after - 1;
  }
  return [...sentences, ...trimmed(text, { start: from, end })];
}

/** True when the sign at `at`, with closing characters up to `after`, ends the sentence that began at `from`. */
function isEnd(
  text: string,
  place: { from: number; at: number; after: number; end: number },
): boolean {
  const { from, at, after, end } = place;
  const sign = text[at] ?? '';
  if (after >= end || '。！？'.includes(sign)) return true;
  // File names, versions, numbers and host names continue without a space.
  if (!/\s/.test(text[after] ?? '')) return false;
  const ahead = text.slice(after, Math.min(end, after + 20));
  const following = /^\s+["'“„«(¿¡[]*(.)/su.exec(ahead)?.[1] ?? '';
  if (/\p{Ll}/u.test(following)) return false;
  return sign !== '.' || !endsAbbreviation(text.slice(Math.max(from, at - 20), at), following);
}

/** True when the dot after `before` belongs to an abbreviation or an ordinal. */
function endsAbbreviation(before: string, following: string): boolean {
  const word = /[\p{L}\p{N}.]*$/u.exec(before)?.[0].toLowerCase() ?? '';
  if (/\p{N}/u.test(following)) return abbreviations.has(word) || beforeNumbers.has(word);
  // A single letter is an initial, or half of "z. B.".
  return (
    abbreviations.has(word) ||
    /^(?:\p{L}\.)*\p{L}$/u.test(word) ||
    ordinals.some((ordinal) => ordinal.test(before))
  );
}

function trimmed(text: string, { start, end }: { start: number; end: number }): Sentence[] {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text[from] ?? '')) from += 1;
  while (to > from && /\s/.test(text[to - 1] ?? '')) to -= 1;
  return from === to ? [] : [{ text: text.slice(from, to), start: from, end: to }];
}
