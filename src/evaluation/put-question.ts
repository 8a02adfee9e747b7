import { answerQuestion, type Question } from '../answers/answer-question.js';
import type { Answer } from '../answers/answer.js';
import { askedIn } from '../answers/find-topic.js';
import { findEntryNamed } from '../knowledge/entries.repository.js';
import type { App } from '../platform/app.js';
import { codeOf, messageOf } from '../platform/errors.js';
import { detectLanguage } from '../language/detect-language.js';
import { searchPassages } from '../search/search-passages.js';
import type { EvalQuestion, JudgedReply, QuestionResult } from './eval-question.js';

/** A question with its asker, and the expected result. */
export interface PutQuestion extends Pick<Question, 'scope' | 'place' | 'page' | 'signal'> {
  question: EvalQuestion;
  /** The ids of the expected entries that exist. */
  expectedIds: ReadonlySet<number>;
  /** True to answer the question, besides searching. */
  answer: boolean;
}

/** The entries among which an expected one is looked for. */
const ranked = 10;
/** Enough passages for that many entries, since an entry may be found several times. */
const passagesRead = 50;

/**
 * Searches for a question and answers it as the product does, and judges the result. Nothing is stored and nobody pays.
 * An error is part of the result: one question never stops the others.
 */
export async function putQuestion(app: App, put: PutQuestion): Promise<QuestionResult> {
  const { question, scope, place } = put;
  const { question: text } = question;
  const result: QuestionResult = {
    question,
    language: question.language ?? detectLanguage(text),
    rank: null,
    reply: undefined,
    searchMs: 0,
    answerMs: undefined,
    error: undefined,
  };
  try {
    const started = performance.now();
    const found = await searchPassages(app, {
      text: askedIn(text),
      scope,
      place,
      limit: passagesRead,
    });
    result.searchMs = performance.now() - started;
    const entries = [...new Set(found.passages.map(({ entryId }) => entryId))].slice(0, ranked);
    const index = entries.findIndex((id) => put.expectedIds.has(id));
    result.rank = index === -1 ? null : index + 1;
    if (put.answer) {
      result.answerMs = 0;
      const { page, signal } = put;
      const asked = { text, scope, place, page, history: [] };
      const begun = performance.now();
      const answer = await answerQuestion(app, signal === undefined ? asked : { ...asked, signal });
      result.answerMs = performance.now() - begun;
      result.reply = await judge(app, put, answer);
      // The text before the model broke off is not a whole answer.
      if (answer.failure !== undefined) throw answer.failure;
    }
  } catch (error) {
    result.error = { code: codeOf(error), message: messageOf(error) };
  }
  return result;
}

async function judge(app: App, put: PutQuestion, answer: Answer): Promise<JudgedReply> {
  const { answers, unanswerable } = put.question;
  const { text, mode, found } = answer;
  const holdsAnswer = answers.some((expected) => containsAnswer(text, expected));
  return {
    text,
    mode,
    refused: found !== true,
    holdsAnswer: answers.length === 0 || unanswerable ? undefined : found === true && holdsAnswer,
    citesRightly:
      found === true && !unanswerable ? await citesRightly(app, put, answer) : undefined,
  };
}

/**
 * Whether an answer's citations are right: each mark names a source, each source is cited, and a cited entry is
 * expected or contains an expected answer. Undefined when neither is expected.
 */
async function citesRightly(
  app: App,
  { question, expectedIds, scope }: PutQuestion,
  { text, sources }: Answer,
): Promise<boolean | undefined> {
  if (question.expected.length === 0 && question.answers.length === 0) return undefined;
  // Code contains no citations: argv[2].
  const prose = text.replaceAll(/```[^]*?(?:```|$)|`[^`\n]*`/g, '');
  const marks = new Set([...prose.matchAll(/\[(\d{1,3})\]/g)].map(([, digits]) => Number(digits)));
  const numbers = new Set(sources.map(({ number }) => number));
  if (numbers.size !== marks.size || [...marks].some((mark) => !numbers.has(mark))) return false;
  for (const { entryUuid } of sources) {
    const entry = await findEntryNamed(app, scope.organizationId, entryUuid);
    if (entry === undefined) continue;
    if (expectedIds.has(entry.id)) return true;
    const whole = `${entry.title}\n${entry.content}`;
    if (question.answers.some((expected) => containsAnswer(whole, expected))) return true;
  }
  return false;
}

/**
 * True when a text contains an expected answer, ignoring case, spaces, punctuation around words and citation marks. A
 * number or short word must be separate ("3" is not in "1993"); a longer one may be part of an inflected word.
 */
export function containsAnswer(text: string, answer: string): boolean {
  const wanted = plain(answer);
  if (wanted === '') return false;
  const within = plain(text);
  for (let at = within.indexOf(wanted); at !== -1; at = within.indexOf(wanted, at + 1)) {
    const before = within.slice(0, at).at(-1) ?? ' ';
    const after = within.at(at + wanted.length) ?? ' ';
    if (
      isBorder(before, wanted.at(0) ?? '', wanted) &&
      isBorder(after, wanted.at(-1) ?? '', wanted)
    )
      return true;
  }
  return false;
}

/** Up to this many letters, a match inside another word is chance. */
const shortWord = 3;

function isBorder(outside: string, inside: string, wanted: string): boolean {
  if (/\p{N}/u.test(inside)) return !/\p{N}/u.test(outside);
  // Scripts without spaces have no word boundaries.
  if (wanted.length > shortWord || !/[\p{Script=Latin}\p{N}]/u.test(inside)) return true;
  return !/[\p{L}\p{N}]/u.test(outside);
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\[\d{1,3}\]/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N}%€$£°+-]+/gu, ' ')
    .trim();
}
