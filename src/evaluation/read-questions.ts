import { z } from 'zod';
import { languages } from '../language/language-pack.js';
import { visibilities } from '../platform/actor.js';
import { AppError, messageOf } from '../platform/errors.js';
import { checkTexts } from '../platform/http/check-texts.js';
import { validate } from '../platform/validate.js';
import type { EvalQuestion } from './eval-question.js';

const text = (most: number) => z.string().trim().min(1).max(most);
const oneOrMore = (most: number) =>
  z.union([text(most).transform((one) => [one]), z.array(text(most)).min(1).max(50)]);

const line = z.strictObject({
  question: text(8000),
  answers: oneOrMore(8000).optional(),
  expected_entry: oneOrMore(500).optional(),
  url: text(2000).optional(),
  tier: z.enum(visibilities).optional(),
  language: z.enum(languages).optional(),
  unanswerable: z.boolean().optional(),
});

/**
 * The questions of a set in JSON lines, in order. Blank lines are skipped. Errors: `invalid_request` for an invalid
 * question, naming line and key, and a set without questions.
 */
export function readQuestions(file: string, content: string): EvalQuestion[] {
  const questions = content
    // Drops a byte order mark from an editor.
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
  const {
    expected_entry: expected = [],
    answers = [],
    ...given
  } = parseLine(file, parseJson(file, written, number), number);
  const { question, url, tier, language, unanswerable = false } = given;
  if (unanswerable && (expected.length > 0 || answers.length > 0)) {
    const sentence = 'unanswerable: leave it out, or leave out answers and expected_entry';
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

function parseLine(file: string, input: unknown, number: number): z.output<typeof line> {
  try {
    // A text that the product refuses is invalid in a set too.
    checkTexts(input);
    return validate(line, input);
  } catch (error) {
    throw refused(file, number, messageOf(error));
  }
}

function refused(file: string, number: number, what: string): AppError {
  return new AppError('invalid_request', `${file}, line ${number}: ${what}`);
}
