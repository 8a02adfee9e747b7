import { readConversations } from '../connection/list-conversations.js';
import type { ServiceRequests } from '../connection/service-requests.js';
import type { Question } from './question.js';
import { readMessages, replyOf } from './read-messages.js';
import { readConversation } from './stored-conversation.js';

/** What looks at what is stored. Nobody needs it for a first question: it is loaded with the pages of the menu. */
export const history = { findQuestion, readConversation, readConversations, readMessages, replyOf };

export type History = typeof history;
export type LoadHistory = () => Promise<History>;

/**
 * The number of a question that may have arrived though nothing came back, newer than `since`: undefined where it did
 * not. Masking changes what is stored: then it counts as not arrived, and is asked twice.
 */
export async function findQuestion(
  requests: ServiceRequests,
  wanted: Pick<Question, 'message' | 'conversationId' | 'since'>,
): Promise<{ conversationId: string; questionId: number } | undefined> {
  const conversationId = wanted.conversationId ?? (await readConversations(requests, 1)).at(0)?.id;
  if (!conversationId) return undefined;
  const stored = await readMessages(requests, conversationId);
  const asked = stored.filter(({ role }) => role === 'user');
  const last = asked.at(-1);
  // What names no conversation begins one: there it stands alone.
  const isElsewhere = !wanted.conversationId && asked.length > 1;
  if (!last || isElsewhere || last.id <= wanted.since || last.content !== wanted.message.trim()) {
    return undefined;
  }
  return { conversationId, questionId: last.id };
}
