import type { Answer, AnsweringEvent } from '../../answers/answer.js';
import type { JudgedPassage } from '../../answers/find-likely.js';
import { findEntriesById } from '../../knowledge/entries.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import type { Spoken } from '../../language/language-pack.js';
import { requirePermission, type Actor, type Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { createEventLog } from '../../platform/event-log.js';
import type { SearchScope } from '../../search/passages/scope.js';
import type { WeightedTerm } from '../../search/ranking/weigh-terms.js';
import { recordUsage } from '../../usage/charge-answer.js';
import { appAskedAbout } from '../store/asker.js';
import { beginAnswer } from './make-answer.js';
import { prepareQuestion, type PreparedQuestion } from './prepare-question.js';
import { inTurn } from './running-answers.js';

export interface TrialInput {
  question: string;
  /** The page on which it is asked; undefined: all apps of the organization are searched. */
  url: string | undefined;
  /** Of the person who would ask, for a question whose own words tell no language. */
  language: Spoken | undefined;
  /** The highest tier that this person sees. */
  tier: Visibility;
}

/** A passage that the answer considered, best first, with the entry that it belongs to. */
export interface TriedPassage extends JudgedPassage {
  entry: Entry;
  /** True when the answer was made from it. */
  isRead: boolean;
}

/** An answer that is not stored, and what it was made from. */
export interface TriedQuestion {
  answer: Answer;
  /** Whose knowledge was searched. */
  scope: SearchScope;
  /** The words of the question with their weights. */
  terms: WeightedTerm[];
  passages: TriedPassage[];
}

export interface Trial {
  events(): AsyncIterable<AnsweringEvent>;
  result: Promise<TriedQuestion>;
}

/**
 * Answers a question as a person with a tier would get it at a page, and tells why; for people who maintain the
 * knowledge. The answer and the passages come from one search, by the functions of every answer. No conversation is
 * stored. The person who tries pays, and usage counts it as the channel `try`. Refuses as startAnswer does, and with
 * `invalid_request` a page of another organization. The signal ends the answer.
 */
export function tryQuestion(
  app: App,
  actor: Actor,
  { question: message, url, language, tier }: TrialInput,
  signal: AbortSignal,
): Promise<Trial> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  return inTurn(app, actor, async () => {
    const page =
      url === undefined && language === undefined ? undefined : { url, language, title: '' };
    const asked = { message, page, tier, channel: 'try' as const };
    const prepared = await prepareQuestion(app, actor, asked);
    if (prepared.question.scope.organizationId !== organizationId) throw ofOthers();
    const log = createEventLog<AnsweringEvent>();
    const tell = (event: AnsweringEvent) => log.append(event);
    const result = finish(app, prepared, { signal, tell }).finally(() => log.end());
    // Readers of the events are told by the result.
    result.catch(() => undefined);
    return { result, events: () => textsOf(log.read()) };
  });
}

async function finish(
  app: App,
  prepared: PreparedQuestion<'try'>,
  how: { signal: AbortSignal; tell: (event: AnsweringEvent) => void },
): Promise<TriedQuestion> {
  const begun = beginAnswer(app, prepared, { ...how, streamed: true });
  const { question } = prepared;
  try {
    const answer = await begun.answer;
    await charge(app, prepared, answer.units);
    if (question.relevant === undefined) throw new Error('a prepared question is looked up');
    const { terms, judged, passages } = await question.relevant;
    const entries = await findEntriesById(app, [
      ...new Set(judged.map(({ passage }) => passage.entryId)),
    ]);
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const read = new Set(passages.map(({ id }) => id));
    return {
      answer,
      scope: question.scope,
      terms,
      passages: judged.flatMap((one) => {
        const entry = byId.get(one.passage.entryId);
        return entry === undefined ? [] : [{ ...one, entry, isRead: read.has(one.passage.id) }];
      }),
    };
  } catch (error) {
    await charge(app, prepared, begun.spent());
    throw error;
  }
}

async function charge(
  app: App,
  { asker, question: { scope } }: PreparedQuestion<'try'>,
  units: number,
): Promise<void> {
  if (units === 0) return;
  const { organizationId } = asker;
  await recordUsage(app, {
    organizationId,
    messageId: null,
    channel: 'try',
    units,
    appId: appAskedAbout(scope, organizationId),
    userId: asker.owner.userId ?? undefined,
  });
}

function ofOthers(): AppError {
  const message = 'This page belongs to no app of this organization, so it has no knowledge.';
  return new AppError('invalid_request', message, {
    problems: [{ path: 'url', message, reason: { is: 'page_of_others' } }],
  });
}

async function* textsOf(
  events: AsyncIterable<{ event: AnsweringEvent }>,
): AsyncGenerator<AnsweringEvent, void, undefined> {
  for await (const { event } of events) yield event;
}
