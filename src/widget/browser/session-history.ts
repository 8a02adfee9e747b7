import type { FrameReply, FrameSource } from '../protocol.js';
import type { Question } from './question.js';
import { ServiceError, type ServiceRequests } from './service-requests.js';
import type { ChatMessage, ConversationItem } from './session.js';

export interface Listed<T> {
  data: T[];
  pagination: { total: number };
}

/** A message as the service lists it. */
export interface StoredMessage {
  id: number;
  role: 'user' | 'assistant';
  content: string;
  status: 'complete' | 'incomplete';
  language: string;
  mode: FrameReply['mode'] | null;
  found: boolean | null;
  sources: FrameSource[];
  unsupported: FrameReply['unsupported'];
  question_id: number | null;
  feedback: { rating: 'up' | 'down' } | null;
  withheld: boolean;
  answering: boolean;
  interrupted: boolean;
  created_at: string;
}

const most = 100;

/** The latest messages of a conversation, oldest first: at least half a hundred, where there are as many. */
export async function readMessages(
  requests: Pick<ServiceRequests, 'json'>,
  conversationId: string,
): Promise<StoredMessage[]> {
  const read = (page: number) =>
    requests.json<Listed<StoredMessage>>(
      'GET',
      `/conversations/${encodeURIComponent(conversationId)}/messages?limit=${most}&page=${page}`,
    );
  const first = await read(1);
  const pages = Math.ceil(first.pagination.total / most);
  if (pages < 2) return first.data;
  const before = pages === 2 ? first : await read(pages - 1);
  return [...before.data, ...(await read(pages)).data].slice(-most);
}

export async function readConversations(
  requests: ServiceRequests,
  limit: number,
): Promise<ConversationItem[]> {
  const { data } = await requests.json<Listed<{ id: string; title: string; updated_at: string }>>(
    'GET',
    `/conversations?limit=${limit}`,
  );
  return data.map(({ id, title, updated_at: updatedAt }) => ({ id, title, updatedAt }));
}

/** A stored answer as if it had just come. */
export function replyOf(stored: StoredMessage, conversationId: string): FrameReply {
  const { id: messageId, content: response, found, mode } = stored;
  return {
    ...stored,
    ...{ response, conversationId, messageId, found: !!found, canRequest: !found },
    mode: mode ?? 'extractive',
  };
}

/** Stored messages as a view shows them. A question that nothing answers any more may be asked again. */
export function shownMessages(stored: StoredMessage[], conversationId: string): ChatMessage[] {
  return stored.map((message) => {
    const { id, role, content: text, status, created_at: timestamp } = message;
    const shown = { key: `m${id}`, role, text, timestamp };
    if (role === 'assistant') {
      const reply = replyOf(message, conversationId);
      return { ...shown, status, reply, rating: message.feedback?.rating };
    }
    if (message.answering) return { ...shown, status: 'sent' };
    if (!message.interrupted) return { ...shown, status: 'complete' };
    return { ...shown, status: 'failed', error: new ServiceError('not_found') };
  });
}

/**
 * The number of a question that may have arrived though nothing came back, newer than `since`: undefined where it did
 * not. Masking changes what is stored: then it counts as not arrived, and is asked twice.
 */
export async function findQuestion(
  requests: ServiceRequests,
  wanted: Pick<Question, 'message' | 'conversationId' | 'since'>,
): Promise<{ conversationId: string; questionId: number } | undefined> {
  const conversationId = wanted.conversationId ?? (await readConversations(requests, 1)).at(0)?.id;
  if (conversationId === undefined) return undefined;
  const stored = await readMessages(requests, conversationId);
  const asked = stored.filter(({ role }) => role === 'user');
  const last = asked.at(-1);
  // What names no conversation begins one: there it stands alone.
  const isElsewhere = wanted.conversationId === undefined && asked.length > 1;
  if (!last || isElsewhere || last.id <= wanted.since || last.content !== wanted.message.trim()) {
    return undefined;
  }
  return { conversationId, questionId: last.id };
}
