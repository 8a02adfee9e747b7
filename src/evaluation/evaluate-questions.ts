import type { AnswerMode } from '../answers/answer.js';
import { findEntryNamed } from '../knowledge/entries.repository.js';
import { findEntriesTitled } from '../knowledge/entry-lists.repository.js';
import { pageScope } from '../knowledge/page-scope.js';
import {
  isNarrower,
  requirePermission,
  type Actor,
  type Member,
  type Visibility,
} from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { codeOf, messageOf } from '../platform/errors.js';
import { detectLanguage } from '../language/detect-language.js';
import { chooseApp } from '../tenancy/choose-app.js';
import type { EvalQuestion, QuestionResult } from './eval-question.js';
import { putQuestion } from './put-question.js';

export type EvalMode = 'auto' | AnswerMode;

export interface EvaluationInput {
  questions: readonly EvalQuestion[];
  /** The highest tier of all questions; a question's own may be narrower. */
  tier?: Visibility | undefined;
  /** The page of questions without one. */
  url?: string | undefined;
  /** The app of questions without a page; undefined for all apps of the organization. */
  appId?: number | undefined;
  /** Replaces answers.mode. */
  mode?: EvalMode | undefined;
  /** True to search only, without answers. */
  retrievalOnly?: boolean | undefined;
  /** Questions at the same time; their times are then longer. */
  concurrency: number;
  signal?: AbortSignal | undefined;
  /** Called after each question, in the order of completion. */
  onResult?: (result: QuestionResult, done: number) => void;
}

export interface Evaluation {
  /** In the order of the questions; fewer when interrupted. */
  results: QuestionResult[];
  /** Names of expected entries that the organization does not have. */
  missing: { line: number; name: string }[];
}

/**
 * Asks questions as the actor would, and judges the results. Leaves no trace: no conversation, usage or quota. Refuses
 * with `forbidden` actors who may not write knowledge, because the results reveal it, and with `not_found` an app of
 * another organization.
 */
export async function evaluateQuestions(
  app: App,
  actor: Actor,
  input: EvaluationInput,
): Promise<Evaluation> {
  const member = requirePermission(actor, 'knowledge.write');
  if (input.appId !== undefined) await chooseApp(app, member, { appId: input.appId });
  const asking = input.mode === undefined ? app : withMode(app, input.mode);
  const results = new Map<EvalQuestion, QuestionResult>();
  const missing: Evaluation['missing'] = [];
  // Warm up first: loading the model or filling caches must not count for a question.
  const [first] = input.questions;
  if (first !== undefined) await evaluateOne(asking, member, first, input);
  const waiting = input.questions[Symbol.iterator]();
  const work = async () => {
    for (const question of waiting) {
      if (isAborted(input.signal)) return;
      const { result, unknown } = await evaluateOne(asking, member, question, input);
      // An aborted question has no result.
      if (isAborted(input.signal)) return;
      missing.push(...unknown.map((name) => ({ line: question.line, name })));
      results.set(question, result);
      input.onResult?.(result, results.size);
    }
  };
  await Promise.all(Array.from({ length: input.concurrency }, work));
  return {
    results: input.questions.flatMap((question) => results.get(question) ?? []),
    missing: missing.sort((a, b) => a.line - b.line),
  };
}

function withMode(app: App, mode: EvalMode): App {
  return { ...app, config: { ...app.config, answers: { ...app.config.answers, mode } } };
}

async function evaluateOne(
  app: App,
  member: Member,
  question: EvalQuestion,
  input: EvaluationInput,
): Promise<{ result: QuestionResult; unknown: string[] }> {
  try {
    const { ids, unknown } = await expectedEntries(app, member, question);
    const url = question.url ?? input.url;
    const tier = narrowest(question.tier, input.tier);
    const { scope, place } = await pageScope(app, member, { url, tier, appId: input.appId });
    const result = await putQuestion(app, {
      question,
      expectedIds: ids,
      scope,
      place,
      page: url === undefined ? undefined : { url, title: '' },
      answer: input.retrievalOnly !== true,
      ...(input.signal === undefined ? {} : { signal: input.signal }),
    });
    return { result, unknown };
  } catch (error) {
    return { result: failed(question, error), unknown: [] };
  }
}

/** The ids of a question's expected entries (by uuid or title), and the names without an entry. */
async function expectedEntries(
  app: App,
  { organizationId }: Member,
  { expected }: EvalQuestion,
): Promise<{ ids: Set<number>; unknown: string[] }> {
  const ids = new Set<number>();
  const unknown: string[] = [];
  for (const name of expected) {
    const found = isUuid.test(name)
      ? [await findEntryNamed(app, organizationId, name.toLowerCase())]
      : await findEntriesTitled(app, organizationId, name);
    const present = found.flatMap((entry) => entry?.id ?? []);
    if (present.length === 0) unknown.push(name);
    present.forEach((id) => ids.add(id));
  }
  return { ids, unknown };
}

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function narrowest(one: Visibility | undefined, other: Visibility | undefined) {
  if (one === undefined || other === undefined) return one ?? other;
  return isNarrower(one, other) ? other : one;
}

function failed(question: EvalQuestion, error: unknown): QuestionResult {
  return {
    question,
    language: question.language ?? detectLanguage(question.question),
    rank: null,
    reply: undefined,
    searchMs: 0,
    answerMs: undefined,
    error: { code: codeOf(error), message: messageOf(error) },
  };
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
