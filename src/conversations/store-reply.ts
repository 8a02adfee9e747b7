import type { App } from '../platform/app.js';
import type { Answer } from '../answers/answer.js';
import { recordUsage } from '../usage/record-usage.js';
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
  const { asker, conversation, questionId, pageUrl, channel } = asked;
  const { organizationId, owner } = asker;
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
  await recordUsage(app, {
    organizationId,
    appId: conversation.appId,
    // What is deleted while it is answered has cost the same: else a deletion in time would be free.
    messageId: reply?.id ?? questionId,
    channel,
    units: answer.units,
    userId: owner.userId ?? undefined,
  });
  return reply?.id;
}
