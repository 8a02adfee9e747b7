import { english } from '../language/english.js';
import type { Language, Phrases } from '../language/language-pack.js';
import { languagePacks, packOf } from '../language/packs.js';
import type { Visibility } from '../platform/actor.js';
import type { AppError } from '../platform/errors.js';
import type { TextRange } from './check-support.js';
import type { SmallTalk } from './small-talk.js';

export const answerModes = ['ollama', 'extractive'] as const;
/** Who made an answer: the model, or the quoting of knowledge as it stands. */
export type AnswerMode = (typeof answerModes)[number];

/** A passage that an answer cites, as [number]. */
export interface Source {
  number: number;
  entryUuid: string;
  title: string;
  urlPattern: string | null;
  excerpt: string;
  pageFrom: number | null;
  pageTo: number | null;
  /** Of the entry, when it was cited: see Quote. Undefined in what was stored before that was noted. */
  version?: number | undefined;
  visibility?: Visibility | undefined;
  /** The entry says something else since. */
  changed?: boolean;
  /** The name of the file that the entry was read from; undefined in what was stored before it was. */
  document?: string | null | undefined;
}

export interface Answer {
  text: string;
  /** Of the question, and so of the answer. */
  language: Language;
  /**
   * False when the knowledge does not hold the answer: the text says so, and there are no sources. Null for small talk,
   * which is neither an answer nor a refusal.
   */
  found: boolean | null;
  mode: AnswerMode;
  sources: Source[];
  /** False when the model broke off in the middle: the text is what had come by then. */
  complete: boolean;
  /** Its sentences that no cited passage bears out, in order: always none in what was quoted. */
  unsupported: TextRange[];
  /** Why the model broke off, where it failed; what was cancelled or cut at its length has not failed. */
  failure?: AppError | undefined;
  /** Why the model was not asked, or said nothing that could be shown: a sentence for operators, with the remedy. */
  quotedBecause?: string | undefined;
  /** Model tokens, or 1; 0 for small talk. */
  units: number;
  /** Questions to ask next, of the page: with small talk alone. */
  suggestions?: string[];
  /** The entries that it was made from, by their numbers, cited or not; undefined where there were none. */
  read?: number[];
}

/**
 * Why nothing is answered yet. Either the question waits for its turn (`position` 1 is the next), or the model has sent
 * nothing for `seconds`, as when it is loading.
 */
export interface Waiting {
  type: 'waiting';
  for: 'queue' | 'model';
  position?: number;
  seconds?: number;
}

/** What happens while an answer is made: what a silence is spent on, and its text as it comes. */
export type AnsweringEvent = Waiting | { type: 'delta'; text: string };

/** What is said to small talk: by no model, and of no knowledge. */
export function courtesy({ kinds }: SmallTalk, language: Language, suggestions: string[]): Answer {
  const says = phrasesIn(language);
  const text = [
    ...(kinds.has('greeting') ? [says.hello] : []),
    ...(kinds.has('thanks') ? [says.welcome] : []),
    ...(kinds.has('assent') && kinds.size === 1 ? [says.fine] : []),
    ...(kinds.has('about') ? [says.automated] : []),
    ...(introducing.some((kind) => kinds.has(kind)) ? [says.answers] : []),
    ...(kinds.has('leave') ? [says.goodbye] : [wasAnswered(kinds) ? says.further : says.first]),
  ].join(' ');
  return spoken(text, language, suggestions);
}

const introducing = ['about', 'greeting', 'nothing'] as const;

function wasAnswered(kinds: SmallTalk['kinds']): boolean {
  return kinds.has('thanks') || kinds.has('assent');
}

/** What is said to a name that no knowledge is found for: it asks nothing yet. */
export function askAbout(name: string, language: Language, suggestions: string[]): Answer {
  const text = `${nothingOn(name, language)} ${phrasesIn(language).wholeQuestion}`;
  return spoken(text, language, suggestions);
}

function spoken(text: string, language: Language, suggestions: string[]): Answer {
  const nothing = { sources: [], unsupported: [], units: 0 };
  return {
    text,
    language,
    found: null,
    mode: 'extractive',
    complete: true,
    suggestions,
    ...nothing,
  };
}

/** The honest sentence. */
export function notFound(language: Language, units = 1, mode: AnswerMode = 'extractive'): Answer {
  const text = phrasesIn(language).notFound;
  const nothing = { sources: [], unsupported: [] };
  return { text, language, found: false, mode, ...nothing, complete: true, units };
}

/** What the assistant itself says, in the reader's language. */
export function phrasesIn(language: Language): Phrases {
  return (packOf(language) ?? english).phrases;
}

/** That nothing was found for a name or a question, in the words of the person who asked. */
export function nothingOn(asked: string, language: Language): string {
  const words = asked.replace(/^[\s¿?¡!]+|[\s¿?¡!]+$/g, '');
  return phrasesIn(language).nothingOn.replace('{asked}', () => words);
}

/** Whether an answer ends with a question that nothing was found on. */
export function leavesOpen(text: string): boolean {
  const last = text.slice(text.lastIndexOf('\n\n') + 2);
  return languagePacks.some(({ phrases }) => {
    const [before = '', behind = ''] = phrases.nothingOn.split('{asked}');
    return last.startsWith(before) && last.endsWith(behind);
  });
}

/** Whether a text is what the assistant says, in any language, where the knowledge holds no answer. */
export function isNotFound(text: string): boolean {
  return languagePacks.some(({ phrases }) => text.trim() === phrases.notFound);
}
