import { createCitationStream } from './verify-citations.js';

/** The result of a model's whole reply. */
export interface Reply {
  /** The emitted text, joined. */
  text: string;
  /** The cited passages by their numbers in the prompt; [1] of the text first. */
  cited: number[];
  /** True when the model said that the knowledge contains no answer, and cited nothing. */
  notFound: boolean;
}

export interface ReplyReader {
  push(text: string): void;
  end(): Reply;
}

const opening = '<think>';
const closing = '</think>';
/**
 * Reads a model's reply as it arrives and emits the answer with verified citations. Thoughts at the beginning are
 * removed. A text that begins with the "not found" mark is held back until the end: only a reply that cites a passage
 * uses NOT_FOUND as a normal word.
 */
export function createReplyReader(passages: number, emit: (text: string) => void): ReplyReader {
  const words = fromTheFirstWord(emit);
  const citations = createCitationStream(passages, (text) => words.push(text));
  let held = '';
  /** The text emitted as an answer, as the model wrote it. */
  let passed = '';
  let state: 'beginning' | 'thinking' | 'answering' = 'beginning';

  function read(final: boolean): void {
    if (state === 'beginning') begin(final);
    if (state === 'thinking') think();
    if (state === 'answering') answer(final);
  }

  function begin(final: boolean): void {
    const start = held.trimStart();
    if (start.startsWith(opening)) {
      state = 'thinking';
      held = start;
    } else if (final || !opening.startsWith(start)) state = 'answering';
  }

  function think(): void {
    const end = held.indexOf(closing);
    if (end === -1) {
      // Keep enough to recognize the end: thoughts can be longer than answers.
      held = opening + held.slice(opening.length).slice(-closing.length);
      return;
    }
    held = held.slice(end + closing.length);
    state = 'answering';
  }

  function answer(final: boolean): void {
    const at = doubtful(final);
    const sure = held.slice(0, at);
    citations.push(sure);
    passed += sure;
    held = held.slice(at);
  }

  /**
   * The position in the held text where the mark may begin, including signs before it; the text's length when there is
   * none. After a citation, the mark counts only if nothing follows it.
   */
  function doubtful(final: boolean): number {
    const leading = passed === '' ? signsBefore(held) : 0;
    const whole = (at: number) => (at === leading ? 0 : at);
    const mark = findMarks(passed, held, final).find(({ from, to }) => {
      const goesOn = /[\p{L}\p{N}]/u.test(held.slice(to));
      return !goesOn || !citesIn(passed + held.slice(0, from), passages);
    });
    if (mark !== undefined) return whole(mark.from);
    return final ? held.length : whole(held.length);
  }

  return {
    push(text) {
      held += text;
      read(false);
    },
    end() {
      read(true);
      const marked = state === 'answering' && findMarks(passed, held, true).length > 0;
      const open = state === 'answering' ? held : '';
      if (marked && citesIn(open, passages)) citations.push(open);
      const whole = words.begun(citations.end());
      return { ...whole, notFound: marked && whole.cited.length === 0 };
    },
  };
}

/** Citations and signs are no answer until a word has arrived. */
function fromTheFirstWord(emit: (text: string) => void) {
  let before = '';
  let hasBegun = false;
  return {
    push(text: string): void {
      if (hasBegun) {
        emit(text);
        return;
      }
      before += text;
      hasBegun = /[\p{L}\p{N}]/u.test(before.replaceAll(/\[\d*(?:\]|$)/g, ''));
      if (hasBegun) emit(before);
    },
    /** The result of the whole reply: empty when it contained no word. */
    begun: <T extends { text: string; cited: number[] }>(whole: T) =>
      hasBegun ? whole : { ...whole, text: '', cited: [] },
  };
}

function citesIn(text: string, passages: number): boolean {
  const stream = createCitationStream(passages, () => undefined);
  stream.push(text);
  return stream.end().cited.length > 0;
}

/** The range of a mark in a text. An incomplete mark ends with the text. */
interface MarkRange {
  from: number;
  to: number;
}

/** The reply that the prompt requests when the knowledge contains no answer. Markdown removes the backslash. */
const exact = /NOT\\?_FOUND/g;
/** Variants of the mark. They count only alone: an answer may contain these words, or a code of this name. */
const loose = /not(?:\\?_|[ -])?found/gi;
const begunExact = /N(?:O(?:T(?:\\?(?:_(?:F(?:O(?:UN?)?)?)?)?)?)?)?$/;
const begunLoose = /n(?:o(?:t(?:(?:\\?_|\\|[ -])?(?:f(?:o(?:un?)?)?)?)?)?)?$/i;

/** Signs that may surround the mark and have no meaning of their own. */
const leadingSigns = /^[\s*_"'`#>(«“„]*/;
const trailingSigns = /[\s*_"'`#>(«“„]*$/;
const sentenceEnd = /^[*_"'`)»”]*\s*(?:$|[.!\n])/;

/** The number of signs at the beginning of a text. */
function signsBefore(text: string): number {
  return leadingSigns.exec(text)?.[0].length ?? 0;
}

/** The "not found" marks in `text`, which follows `before`, in order; unless `final`, also a possible beginning. */
function findMarks(before: string, text: string, final: boolean): MarkRange[] {
  const marks = [...text.matchAll(exact)].map((match) => rangeOf(match));
  for (const match of text.matchAll(loose)) {
    const range = rangeOf(match);
    if (isAlone(before + text.slice(0, range.from), text.slice(range.to))) marks.push(range);
  }
  if (!final) {
    const begun = begunExact.exec(text);
    if (begun !== null) marks.push(rangeOf(begun));
    const other = begunLoose.exec(text);
    if (other !== null && beginsSentence(before + text.slice(0, other.index))) {
      marks.push(rangeOf(other));
    }
  }
  return marks.sort((one, other) => one.from - other.from);
}

function rangeOf({ index, 0: { length } }: RegExpExecArray): MarkRange {
  return { from: index, to: index + length };
}

/** True when the mark is a whole sentence; at the beginning of a reply, when no word continues it. */
function isAlone(before: string, behind: string): boolean {
  if (signsBefore(before) === before.length) return !/^[\p{L}\p{N}_]/u.test(behind);
  return beginsSentence(before) && sentenceEnd.test(behind);
}

function beginsSentence(before: string): boolean {
  const signs = trailingSigns.exec(before)?.[0] ?? '';
  const words = before.slice(0, before.length - signs.length);
  return words === '' || signs.includes('\n') || /[.!?]$/.test(words);
}
