import { z } from 'zod';
import { visibilities } from '../platform/actor.js';
import { AppError } from '../platform/errors.js';
import { describeProblems } from '../platform/validate.js';
import type { EvalQuestion } from './eval-question.js';

const text = (most: number) => z.string().trim().min(1).max(most);
const oneOrMore = (most: number) =>
  z.union([text(most).transform((one) => [one]), z.array(text(most)).min(1).max(50)]);

/** One line of a set, as it is written. */
const line = z.strictObject({
  question: text(8000),
  answers: oneOrMore(8000).optional(),
  expected_entry: oneOrMore(500).optional(),
  url: text(2000).optional(),
  tier: z.enum(visibilities).optional(),
  language: z.enum(['en', 'es', 'de', 'other']).optional(),
  unanswerable: z.boolean().optional(),
});

/**
 * The questions of a set in JSON lines, in their order. Blank lines are passed over. Refuses with
 * `invalid_request`, naming line and key, what is no question; a set without any is refused too.
 */
export function readQuestions(file: string, content: string): EvalQuestion[] {
  const questions = content
    // A file that an editor began with a byte order mark reads like any other.
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((written, index) =>
      written.trim() === '' ? [] : [readQuestion(file, written, index + 1)],
    );
  if (questions.length > 0) return questions;
  throw new AppError(
    'invalid_request',
    `${file} holds no questions: write one JSON object a line.`,
  );
}

function readQuestion(file: string, written: string, number: number): EvalQuestion {
  const parsed = line.safeParse(parseJson(file, written, number), { reportInput: true });
  if (!parsed.success) {
    const [problem] = describeProblems(parsed.error, undefined);
    throw refused(file, number, problem === undefined ? 'is no question' : sentenceOf(problem));
  }
  const { expected_entry: expected = [], answers = [], ...given } = parsed.data;
  const { question, url, tier, language, unanswerable = false } = given;
  if (unanswerable && (expected.length > 0 || answers.length > 0)) {
    const sentence = 'unanswerable: leave out answers and expected_entry, or this';
    throw refused(file, number, sentence);
  }
  return { line: number, question, answers, expected, url, tier, language, unanswerable };
}

function parseJson(file: string, written: string, number: number): unknown {
  try {
    return JSON.parse(written);
  } catch {
    throw refused(file, number, 'is no JSON object, e.g. {"question": "…", "answers": ["…"]}');
  }
}

function sentenceOf({ path, message }: { path: string; message: string }): string {
  return `${path}: ${message}`;
}

function refused(file: string, number: number, what: string): AppError {
  return new AppError('invalid_request', `${file}, line ${number}: ${what}`);
}
