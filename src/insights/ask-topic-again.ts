import { answerQuestion } from '../answers/answer-question.js';
import { inTurn } from '../conversations/answering/running-answers.js';
import {
  findQuestionText,
  type UnansweredQuestion,
} from '../conversations/store/unanswered.repository.js';
import { pageScope } from '../knowledge/page-scope.js';
import { nameOf, requirePermission, type Actor, type Visibility } from '../platform/actor.js';
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

/** The most wordings that are asked, the latest ones: a model takes seconds for each. */
const mostWordings = 20;

/**
 * Asks all questions of a topic again, each on its page and with the rights of its asker. Uses the functions that answer
 * new questions. Stores no conversation, and nobody pays. The questions that are answered now leave the topic. The same
 * wording on the same page is asked once. The whole counts as one answer that the caller waits for, and the signal ends
 * it. Refuses as getTopic and answerQuestion do.
 */
export async function askTopicAgain(
  app: App,
  actor: Actor,
  id: number,
  signal?: AbortSignal,
): Promise<AskedAgain> {
  requirePermission(actor, 'requests.resolve');
  const { result } = await inTurn(app, actor, () =>
    Promise.resolve({ result: askAgain(app, actor, id, signal) }),
  );
  return result;
}

async function askAgain(
  app: App,
  actor: Actor,
  id: number,
  signal: AbortSignal | undefined,
): Promise<AskedAgain> {
  const { questions } = await getTopic(app, actor, id);
  const found = new Map<string, boolean>();
  const answered: UnansweredQuestion[] = [];
  const open: UnansweredQuestion[] = [];
  for (const question of questions) {
    const key = JSON.stringify([question.text, question.pageUrl, tierOf(question), question.appId]);
    if (!found.has(key)) {
      if (found.size >= mostWordings) continue;
      signal?.throwIfAborted();
      found.set(key, await isAnswered(app, actor, question, signal));
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
  { questionId, pageUrl, appId, ...asker }: UnansweredQuestion,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const member = requirePermission(actor, 'requests.resolve');
  const url = pageUrl ?? undefined;
  const page = { url, tier: tierOf(asker), appId: appId ?? undefined };
  const { scope, place } = await pageScope(app, member, page);
  // A page that another organization has registered since.
  if (scope.organizationId !== member.organizationId) return false;
  const text = await findQuestionText(app, questionId);
  if (text === undefined) return false;
  const on = url === undefined ? undefined : { url, title: '' };
  const asked = { text, scope, place, page: on, history: [] };
  const { found } = await answerQuestion(app, {
    ...asked,
    caller: nameOf(actor),
    ...(signal === undefined ? {} : { signal }),
  });
  return found === true;
}

/** The tier that the asker may see: `public` for a visitor, `authenticated` for all others. */
function tierOf({
  userId,
  endUserId,
}: Pick<UnansweredQuestion, 'userId' | 'endUserId'>): Visibility {
  return userId === null && endUserId === null ? 'public' : 'authenticated';
}
