import { readConversations } from '../connection/list-conversations.js';
import type { ServiceRequests } from '../connection/service-requests.js';
import type { Question } from './question.js';
import { readMessages, replyOf, readConversation } from './stored-conversation.js';

/** Functions that read stored data. A first question does not need them, so they are loaded with the menu's pages. */
export const history = { findQuestion, readConversation, readConversations, readMessages, replyOf };

export type History = typeof history;
export type LoadHistory = () => Promise<History>;

/**
 * Looks for a sent question without an answer among the stored messages newer than `since`, and returns its id.
 * Undefined when it did not arrive. Masking changes the stored text; such a question counts as not arrived and is asked
 * twice.
 */
async function findQuestion(
  requests: ServiceRequests,
  wanted: Pick<Question, 'message' | 'conversationId' | 'since'>,
): Promise<{ conversationId: string; questionId: number } | undefined> {
  const conversationId = wanted.conversationId ?? (await readConversations(requests, 1)).at(0)?.id;
  if (!conversationId) return undefined;
  const stored = await readMessages(requests, conversationId);
  const asked = stored.filter(({ role }) => role === 'user');
  const last = asked.at(-1);
  // A question without a conversation began a new one, so it is the only question there.
  const isElsewhere = !wanted.conversationId && asked.length > 1;
  if (!last || isElsewhere || last.id <= wanted.since || last.content !== wanted.message.trim()) {
    return undefined;
  }
  return { conversationId, questionId: last.id };
}
