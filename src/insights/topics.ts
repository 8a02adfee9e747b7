import {
  findUnanswered,
  type UnansweredQuestion,
} from '../conversations/store/unanswered.repository.js';
import type { Language } from '../language/language-pack.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { dayMs } from '../platform/clock.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { topicDays, topicsOf, type FormedTopic } from './form-topics.js';

export { topicDays };

/** Questions of one meaning that found no answer. */
export interface Topic {
  /** The number of its oldest question. Any of its questions names the topic. */
  id: number;
  /** The wording that was asked most often, or last. */
  title: string;
  language: Language;
  /** How often it was asked. */
  times: number;
  /** How often in the last `recentDays`. */
  lately: number;
  /** How often in as many days before; undefined where not all of these were grouped. */
  before: number | undefined;
  /** True when it was asked at least `leastGrown` times lately, and twice as often as before. */
  isGrowing: boolean;
  /** How many people asked. Conversations without an owner count one each. */
  people: number;
  askedLast: string;
  isLeftOut: boolean;
}

export interface WholeTopic extends Topic {
  /** The newest first. */
  questions: UnansweredQuestion[];
}

/** The days in which a topic may grow. */
export const recentDays = 30;
const leastGrown = 3;

/**
 * A page of the topics of the last 90 days, the most frequent first: those that wait, or those that were left out. Their
 * texts are read from the stored conversations, so none outlives its conversation. For staff.
 */
export async function listTopics(
  app: App,
  actor: Actor,
  { page, limit, leftOut = false }: Page & { leftOut?: boolean | undefined },
): Promise<Paged<Topic>> {
  const { organizationId } = requirePermission(actor, 'requests.resolve');
  const { topics, since } = await topicsOf(app, organizationId);
  const wanted = topics.filter((one) => one.isLeftOut === leftOut);
  const listed = wanted.slice((page - 1) * limit, page * limit);
  const titles = await questionsByNumber(
    app,
    listed.map(({ titled }) => titled),
  );
  const items = listed.flatMap((formed) => {
    const title = titles.get(formed.titled);
    return title === undefined ? [] : [present(app, formed, { title, since })];
  });
  return { items, total: wanted.length };
}

/** The topic of a question, by the question's number. Errors: `not_found` for a question of no topic. */
export async function getTopic(app: App, actor: Actor, id: number): Promise<WholeTopic> {
  const { organizationId } = requirePermission(actor, 'requests.resolve');
  const { topics, since } = await topicsOf(app, organizationId);
  const formed = topics.find(({ questions }) => questions.includes(id));
  const found = await questionsByNumber(app, formed?.questions ?? []);
  const title = found.get(formed?.titled ?? 0);
  if (formed !== undefined && title !== undefined) {
    const questions = formed.questions.flatMap((one) => found.get(one) ?? []);
    return { ...present(app, formed, { title, since }), questions };
  }
  const sentence = `There is no topic ${id}: its questions are answered, deleted or older than ${topicDays} days.`;
  throw new AppError('not_found', sentence);
}

async function questionsByNumber(
  app: App,
  numbers: readonly number[],
): Promise<Map<number, UnansweredQuestion>> {
  const found = await findUnanswered(app, numbers);
  return new Map(found.map((one) => [one.questionId, one]));
}

function present(
  app: App,
  { questions, asked, people, isLeftOut }: FormedTopic,
  { title, since }: { title: UnansweredQuestion; since: number },
): Topic {
  const now = app.clock.now().getTime();
  const [recent, earlier] = [now - recentDays * dayMs, now - 2 * recentDays * dayMs];
  const lately = asked.filter((time) => time >= recent).length;
  const upToThen = asked.filter((time) => time >= earlier).length;
  const before = since > earlier ? undefined : upToThen - lately;
  return {
    id: questions.at(-1) ?? 0,
    title: title.text,
    language: title.language,
    times: questions.length,
    people,
    isLeftOut,
    lately,
    before,
    isGrowing: before !== undefined && lately >= leastGrown && lately >= 2 * before,
    askedLast: new Date(asked[0] ?? now).toISOString(),
  };
}
