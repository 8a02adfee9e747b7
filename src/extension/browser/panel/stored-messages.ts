import type { ChatMessage } from '../../../widget/browser/session.js';
import { readMessages } from '../../../widget/browser/session-history.js';
import { shownMessages } from '../../../widget/browser/stored-conversation.js';
import type { Service } from '../service/service.js';

export interface StoredConversation {
  /** The latest messages, oldest first: half a hundred at least, where there are as many. */
  messages: ChatMessage[];
  /** Questions among them whose answers are under way. */
  answering: { key: string; questionId: number }[];
}

/** A conversation as the widget reads and shows it, over /api. */
export async function readConversation(service: Service, id: string): Promise<StoredConversation> {
  const requests = {
    json: <T>(method: string, path: string) => service.json<T>(method, `/api${path}`),
  };
  const stored = await readMessages(requests, id);
  const messages = shownMessages(stored, id).map(asShownHere);
  return {
    messages,
    answering: stored.flatMap(({ role, answering, id: questionId }, at) => {
      const key = messages[at]?.key;
      return role === 'user' && answering && key !== undefined ? [{ key, questionId }] : [];
    }),
  };
}

function asShownHere(message: ChatMessage): ChatMessage {
  const { reply, error } = message;
  return {
    ...message,
    // A person is asked in the widget of a site, which knows whom.
    ...(reply === undefined ? {} : { reply: { ...reply, canRequest: false } }),
    ...(error === undefined ? {} : { error: { code: 'interrupted', message: '' } }),
  };
}
