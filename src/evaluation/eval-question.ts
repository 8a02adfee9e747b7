import type { Visibility } from '../platform/actor.js';
import type { Language } from '../language/language-pack.js';

/** One question of a set, from a line of its file. */
export interface EvalQuestion {
  /** The line of the file, from 1. */
  line: number;
  question: string;
  /** The response must contain one of them; empty to accept any text. */
  answers: string[];
  /** Entries with the answer, by uuid or title: finding one is enough. */
  expected: string[];
  url: string | undefined;
  /** The asker's highest visibility tier; undefined for all tiers of the evaluation. */
  tier: Visibility | undefined;
  /** The language in the set; undefined to detect it. */
  language: Language | undefined;
  /** True when the knowledge contains no answer: the only right response is to say so. */
  unanswerable: boolean;
}

export interface QuestionResult {
  question: EvalQuestion;
  language: Language;
  /** The rank of the first expected entry, from 1; null when none was found. */
  rank: number | null;
  /** Undefined when answers were not requested, or there was none. */
  reply: JudgedReply | undefined;
  /** In milliseconds: of the search, and of the whole answer. */
  searchMs: number;
  answerMs: number | undefined;
  /** Why the question or its answer failed. */
  error: { code: string; message: string } | undefined;
}

export interface JudgedReply {
  text: string;
  mode: string;
  /** True when the response was that the knowledge contains no answer. */
  refused: boolean;
  /** Whether the response contains an expected answer; undefined without any. */
  holdsAnswer: boolean | undefined;
  /** Whether the citations are right; undefined without an expectation. */
  citesRightly: boolean | undefined;
}
