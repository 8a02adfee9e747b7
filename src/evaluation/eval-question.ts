import type { Visibility } from '../platform/actor.js';
import type { Language } from '../language/language-pack.js';

/** One question of a set, as a line of its file says it. */
export interface EvalQuestion {
  /** The line of the file, from 1. */
  line: number;
  question: string;
  /** Any of them in the response will do; none where the words of the answer are not judged. */
  answers: string[];
  /** Entries that hold the answer, by uuid or by title: finding any of them will do. */
  expected: string[];
  /** The page on which it is asked. */
  url: string | undefined;
  /** Who asks, as the highest tier that they see; undefined for whatever the evaluation may see. */
  tier: Visibility | undefined;
  /** As the set says; undefined where it is to be detected. */
  language: Language | undefined;
  /** The knowledge holds no answer: the only right response is to say so. */
  unanswerable: boolean;
}

/** What became of one question. */
export interface QuestionResult {
  question: EvalQuestion;
  language: Language;
  /** Place of the first expected entry among the entries found, from 1; null when it is not among them. */
  rank: number | null;
  /** Undefined where answers were not asked for, or none came. */
  reply: JudgedReply | undefined;
  /** Milliseconds of the search, and of the whole answer. */
  searchMs: number;
  answerMs: number | undefined;
  /** Why the question could not be put, or its answer not be given. */
  error: { code: string; message: string } | undefined;
}

export interface JudgedReply {
  text: string;
  mode: string;
  /** Whether the response was that the knowledge holds no answer. */
  refused: boolean;
  /** Whether an expected answer stands in the response; undefined where none is expected. */
  holdsAnswer: boolean | undefined;
  /** Whether what is cited is right; undefined where there is nothing to hold it against. */
  citesRightly: boolean | undefined;
}
