import type { LRUCache } from 'lru-cache';
import {
  listUnanswered,
  type UnansweredQuestion,
} from '../conversations/store/unanswered.repository.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { groupQuestions } from './group-questions.js';
import { findSettled } from './settled-questions.repository.js';

/** Questions of one meaning that found no answer. */
export interface Topic {
  /** The number of its oldest question. Any of its questions names the topic. */
  id: number;
  /** The wording that was asked most often, or last. */
  title: string;
  /** The newest first. */
  questions: UnansweredQuestion[];
  /** How many people asked. Conversations without an owner count one each. */
  people: number;
  askedLast: string;
  isLeftOut: boolean;
}

/** The groups that the open questions of an organization formed last, as numbers: it holds no text. */
export interface FormedGroups {
  /** The questions that were grouped. */
  of: string;
  groups: number[][];
}

declare module '../platform/app.js' {
  interface App {
    /** By organization. */
    formedGroups: LRUCache<number, FormedGroups>;
  }
}

/** Older questions belong to no topic. */
export const topicDays = 90;
/** Of more, the latest are grouped: it takes a moment for each. */
const mostQuestions = 5000;

/**
 * A page of the topics of the last 90 days, the most frequent first: those that wait, or those that were left out. They
 * are made from the stored conversations each time, so no text outlives its conversation. For staff.
 */
export async function listTopics(
  app: App,
  actor: Actor,
  { page, limit, leftOut = false }: Page & { leftOut?: boolean | undefined },
): Promise<Paged<Topic>> {
  const { organizationId } = requirePermission(actor, 'requests.resolve');
  const all = await app.queues.figures.run(
    () => topicsOf(app, organizationId),
    String(organizationId),
  );
  const topics = all.filter((one) => one.isLeftOut === leftOut);
  return { items: topics.slice((page - 1) * limit, page * limit), total: topics.length };
}

/** The topic of a question, by the question's number. Refuses with `not_found` a question of no topic. */
export async function getTopic(app: App, actor: Actor, id: number): Promise<Topic> {
  const { organizationId } = requirePermission(actor, 'requests.resolve');
  const topics = await app.queues.figures.run(
    () => topicsOf(app, organizationId),
    String(organizationId),
  );
  const found = topics.find(({ questions }) => questions.some((one) => one.questionId === id));
  if (found !== undefined) return found;
  const sentence = `There is no topic ${id}: its questions are answered, deleted or older than ${topicDays} days.`;
  throw new AppError('not_found', sentence);
}

async function topicsOf(app: App, organizationId: number): Promise<Topic[]> {
  const since = timestamp(app.clock, -topicDays * 86_400_000);
  const asked = await listUnanswered(app, organizationId, { since, limit: mostQuestions });
  const settled = await findSettled(
    app,
    asked.map(({ questionId }) => questionId),
  );
  const open = asked.filter(({ questionId }) => settled.get(questionId) !== 'answered');
  const byId = new Map(open.map((one) => [one.questionId, one]));
  const groups = await groupsOf(app, organizationId, open);
  return groups
    .map((ids) =>
      topicOf(
        ids.flatMap((id) => byId.get(id) ?? []),
        settled,
      ),
    )
    .sort((a, b) => b.questions.length - a.questions.length || compare(b.askedLast, a.askedLast));
}

/** Grouped once for the same questions, however often people look. */
async function groupsOf(
  app: App,
  organizationId: number,
  open: readonly UnansweredQuestion[],
): Promise<number[][]> {
  const of = open.map(({ questionId }) => questionId).join(' ');
  const formed = app.formedGroups.get(organizationId);
  if (formed?.of === of) return formed.groups;
  const grouped = await groupQuestions(open);
  const groups = grouped.map((questions) => questions.map(({ questionId }) => questionId));
  app.formedGroups.set(organizationId, { of, groups });
  return groups;
}

function topicOf(grouped: UnansweredQuestion[], settled: ReadonlyMap<number, string>): Topic {
  const questions = [...grouped].sort((a, b) => b.questionId - a.questionId);
  const askers = questions.map(
    ({ userId, endUserId, visitorId, conversationId }) =>
      `${userId ?? ''} ${endUserId ?? ''} ${visitorId ?? ''} ${userId ?? endUserId ?? visitorId ?? conversationId}`,
  );
  return {
    id: questions.at(-1)?.questionId ?? 0,
    title: grouped[0]?.text ?? '',
    questions,
    people: new Set(askers).size,
    askedLast: questions[0]?.askedAt ?? '',
    // What comes later of a topic that was left out is left out too.
    isLeftOut: questions.some(({ questionId }) => settled.has(questionId)),
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
