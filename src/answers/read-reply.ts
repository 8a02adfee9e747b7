import { findMarks, signsBefore } from './not-found-mark.js';
import { createCitationStream } from './verify-citations.js';

/** What a model's whole reply comes to. */
export interface Reply {
  /** What was emitted, joined. */
  text: string;
  /** Numbers of passages as the model was given them, [1] of the text first. */
  cited: number[];
  /** It said that the knowledge does not hold the answer, and cited nothing. */
  notFound: boolean;
}

export interface ReplyReader {
  push(text: string): void;
  end(): Reply;
}

const opening = '<think>';
const closing = '</think>';
/**
 * Reads a model's reply as it comes and emits what is an answer, its citations verified. A block of thoughts at the
 * beginning is no part of it. What begins with the mark of "not found" is held back until the end: only a reply that
 * cites something after all speaks of a NOT_FOUND that the knowledge knows.
 */
export function createReplyReader(passages: number, emit: (text: string) => void): ReplyReader {
  const words = fromTheFirstWord(emit);
  const citations = createCitationStream(passages, (text) => words.push(text));
  let held = '';
  /** What was passed on as an answer, as the model wrote it. */
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
      // Enough of it to know the end by: thoughts are longer than answers.
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
   * Where in what is held the text begins that may turn out to be the mark, signs at the beginning included; its
   * length where nothing may. Behind a citation the mark counts only where nothing follows it.
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

/** Citations and signs are no answer as long as no word has come. */
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
    /** What the whole comes to: nothing, where no word was in it. */
    begun: <T extends { text: string; cited: number[] }>(whole: T) =>
      hasBegun ? whole : { ...whole, text: '', cited: [] },
  };
}

function citesIn(text: string, passages: number): boolean {
  const stream = createCitationStream(passages, () => undefined);
  stream.push(text);
  return stream.end().cited.length > 0;
}
