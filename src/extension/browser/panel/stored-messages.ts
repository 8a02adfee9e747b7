import type { ChatMessage } from '../../../widget/browser/session.js';
import type { FrameReply, FrameSource } from '../../../widget/protocol.js';
import type { Service } from '../service/service.js';

interface Listed<T> {
  data: T[];
  pagination: { total: number };
}

/** A message as the service lists it. */
interface StoredMessage {
  id: number;
  role: 'user' | 'assistant';
  content: string;
  status: 'complete' | 'incomplete';
  language: string;
  mode: FrameReply['mode'] | null;
  found: boolean | null;
  sources: FrameSource[];
  unsupported: FrameReply['unsupported'];
  feedback: { rating: 'up' | 'down' } | null;
  withheld: boolean;
  answering: boolean;
  interrupted: boolean;
  created_at: string;
}

const most = 100;

export interface StoredConversation {
  /** The latest messages, oldest first: half a hundred at least, where there are as many. */
  messages: ChatMessage[];
  /** Questions among them whose answers are under way. */
  answering: { key: string; questionId: number }[];
}

export async function readMessages(service: Service, id: string): Promise<StoredConversation> {
  const read = (page: number) =>
    service.json<Listed<StoredMessage>>(
      'GET',
      `/api/conversations/${encodeURIComponent(id)}/messages?limit=${most}&page=${page}`,
    );
  const first = await read(1);
  const pages = Math.ceil(first.pagination.total / most);
  const before = pages < 3 ? first : await read(pages - 1);
  const stored = pages < 2 ? first.data : [...before.data, ...(await read(pages)).data];
  const latest = stored.slice(-most);
  return {
    messages: latest.map((message) => shown(message, id)),
    answering: latest
      .filter(({ role, answering }) => role === 'user' && answering)
      .map(({ id: questionId }) => ({ key: keyOf(questionId), questionId })),
  };
}

const keyOf = (id: number) => `m${id}`;

function shown(message: StoredMessage, conversationId: string): ChatMessage {
  const { id, role, content: text, status, created_at: timestamp, found } = message;
  const base = { key: keyOf(id), role, text, timestamp };
  if (role === 'user') {
    const error = { code: 'interrupted', message: '' };
    if (message.interrupted) return { ...base, status: 'failed', error };
    return { ...base, status: message.answering ? 'sent' : 'complete' };
  }
  const { language, mode, sources, unsupported, withheld } = message;
  const reply: FrameReply = {
    ...{ response: text, conversationId, messageId: id, sources, status, unsupported, withheld },
    // A person is asked in the widget of a site, which knows whom.
    ...{ language, mode: mode ?? 'extractive', found: found === true, canRequest: false },
  };
  return { ...base, status, reply, rating: message.feedback?.rating };
}
