import { english } from '../language/english.js';
import type { Language, Phrases } from '../language/language-pack.js';
import { languagePacks, packOf } from '../language/packs.js';
import type { Visibility } from '../platform/actor.js';
import type { AppError } from '../platform/errors.js';
import type { TextRange } from './check-support.js';
import type { SmallTalk } from './small-talk.js';

export const answerModes = ['ollama', 'extractive'] as const;
/** The origin of an answer: a model, or quoted knowledge. */
export type AnswerMode = (typeof answerModes)[number];

/** A cited passage, with its number in the text. */
export interface Source {
  number: number;
  entryUuid: string;
  title: string;
  urlPattern: string | null;
  excerpt: string;
  pageFrom: number | null;
  pageTo: number | null;
  /** The entry's version when it was cited: see Quote. Undefined in older stored answers. */
  version?: number | undefined;
  visibility?: Visibility | undefined;
  /** True when the entry has changed since. */
  changed?: boolean;
  /** The name of the entry's source file; undefined in older stored answers. */
  document?: string | null | undefined;
  /** The address of the place in a page; undefined without one, and in older stored answers. */
  url?: string | undefined;
  /** The place in a document without pages: the id of its heading, or `paragraph-12`. */
  anchor?: string | undefined;
}

export interface Answer {
  text: string;
  /** The language of the question, and so of the answer. */
  language: Language;
  /**
   * False when the knowledge contains no answer: the text says so, and there are no sources. Null for small talk, which
   * is neither an answer nor a refusal.
   */
  found: boolean | null;
  mode: AnswerMode;
  /** The model that wrote it; undefined for a quotation. */
  model?: string | undefined;
  sources: Source[];
  /** False when the model broke off: the text is what had arrived. */
  complete: boolean;
  /** The sentences that no cited passage supports, in order; always empty for quotations. */
  unsupported: TextRange[];
  /** Why the model failed. A cancelled answer, or one cut at its maximum length, has not failed. */
  failure?: AppError | undefined;
  /** Why the model was not asked, or said nothing that could be shown: a sentence for operators, with the remedy. */
  quotedBecause?: string | undefined;
  /** Model tokens, or 1; 0 for small talk. */
  units: number;
  /** Suggested questions for the page; only with small talk. */
  suggestions?: string[];
  /** The ids of the entries behind the answer, cited or not; undefined when there were none. */
  read?: number[];
}

/**
 * The reason for a silence: the question waits for its turn (`position` 1 is next), or the model has sent nothing for
 * `seconds`, e.g. while it loads.
 */
export interface Waiting {
  type: 'waiting';
  for: 'queue' | 'model';
  position?: number;
  seconds?: number;
}

/** Events while an answer is made: reasons for silences, and text. */
export type AnsweringEvent = Waiting | { type: 'delta'; text: string };

/** The reply to small talk; uses neither a model nor knowledge. */
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

/** The reply to a name without any knowledge, since a name alone asks nothing. */
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

/** The answer that the knowledge contains no answer. */
export function notFound(language: Language, units = 1, mode: AnswerMode = 'extractive'): Answer {
  const text = phrasesIn(language).notFound;
  const nothing = { sources: [], unsupported: [] };
  return { text, language, found: false, mode, ...nothing, complete: true, units };
}

/** The assistant's own sentences in the reader's language. */
export function phrasesIn(language: Language): Phrases {
  return (packOf(language) ?? english).phrases;
}

/** Says that nothing was found for a name or question, in the asker's words. */
export function nothingOn(asked: string, language: Language): string {
  const words = asked.replace(/^[\s¿?¡!]+|[\s¿?¡!]+$/g, '');
  return phrasesIn(language).nothingOn.replace('{asked}', () => words);
}

/** True when an answer ends with a question for which nothing was found. */
export function leavesOpen(text: string): boolean {
  const last = text.slice(text.lastIndexOf('\n\n') + 2);
  return languagePacks.some(({ phrases }) => {
    const [before = '', behind = ''] = phrases.nothingOn.split('{asked}');
    return last.startsWith(before) && last.endsWith(behind);
  });
}

/** True when a text is the assistant's "not found" sentence in any language. */
export function isNotFound(text: string): boolean {
  return languagePacks.some(({ phrases }) => text.trim() === phrases.notFound);
}
