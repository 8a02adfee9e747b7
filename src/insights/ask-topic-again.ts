import { answerQuestion } from '../answers/answer-question.js';
import type { UnansweredQuestion } from '../conversations/store/unanswered.repository.js';
import { pageScope } from '../knowledge/page-scope.js';
import { requirePermission, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { storeSettled } from './settled-questions.repository.js';
import { getTopic } from './topics.js';

export interface AskedAgain {
  asked: number;
  answered: number;
  /** The questions that still find no answer. */
  open: UnansweredQuestion[];
}

/** A model takes seconds for each wording: of more, the latest are asked. */
const mostWordings = 20;

/**
 * Asks all questions of a topic again, each on its page and with the rights of its asker, by the functions that answers
 * use. Stores no conversation, and nobody pays. The questions that are answered now leave the topic. The same wording on
 * the same page is asked once. Refuses as getTopic does, and as answers do when no model answers.
 */
export async function askTopicAgain(app: App, actor: Actor, id: number): Promise<AskedAgain> {
  requirePermission(actor, 'requests.resolve');
  const { questions } = await getTopic(app, actor, id);
  const found = new Map<string, boolean>();
  const answered: UnansweredQuestion[] = [];
  const open: UnansweredQuestion[] = [];
  for (const question of questions) {
    const key = JSON.stringify([question.text, question.pageUrl, tierOf(question), question.appId]);
    if (!found.has(key)) {
      if (found.size >= mostWordings) continue;
      found.set(key, await isAnswered(app, actor, question));
    }
    (found.get(key) === true ? answered : open).push(question);
  }
  await inTransaction(app, async (app) => {
    await storeSettled(
      app,
      answered.map(({ questionId }) => questionId),
      'answered',
    );
  });
  return { asked: answered.length + open.length, answered: answered.length, open };
}

async function isAnswered(
  app: App,
  actor: Actor,
  { text, pageUrl, appId, ...asker }: UnansweredQuestion,
): Promise<boolean> {
  const member = requirePermission(actor, 'requests.resolve');
  const url = pageUrl ?? undefined;
  const page = { url, tier: tierOf(asker), appId: appId ?? undefined };
  const { scope, place } = await pageScope(app, member, page);
  // A page that another organization has registered since.
  if (scope.organizationId !== member.organizationId) return false;
  const asked = { text, scope, place, history: [] };
  const on = url === undefined ? undefined : { url, title: '' };
  return (await answerQuestion(app, { ...asked, page: on })).found === true;
}

/** What the asker may see: no more than the public as a visitor, no internal knowledge as anybody else. */
function tierOf({
  userId,
  endUserId,
}: Pick<UnansweredQuestion, 'userId' | 'endUserId'>): Visibility {
  return userId === null && endUserId === null ? 'public' : 'authenticated';
}
