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

/** Where a mark begins and ends in a text; a begun one ends with the text. */
interface MarkRange {
  from: number;
  to: number;
}

/** What the model is told to reply when the knowledge does not hold the answer; Markdown takes the backslash off. */
const exact = /NOT\\?_FOUND/g;
/** As some write it. That these words stand in an answer, or a code of this name, says nothing: it must stand alone. */
const loose = /not(?:\\?_|[ -])?found/gi;
const begunExact = /N(?:O(?:T(?:\\?(?:_(?:F(?:O(?:UN?)?)?)?)?)?)?)?$/;
const begunLoose = /n(?:o(?:t(?:(?:\\?_|\\|[ -])?(?:f(?:o(?:un?)?)?)?)?)?)?$/i;

/** Signs that may stand around the mark, and that say nothing by themselves. */
const leadingSigns = /^[\s*_"'`#>(«“„]*/;
const trailingSigns = /[\s*_"'`#>(«“„]*$/;
const sentenceEnd = /^[*_"'`)»”]*\s*(?:$|[.!\n])/;

/** How many signs a text begins with. */
function signsBefore(text: string): number {
  return leadingSigns.exec(text)?.[0].length ?? 0;
}

/**
 * The marks of "not found" in `text`, which stands behind `before`, in order. Unless it is `final`, what may become
 * one when more text follows is among them.
 */
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

/** Whether a whole sentence is made of it; at the beginning of a reply, whether no word goes on from it. */
function isAlone(before: string, behind: string): boolean {
  if (signsBefore(before) === before.length) return !/^[\p{L}\p{N}_]/u.test(behind);
  return beginsSentence(before) && sentenceEnd.test(behind);
}

function beginsSentence(before: string): boolean {
  const signs = trailingSigns.exec(before)?.[0] ?? '';
  const words = before.slice(0, before.length - signs.length);
  return words === '' || signs.includes('\n') || /[.!?]$/.test(words);
}
