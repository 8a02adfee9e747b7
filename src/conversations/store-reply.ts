import type { App } from '../platform/app.js';
import type { Answer } from '../answers/answer.js';
import { recordUsage } from '../usage/record-usage.js';
import { releaseAnswer } from './claim-answer.js';
import { findConversation } from './conversations.repository.js';
import { insertMessage } from './messages.repository.js';
import type { StoredQuestion } from './store-question.js';

/**
 * Stores the answer and what it cost, inside a transaction; answers its id, or undefined when the conversation was
 * deleted meanwhile.
 */
export async function storeReply(
  app: App,
  asked: StoredQuestion,
  answer: Answer,
): Promise<number | undefined> {
  const { language, text: content, mode, found, sources, unsupported, complete } = answer;
  const { asker, conversation, questionId, pageUrl } = asked;
  const { owner } = asker;
  const present = await findConversation(app, owner, conversation.id);
  const reply =
    present === undefined
      ? undefined
      : await insertMessage(app, {
          conversationId: conversation.id,
          role: 'assistant',
          status: complete ? 'complete' : 'incomplete',
          language,
          content,
          mode,
          found,
          sources,
          unsupported,
          questionId,
          pageUrl,
        });
  await releaseAnswer(app, questionId);
  // What is deleted while it is answered has cost the same: else a deletion in time would be free.
  await storeCost(app, asked, answer.units, reply?.id);
  return reply?.id;
}

/** Stores what a question has cost, inside a transaction; without a reply, the question itself is what was paid for. */
export async function storeCost(
  app: App,
  { asker, conversation, questionId, channel }: StoredQuestion,
  units: number,
  replyId?: number,
): Promise<void> {
  await recordUsage(app, {
    organizationId: asker.organizationId,
    appId: conversation.appId,
    messageId: replyId ?? questionId,
    channel,
    units,
    userId: asker.owner.userId ?? undefined,
  });
}
