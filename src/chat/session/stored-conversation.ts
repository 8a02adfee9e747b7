import type { ServiceRequests } from '../connection/service-requests.js';
import type { Listed } from '../connection/list-conversations.js';
import type { ChatMessage } from '../session.js';
import type { FrameReply, FrameSource } from '../protocol.js';
import { type Notice, noticeOf } from './session-notices.js';

/** The service's data of a conversation: its questions and answers, and those passed to and answered by people. */
export interface StoredConversation {
  /** The id of its last message. */
  newest: number;
  /** Its last question, if that is being answered right now. */
  answering: StoredMessage | undefined;
  /** Merges its messages, in order, into the shown ones; each appears once. */
  mergeInto(shown: readonly ChatMessage[]): ChatMessage[];
}

/** A question that was passed to a person, in the service's format; newest first. */
interface PassedOn {
  question: string;
  status: string;
}

export async function readConversation(
  requests: ServiceRequests,
  id: string,
): Promise<StoredConversation> {
  const list = async <T>(what: string): Promise<T[]> => {
    const path = `/${what}?conversationId=${encodeURIComponent(id)}&limit=100`;
    return (await requests.json<Listed<T>>('GET', path)).data;
  };
  const [stored, told, asked] = await Promise.all([
    readMessages(requests, id),
    list<Notice>('notifications'),
    list<PassedOn>('requests'),
  ]);
  const messages = [...shownMessages(stored, id, asked), ...told.map(messageOf)].sort(
    (one, other) => one.timestamp.localeCompare(other.timestamp),
  );
  let question = '';
  for (const { role, text, notice } of messages) {
    if (role === 'user') question = text;
    else if (notice?.question === question) notice.question = '';
  }
  const last = stored.filter(({ role }) => role === 'user').at(-1);
  return {
    newest: Math.max(0, ...stored.map((message) => message.id)),
    answering: last?.answering === true ? last : undefined,
    mergeInto(shown) {
      // A question sent by a plain request is recognized only by its answer.
      const answers = stored.filter((one) => shown.some((message) => message.id === one.id));
      const asked = new Set<number | null | undefined>(answers.map((one) => one.question_id));
      return merge(
        messages.filter((message) => !asked.has(message.id)),
        shown,
      );
    },
  };
}

function merge(stored: ChatMessage[], shown: readonly ChatMessage[]): ChatMessage[] {
  const messages = [...shown];
  let at = 0;
  for (const one of stored) {
    const known = messages.findIndex(
      ({ key, id }) => key === one.key || (id !== undefined && id === one.id),
    );
    const seen = messages[known];
    if (!seen) messages.splice(at, 0, one);
    // A person may have answered since.
    else if (one.request) messages[known] = { ...seen, request: one.request };
    at = Math.max(at, known) + 1;
  }
  return messages;
}

/** Stored messages in the view's format. A question without an answer may be asked again. */
function shownMessages(
  stored: StoredMessage[],
  conversationId: string,
  asked: readonly PassedOn[],
): ChatMessage[] {
  return stored.map((message) => {
    const { id, role, content: text, status, created_at: timestamp } = message;
    const shown = { key: `m${id}`, id, role, text, timestamp };
    if (role === 'assistant') {
      const reply = replyOf(message, conversationId);
      const asking = stored.find((one) => one.id === message.question_id)?.content;
      // Both texts were stored by the same rules, so they can be compared.
      const request = requestOf(asked.find((one) => one.question === asking)?.status);
      return { ...shown, status, reply, rating: message.feedback?.rating, request };
    }
    if (message.answering) return { ...shown, status: 'sent' };
    return { ...shown, status: message.interrupted ? 'failed' : 'complete' };
  });
}

function requestOf(status = 'dismissed'): ChatMessage['request'] {
  // A dismissed question may be passed on again.
  if (status === 'dismissed') return undefined;
  return status === 'resolved' ? 'answered' : 'filed';
}

function messageOf(given: Notice): ChatMessage {
  const notice = noticeOf(given);
  const { id, response: text, createdAt: timestamp } = notice;
  return { key: `n${id}`, role: 'person', text, status: 'complete', notice, timestamp };
}

/** A message in the service's format. */
interface StoredMessage {
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
    response,
    conversationId,
    messageId,
    canRequest: stored.can_request,
    mode: mode ?? 'extractive',
  };
}
