import {
  listUnanswered,
  type UnansweredQuestion,
} from '../conversations/store/unanswered.repository.js';
import type { App } from '../platform/app.js';
import { dayMs, timestamp } from '../platform/clock.js';
import { ifWritable } from '../platform/figures/if-writable.js';
import { groupQuestions } from './group-questions.js';
import { beginTopics, findKeptTopics, keepTopics } from './kept-topics.repository.js';
import { findSettled } from './settled-questions.repository.js';

/** Questions of one meaning, as numbers: what is kept holds no text of people. */
export interface FormedTopic {
  /** The question whose wording was asked most often, or last. */
  titled: number;
  /** The numbers of its questions, the newest first. */
  questions: number[];
  /** When each of them was asked, in milliseconds since 1970. */
  asked: number[];
  /** How many people asked. Conversations without an owner count one each. */
  people: number;
  isLeftOut: boolean;
}

export interface FormedTopics {
  /** The most frequent first. */
  topics: FormedTopic[];
  /** Every question since then was grouped, in milliseconds since 1970. */
  since: number;
}

/** Older questions belong to no topic. */
export const topicDays = 90;
/** The most questions that are grouped, the latest ones: each of them takes time. */
const mostQuestions = 5000;

/** The topics of an organization. They are formed once and kept until their questions or answers change. */
export async function topicsOf(app: App, organizationId: number): Promise<FormedTopics> {
  // The beginning of a day (UTC): a question that becomes too old changes the topics once a day, not at each view.
  const since = `${timestamp(app.clock, -topicDays * dayMs).slice(0, 10)}T00:00:00.000Z`;
  const kept = await readKept(app, organizationId, since);
  if (kept !== undefined) return kept;
  const make = async () =>
    (await readKept(app, organizationId, since)) ?? keep(app, organizationId, since);
  return app.queues.figures.run(make, String(organizationId));
}

async function readKept(app: App, organizationId: number, since: string) {
  const kept = await findKeptTopics(app, organizationId, since);
  return kept === undefined ? undefined : (JSON.parse(kept) as FormedTopics);
}

async function keep(app: App, organizationId: number, since: string): Promise<FormedTopics> {
  // Grouping takes too long for a transaction.
  const token = await ifWritable(app, (app) => beginTopics(app, organizationId, since));
  const formed = await formTopics(app, organizationId, since);
  if (token !== undefined) {
    const topics = JSON.stringify(formed);
    await ifWritable(app, (app) => keepTopics(app, organizationId, token, topics));
  }
  return formed;
}

/** Forms the topics of the questions since a time. */
export async function formTopics(
  app: App,
  organizationId: number,
  since: string,
): Promise<FormedTopics> {
  const asked = await listUnanswered(app, organizationId, { since, limit: mostQuestions });
  const settled = await findSettled(
    app,
    asked.map(({ questionId }) => questionId),
  );
  const open = asked.filter(({ questionId }) => settled.get(questionId) !== 'answered');
  const grouped = await groupQuestions(open);
  const oldest = asked.length < mostQuestions ? since : (asked.at(-1)?.repliedAt ?? since);
  return {
    topics: grouped.map((questions) => topicOf(questions, settled)).sort(byFrequency),
    since: Date.parse(oldest),
  };
}

function topicOf(grouped: UnansweredQuestion[], settled: ReadonlyMap<number, string>): FormedTopic {
  const questions = [...grouped].sort((a, b) => b.questionId - a.questionId);
  const askers = questions.map(
    ({ userId, endUserId, visitorId, conversationId }) =>
      `${userId ?? ''} ${endUserId ?? ''} ${visitorId ?? ''} ${userId ?? endUserId ?? visitorId ?? conversationId}`,
  );
  return {
    titled: grouped[0]?.questionId ?? 0,
    questions: questions.map(({ questionId }) => questionId),
    asked: questions.map(({ askedAt }) => Date.parse(askedAt)),
    people: new Set(askers).size,
    // A later question of a topic that was left out is left out too.
    isLeftOut: questions.some(({ questionId }) => settled.has(questionId)),
  };
}

const byFrequency = (a: FormedTopic, b: FormedTopic) =>
  b.questions.length - a.questions.length || (b.asked[0] ?? 0) - (a.asked[0] ?? 0);
