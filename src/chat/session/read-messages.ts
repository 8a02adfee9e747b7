import type { FrameReply, FrameSource } from '../protocol.js';
import type { Listed } from '../connection/list-conversations.js';
import type { ServiceRequests } from '../connection/service-requests.js';

/** A message in the service's format. */
export interface StoredMessage {
  id: number;
  role: 'user' | 'assistant';
  content: string;
  status: 'complete' | 'incomplete';
  language: string;
  mode: FrameReply['mode'] | null;
  found: boolean | null;
  can_request: boolean;
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

/** The latest messages of a conversation, oldest first: at least fifty, if there are as many. */
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

/** A stored answer in the format of a new one. */
export function replyOf(stored: StoredMessage, conversationId: string): FrameReply {
  const { id: messageId, content: response, mode } = stored;
  return {
    ...stored,
    ...{ response, conversationId, messageId, canRequest: stored.can_request },
    mode: mode ?? 'extractive',
  };
}
